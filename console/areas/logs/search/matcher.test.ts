import { describe, expect, it } from 'vitest'
import { plainStyle } from '../../../ui/ansi/ansi.ts'
import { splitLine } from '../log-row.tsx'
import { maxShownLength } from '../feed/log-entry.ts'
import { type Query, hasMatch, toPattern, findMatches } from './matcher.ts'

function find(text: string, query: Query) {
  const pattern = toPattern(query)
  return pattern && findMatches(text, pattern)
}

describe('a search', () => {
  it('finds text case-insensitively', () => {
    expect(find('Error: an error', { text: 'ERROR', regex: false })).toEqual([
      [0, 5],
      [10, 15],
    ])
    expect(find('a.b+c (d) [e] a\\b ^$', { text: '[e] a\\b ^$', regex: false })).toEqual([[10, 20]])
    expect(find('axb', { text: 'a.b', regex: false })).toEqual([])
  })

  it('supports regular expressions except empty matches', () => {
    expect(find('GET /a 200, GET /b 500', { text: String.raw`\b5\d\d\b`, regex: true })).toEqual([[19, 22]])
    expect(find('bbb', { text: 'a*', regex: true })).toEqual([])
  })

  it.each(['(', '[', '*', '\\'])('refuses %j as a regular expression', (text) => {
    expect(toPattern({ text, regex: true })).toBeUndefined()
    expect(find(`x${text}y`, { text, regex: false })).toEqual([[1, 2]])
  })

  it('finds matches beyond the shown part of a line', () => {
    const pattern = /needle/gi
    expect(hasMatch(`${'x'.repeat(maxShownLength)} needle`, pattern, maxShownLength)).toBe(true)
    expect(hasMatch('x'.repeat(maxShownLength * 2), pattern, maxShownLength)).toBe(false)
  })
})

describe('a rendered line', () => {
  it('is split at style changes and matches', () => {
    const raw = 'one \u001b[31mtwo three\u001b[0m four'
    const parts = splitLine({ text: 'one two three four', raw }, [
      [2, 6],
      [8, 13],
    ])
    expect(parts.map(({ text, marked, style }) => [text, marked, style.ink])).toEqual([
      ['on', false, undefined],
      ['e ', true, undefined],
      ['tw', true, 1],
      ['o ', false, 1],
      ['three', true, 1],
      [' four', false, undefined],
    ])
    expect(parts.map(({ from }) => from)).toEqual([0, 2, 4, 6, 8, 13])
  })

  it('is limited to the shown part', () => {
    const text = 'x'.repeat(maxShownLength + 500)
    expect(splitLine({ text, raw: undefined }, [])).toEqual([
      { from: 0, text: text.slice(0, maxShownLength), style: plainStyle, marked: false },
    ])
    expect(splitLine({ text: '', raw: undefined }, [])).toEqual([])
  })
})
