import { describe, expect, it } from 'vitest'
import { hasAnsi, parseAnsi, plainStyle, stripAnsi } from './ansi.ts'
import { cpuTimeOf } from '../../../test/support/run/cpu-time.ts'

const esc = '\u001b'
const textOf = (line: string) =>
  parseAnsi(line)
    .map(({ text }) => text)
    .join('')

describe('parseAnsi', () => {
  it('leaves a line without escapes unchanged', () => {
    expect(parseAnsi('ready\ton port 80 – ü 🚢')).toEqual([
      { text: 'ready\ton port 80 – ü 🚢', style: plainStyle },
    ])
    expect(hasAnsi('ready\ton port 80 – ü 🚢')).toBe(false)
  })

  it('separates colored, bold and plain text', () => {
    expect(parseAnsi(`${esc}[1;31mno${esc}[0m ok ${esc}[92;44mgo${esc}[39m.`)).toEqual([
      { text: 'no', style: { ...plainStyle, bold: true, ink: 1 } },
      { text: ' ok ', style: plainStyle },
      { text: 'go', style: { ...plainStyle, ink: 10, ground: 4 } },
      { text: '.', style: { ...plainStyle, ground: 4 } },
    ])
  })

  it.each([
    ['38;5;208', { ink: 208 }],
    ['48;5;999', { ground: 255 }],
    ['38;2;255;127;0', { ink: '#ff7f00' }],
    ['38:2::255:127:0', { ink: '#ff7f00' }],
    ['38:5:208', { ink: 208 }],
    ['38;5;208;1', { ink: 208, bold: true }],
    ['38;2;1;2;3;48;5;7', { ink: '#010203', ground: 7 }],
    ['4:3', { underline: true }],
    ['3;9;7;2', { italic: true, strike: true, inverse: true, dim: true }],
    ['38', {}],
    ['38;7', {}],
    ['777', {}],
  ])('reads %s', (codes, style) => {
    expect(parseAnsi(`${esc}[${codes}mx`)).toEqual([{ text: 'x', style: { ...plainStyle, ...style } }])
  })

  it('resets with an empty code', () => {
    expect(parseAnsi(`${esc}[31ma${esc}[mb`)[1]).toEqual({ text: 'b', style: plainStyle })
  })

  it.each([
    [`${esc}[2K${esc}[1Gdone`, 'done'],
    [`${esc}]0;a title\u0007here`, 'here'],
    [`${esc}]8;;http://x${esc}\\link${esc}]8;;${esc}\\`, 'link'],
    [`${esc}(Bx${esc}=y${esc}`, 'xy'],
    [`${esc}[?25lx${esc}[?25h`, 'x'],
    ['\u009b31mx', 'x'],
    [`cut ${esc}[31`, 'cut '],
    [`cut ${esc}]never ended`, 'cut '],
  ])('drops the other escapes of %j', (line, text) => {
    expect(textOf(line)).toBe(text)
    expect(hasAnsi(line)).toBe(true)
  })

  it('copies several lines as plain text', () => {
    expect(stripAnsi(`${esc}[31mno${esc}[0m\r\n10 %\r90 %\n\nyes`)).toBe('no\n90 %\n\nyes')
  })

  it('keeps the last text written over a line', () => {
    expect(textOf('10 %\r50 %\r100 %')).toBe('100 %')
    expect(textOf('whole\r')).toBe('whole')
  })

  it('replaces invisible characters one to one', () => {
    expect(textOf('a\u0000b\u007fc\u0085d')).toBe('a␀b␡c\ufffdd')
    expect(textOf('pay \u202elive')).toBe('pay \ufffdlive')
  })

  it('is fast for any line', () => {
    const lines = [
      `${esc}[`.repeat(3e5),
      `${esc}]`.repeat(3e5),
      `${esc}[${'1;'.repeat(5e5)}`,
      '\r'.repeat(1e6),
    ]
    expect(cpuTimeOf(() => lines.map((line) => parseAnsi(line)))).toBeLessThan(15_000)
  })
})
