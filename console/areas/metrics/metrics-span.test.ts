import { expect, test } from 'vitest'
import {
  dayBefore,
  nextSpan,
  parsePastSpan,
  previousSpan,
  ranges,
  toMetricsSpan,
  toZoom,
} from './metrics-span.ts'

const now = Date.parse('2026-03-31T12:00:00Z') / 1000
const hour = 3_600
const day = 24 * hour

test('reads a span from the URL, unless it has no length', () => {
  const from = '2026-03-31T10:00:00Z'
  expect(parsePastSpan(from, '2026-03-31T11:00:00Z')).toEqual({ from: now - 2 * hour, until: now - hour })
  for (const until of [null, '', 'soon', from, '2026-03-31T09:00:00Z'])
    expect(parsePastSpan(from, until)).toBeUndefined()
})

test('widens a selection that is too short for a chart', () => {
  expect(toZoom({ from: now - 100, until: now - 90 }, now)).toEqual({ from: now - 125, until: now - 65 })
  expect(toZoom({ from: now - 10, until: now }, now)).toEqual({ from: now - 60, until: now })
  const old = now - 2 * day
  expect(toZoom({ from: old, until: old + 200 }, now)).toEqual({ from: old - 500, until: old + 700 })
})

test('keeps a selection within the stored time', () => {
  const selected = { from: now - 40 * day, until: now + day }
  expect(toZoom(selected, now)).toEqual({ from: now - 30 * day, until: now })
})

test('moves by the length of the span until now and within the stored time', () => {
  const span = { from: now - 3 * hour, until: now - hour }
  expect(previousSpan(span, now)).toEqual({ from: now - 5 * hour, until: now - 3 * hour })
  expect(nextSpan(span, now)).toBeUndefined()
  expect(nextSpan({ from: now - 2 * hour, until: now - hour }, now + 60)).toBeUndefined()
  expect(nextSpan({ from: now - 3 * hour, until: now - 2 * hour }, now)).toEqual({
    from: now - 2 * hour,
    until: now - hour,
  })
  expect(previousSpan({ from: now - 30 * day, until: now }, now)).toBeUndefined()
})

test('does not refresh a span in the past', () => {
  const past = toMetricsSpan({ from: now - 2 * hour, until: now - hour })
  expect(past).toMatchObject({ seconds: hour, until: now - hour, refresh: false })
  expect(dayBefore(past)).toMatchObject({ until: now - hour, refresh: false })
  expect(dayBefore(ranges[0]).refresh).toBe(300)
})
