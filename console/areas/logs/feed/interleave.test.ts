import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createInterleaver, prefixWithName, shortNames } from './interleave.ts'
import { type LogEntry, toLogLine } from './log-entry.ts'
import { parseAnsi } from '../../../ui/ansi/ansi.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const line = (text: string, at: string): LogEntry => ({
  kind: 'line',
  stream: 'stdout',
  text,
  raw: undefined,
  at,
  level: undefined,
})

test('sorts lines by time and keeps notes after their line', () => {
  const texts: string[] = []
  const order = createInterleaver((entries) => texts.push(...entries.map(({ text }) => text)))
  order.push([line('a1', '01'), line('a4', '04')], '')
  vi.advanceTimersByTime(200)
  order.push([line('b2', '02'), line('b3', '03'), { kind: 'note', text: 'b ended' }], '03')
  vi.advanceTimersByTime(299)
  expect(texts).toEqual([])
  vi.advanceTimersByTime(1)
  expect(texts).toEqual(['a1', 'b2', 'b3', 'b ended', 'a4'])
  order.push([line('a6', '06')], '')
  order.push([line('b5', '05')], '')
  vi.advanceTimersByTime(150)
  expect(texts.slice(5)).toEqual(['b5', 'a6'])
})

test('does not let a busy container delay others', () => {
  const texts: string[] = []
  const order = createInterleaver((entries) => texts.push(...entries.map(({ text }) => text)))
  for (let tenth = 0; tenth < 31; tenth++) {
    order.push([line(String(tenth), String(tenth).padStart(2, '0'))], '')
    vi.advanceTimersByTime(100)
  }
  expect(texts.length).toBeGreaterThanOrEqual(30)
})

test('shortens names at the first difference after a dash', () => {
  const short = (...names: string[]) => [...shortNames(names).values()]
  expect(short('shop-3-1-k2f9', 'shop-3-2-x7d1', 'shop-4-1-aaaa')).toEqual([
    '3-1-k2f9',
    '3-2-x7d1',
    '4-1-aaaa',
  ])
  expect(short('my-shop-3-1-k2f9', 'my-shop-3-2-x7d1')).toEqual(['1-k2f9', '2-x7d1'])
  expect(short('shop-3-1-k2f9')).toEqual(['shop-3-1-k2f9'])
  expect(short('shop', 'till-1')).toEqual(['shop', 'till-1'])
})

const textOf = (raw: string) =>
  parseAnsi(raw)
    .map((piece) => piece.text)
    .join('')

test.each(['plain', '\u001b[31mred\u001b[0m end', 'old\rnew', 'bell\u0007'])(
  'includes the name before %j in display and search',
  (text) => {
    const line = toLogLine({ stream: 'stdout', text })
    const prefixed = prefixWithName(line, '3-1', 0)
    expect(prefixed.text).toBe(`3-1 ${line.text}`)
    const read = prefixed.raw === undefined ? prefixed.text : textOf(prefixed.raw)
    expect(read).toBe(prefixed.text)
  },
)
