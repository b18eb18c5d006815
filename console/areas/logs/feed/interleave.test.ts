import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createInterleaver } from './interleave.ts'
import type { LogEntry } from './log-entry.ts'

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
  const said: string[] = []
  const order = createInterleaver((entries) => said.push(...entries.map(({ text }) => text)))
  order.hear([line('a1', '01'), line('a4', '04')], '')
  vi.advanceTimersByTime(200)
  order.hear([line('b2', '02'), line('b3', '03'), { kind: 'note', text: 'b ended' }], '03')
  vi.advanceTimersByTime(299)
  expect(said).toEqual([])
  vi.advanceTimersByTime(1)
  expect(said).toEqual(['a1', 'b2', 'b3', 'b ended', 'a4'])
  order.hear([line('a6', '06')], '')
  order.hear([line('b5', '05')], '')
  vi.advanceTimersByTime(150)
  expect(said.slice(5)).toEqual(['b5', 'a6'])
})

test('does not let a busy container delay others', () => {
  const said: string[] = []
  const order = createInterleaver((entries) => said.push(...entries.map(({ text }) => text)))
  for (let tenth = 0; tenth < 31; tenth++) {
    order.hear([line(String(tenth), String(tenth).padStart(2, '0'))], '')
    vi.advanceTimersByTime(100)
  }
  expect(said.length).toBeGreaterThanOrEqual(30)
})
