import { describe, expect, test } from 'vitest'
import { isTimezone, type MuteSettings, quietUntil } from './maintenance-windows.ts'

const until = (hushed: Partial<MuteSettings>, now: string) =>
  quietUntil({ muted_until: null, windows: [], ...hushed }, new Date(now))?.toISOString() ?? null

const weekly = (days: number[], from: string, to: string, timezone = 'UTC') =>
  ({ kind: 'weekly', days, from, to, timezone }) as const
const everyDay = [0, 1, 2, 3, 4, 5, 6]
const inBerlin = (from: string, to: string) => ({
  windows: [weekly(everyDay, from, to, 'Europe/Berlin')],
})

describe('an alert is muted', () => {
  test('never by default', () => {
    expect(until({}, '2026-03-04T12:00:00Z')).toBeNull()
  })

  test('until the mute ends', () => {
    const muted_until = new Date('2026-03-04T13:00:00Z')
    expect(until({ muted_until }, '2026-03-04T12:59:59.999Z')).toBe('2026-03-04T13:00:00.000Z')
    expect(until({ muted_until }, '2026-03-04T13:00:00Z')).toBeNull()
  })

  test('during a one-time window in any offset', () => {
    const windows = [
      { kind: 'once', from: '2026-03-04T14:00:00+02:00', to: '2026-03-04T15:00:00+02:00' } as const,
    ]
    expect(until({ windows }, '2026-03-04T11:59:59Z')).toBeNull()
    expect(until({ windows }, '2026-03-04T12:00:00Z')).toBe('2026-03-04T13:00:00.000Z')
    expect(until({ windows }, '2026-03-04T13:00:00Z')).toBeNull()
  })

  test('until the last of consecutive windows ends', () => {
    const windows = [
      weekly([3], '13:00', '14:00'),
      weekly([3], '14:00', '15:00'),
      weekly([3], '15:01', '16:00'),
    ]
    const muted_until = new Date('2026-03-04T13:30:00Z')
    expect(until({ muted_until, windows }, '2026-03-04T12:00:00Z')).toBe('2026-03-04T15:00:00.000Z')
  })

  test('for days, with an end even for endless consecutive windows', () => {
    const windows = [weekly(everyDay, '00:00', '12:00'), weekly(everyDay, '12:00', '00:00')]
    expect(Date.parse(until({ windows }, '2026-03-04T12:00:00Z') ?? '')).toBeGreaterThan(
      Date.parse('2026-03-08T12:00:00Z'),
    )
  })
})

describe('a weekly window', () => {
  // March 4, 2026 is a Wednesday.
  test('applies on its weekdays only', () => {
    const windows = [weekly([3], '10:00', '11:00')]
    expect(until({ windows }, '2026-03-04T10:30:00Z')).toBe('2026-03-04T11:00:00.000Z')
    expect(until({ windows }, '2026-03-05T10:30:00Z')).toBeNull()
  })

  test('extends past midnight and belongs to the day of its start', () => {
    const windows = [weekly([3], '22:00', '02:00')]
    expect(until({ windows }, '2026-03-04T01:00:00Z')).toBeNull()
    expect(until({ windows }, '2026-03-04T23:00:00Z')).toBe('2026-03-05T02:00:00.000Z')
    expect(until({ windows }, '2026-03-05T01:59:59Z')).toBe('2026-03-05T02:00:00.000Z')
    expect(until({ windows }, '2026-03-05T02:00:00Z')).toBeNull()
    expect(until({ windows }, '2026-03-05T23:00:00Z')).toBeNull()
  })

  test('uses the weekday and time of its time zone', () => {
    const windows = [weekly([3], '08:00', '09:00', 'Asia/Tokyo')]
    expect(until({ windows }, '2026-03-03T23:30:00Z')).toBe('2026-03-04T00:00:00.000Z')
    expect(until({ windows }, '2026-03-04T23:30:00Z')).toBeNull()
  })

  test('is an hour shorter or longer when clocks change', () => {
    const night = inBerlin('22:00', '06:00')
    expect(until(night, '2026-03-28T21:30:00Z')).toBe('2026-03-29T04:00:00.000Z')
    expect(until(night, '2026-10-24T20:30:00Z')).toBe('2026-10-25T05:00:00.000Z')
  })

  test('starts or ends at the clock change when its time is skipped', () => {
    // 01:59 in Berlin is followed by 03:00, at 01:00 UTC.
    const into = inBerlin('01:30', '02:30')
    expect(until(into, '2026-03-29T00:30:00Z')).toBe('2026-03-29T01:00:00.000Z')
    const outOf = inBerlin('02:30', '03:30')
    expect(until(outOf, '2026-03-29T00:59:59Z')).toBeNull()
    expect(until(outOf, '2026-03-29T01:00:00Z')).toBe('2026-03-29T01:30:00.000Z')
  })

  test('starts right after the clock change when all of it is skipped', () => {
    const left = inBerlin('02:00', '03:00')
    expect(until(left, '2026-03-29T00:59:59Z')).toBeNull()
    expect(until(left, '2026-03-29T01:30:00Z')).toBe('2026-03-29T02:00:00.000Z')
  })

  test('lasts from the first to the last occurrence of a repeated time', () => {
    const twice = inBerlin('02:00', '02:30')
    expect(until(twice, '2026-10-25T00:00:00Z')).toBe('2026-10-25T01:30:00.000Z')
    expect(until(twice, '2026-10-25T00:45:00Z')).toBe('2026-10-25T01:30:00.000Z')
    expect(until(twice, '2026-10-25T01:30:00Z')).toBeNull()
  })
})

test('refuses unknown time zones', () => {
  expect(['Europe/Berlin', 'UTC', 'Asia/Kolkata'].every(isTimezone)).toBe(true)
  expect(['Europe/Atlantis', '', 'local', '../etc'].some(isTimezone)).toBe(false)
})
