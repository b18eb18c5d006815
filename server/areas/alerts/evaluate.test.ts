import { describe, expect, test } from 'vitest'
import { type StateChange, evaluateReading, type Rule, type AlertState, dueNotification } from './evaluate.ts'

const rule = (given: Partial<Rule> = {}): Rule => ({
  comparison: 'above',
  threshold: 90,
  clear_threshold: null,
  for_seconds: 0,
  clear_seconds: 0,
  ...given,
})

/** Returns the change after each reading, at the given interval. */
function changesOf(
  of: Rule,
  readings: readonly (number | boolean)[],
  everySeconds = 10,
  longestGap?: number,
) {
  let standing: AlertState | undefined
  return readings.map((reading, place): StateChange | '-' => {
    const judged = evaluateReading(of, standing, reading, place * everySeconds * 1_000, longestGap)
    standing = judged.standing
    return judged.change ?? '-'
  })
}

describe('the threshold', () => {
  test.each([
    ['above', 90, 90, false],
    ['above', 90, 90.1, true],
    ['above', 0, 0, false],
    ['below', 14, 14, false],
    ['below', 14, 13.9, true],
    ['below', 14, -3, true],
  ] as const)('%s %d, a reading of %d: %s', (comparison, threshold, reading, bad) => {
    expect(changesOf(rule({ comparison, threshold }), [reading])).toEqual([bad ? 'firing' : '-'])
  })

  test('does not apply to boolean conditions', () => {
    const state = rule({ comparison: null, threshold: null })
    expect(changesOf(state, [false, true, true, false])).toEqual(['-', 'firing', '-', 'resolved'])
  })

  test('is never crossed when not set', () => {
    expect(changesOf(rule({ threshold: null }), [1e9])).toEqual(['-'])
  })
})

describe('hysteresis', () => {
  test('resolves only beyond the clear threshold', () => {
    const of = rule({ clear_threshold: 80 })
    expect(changesOf(of, [91, 85, 89, 91, 81, 80])).toEqual(['firing', '-', '-', '-', '-', 'resolved'])
  })

  test('works for `below` as well', () => {
    const of = rule({ comparison: 'below', threshold: 14, clear_threshold: 20 })
    expect(changesOf(of, [13, 15, 19, 20])).toEqual(['firing', '-', '-', 'resolved'])
  })

  test('ignores a clear threshold on the wrong side', () => {
    expect(changesOf(rule({ clear_threshold: 95 }), [91, 91, 94, 90])).toEqual([
      'firing',
      '-',
      '-',
      'resolved',
    ])
  })

  test('does not fire between the two thresholds', () => {
    expect(changesOf(rule({ clear_threshold: 80 }), [85, 89])).toEqual(['-', '-'])
    const waiting = rule({ clear_threshold: 80, for_seconds: 20 })
    expect(changesOf(waiting, [91, 85, 91, 91, 91])).toEqual(['pending', 'dropped', 'pending', '-', 'firing'])
  })
})

describe('the duration', () => {
  test('fires exactly when it has passed', () => {
    expect(changesOf(rule({ for_seconds: 30 }), [91, 92, 93, 94])).toEqual(['pending', '-', '-', 'firing'])
    expect(changesOf(rule({ for_seconds: 31 }), [91, 92, 93, 94])).toEqual(['pending', '-', '-', '-'])
  })

  test('restarts after one good reading', () => {
    const of = rule({ for_seconds: 20 })
    expect(changesOf(of, [91, 91, 50, 91, 91, 91])).toEqual([
      'pending',
      '-',
      'dropped',
      'pending',
      '-',
      'firing',
    ])
  })

  test('resolves after the clear duration, counted from the first good reading', () => {
    const of = rule({ clear_seconds: 20 })
    expect(changesOf(of, [91, 50, 50, 50])).toEqual(['firing', '-', '-', 'resolved'])
    expect(changesOf(of, [91, 50, 50, 91, 50, 50, 50])).toEqual([
      'firing',
      '-',
      '-',
      '-',
      '-',
      '-',
      'resolved',
    ])
  })

  test('does not count readings between the thresholds as clear', () => {
    const of = rule({ clear_threshold: 80, clear_seconds: 10 })
    expect(changesOf(of, [91, 70, 85, 70, 70])).toEqual(['firing', '-', '-', '-', 'resolved'])
  })

  test('counts at most a minute of a gap between readings', () => {
    const of = rule({ for_seconds: 120 })
    expect(changesOf(of, [91, 91, 91], 3_600)).toEqual(['pending', '-', 'firing'])
    expect(changesOf(of, [91, 91], 3_600, 7_200_000)).toEqual(['pending', 'firing'])
    const slow = rule({ clear_seconds: 120 })
    expect(changesOf(slow, [91, 50, 50, 50], 3_600)).toEqual(['firing', '-', '-', 'resolved'])
  })

  test('counts nothing when time goes back', () => {
    const of = rule({ for_seconds: 5 })
    const { standing } = evaluateReading(of, undefined, 91, 1_000_000)
    const back = evaluateReading(of, standing, 91, 1_000_000 - 3_600_000)
    expect(back).toMatchObject({ standing: { state: 'pending', lasted: 0 } })
    expect(evaluateReading(of, back.standing, 91, 1_000_000 - 3_600_000 + 5_000).change).toBe('firing')
  })

  test('uses a shortened duration with the next reading', () => {
    const { standing } = evaluateReading(rule({ for_seconds: 600 }), undefined, 91, 0)
    const { standing: later } = evaluateReading(rule({ for_seconds: 600 }), standing, 91, 30_000)
    expect(evaluateReading(rule({ for_seconds: 20 }), later, 91, 40_000).change).toBe('firing')
  })
})

describe('notifications', () => {
  const alert = { cooldown_seconds: 600, repeat_seconds: 3_600 }

  test.each([
    [{ notificationCount: 0, since: undefined }, false, 'started'],
    [{ notificationCount: 0, since: undefined }, true, undefined],
    [{ notificationCount: 0, since: 599_999 }, false, undefined],
    [{ notificationCount: 0, since: 600_000 }, false, 'started'],
    [{ notificationCount: 0, since: 600_000 }, true, undefined],
    [{ notificationCount: 1, since: 3_599_999 }, false, undefined],
    [{ notificationCount: 1, since: 3_600_000 }, false, 'reminded'],
    [{ notificationCount: 1, since: 3_600_000 }, true, undefined],
    [{ notificationCount: 7, since: 3_600_000 }, false, 'reminded'],
  ] as const)('%o, quiet: %s', (of, quiet, what) => {
    expect(dueNotification(alert, of, quiet)).toBe(what)
  })

  test('are not repeated or delayed unless configured', () => {
    expect(
      dueNotification({ ...alert, repeat_seconds: null }, { notificationCount: 1, since: 1e12 }, false),
    ).toBeUndefined()
    expect(
      dueNotification({ ...alert, cooldown_seconds: 0 }, { notificationCount: 0, since: 0 }, false),
    ).toBe('started')
  })

  /** Returns all notifications of a flapping subject with their times. */
  function tellAll(
    of: Rule,
    { every, minutes, cooldown }: { every: number; minutes: number; cooldown: number },
  ) {
    const all: string[] = []
    let standing: AlertState | undefined
    let notificationCount = 0
    let notifiedAt: number | undefined
    for (let second = 0; second < minutes * 60; second++) {
      const at = second * 1_000
      const { standing: next, change } = evaluateReading(
        of,
        standing,
        Math.floor(second / every) % 2 === 0,
        at,
      )
      standing = next
      if (change === 'firing') notificationCount = 0
      if (change === 'resolved' && notificationCount > 0) all.push('over')
      const since = notifiedAt === undefined ? undefined : at - notifiedAt
      const what =
        standing?.state === 'firing' &&
        dueNotification(
          { cooldown_seconds: cooldown, repeat_seconds: null },
          { notificationCount, since },
          false,
        )
      if (!what) continue
      all.push(what)
      notificationCount++
      notifiedAt = at
    }
    return all
  }

  const state = rule({ comparison: null, threshold: null })

  test('are sent once for start and resolution per cooldown when flapping every five seconds for ten minutes', () => {
    const flapping = { every: 5, minutes: 10 }
    expect(tellAll(state, { ...flapping, cooldown: 900 })).toEqual(['started', 'over'])
    expect(tellAll(state, { ...flapping, cooldown: 300 })).toEqual(['started', 'over', 'started', 'over'])
    const often = tellAll(state, { ...flapping, cooldown: 60 })
    expect(often.length).toBeLessThanOrEqual(20)
  })

  test('are sent for one incident with a clear duration, and none with a duration', () => {
    const flapping = { every: 5, minutes: 10, cooldown: 0 }
    expect(tellAll({ ...state, clear_seconds: 30 }, flapping)).toEqual(['started'])
    expect(tellAll({ ...state, for_seconds: 30 }, flapping)).toEqual([])
  })

  test('are sent at the end of the cooldown when the incident still fires', () => {
    const lasting = { every: 120, minutes: 4, cooldown: 60 }
    expect(tellAll(state, lasting)).toEqual(['started', 'over'])
    expect(tellAll(state, { ...lasting, minutes: 6, cooldown: 300 })).toEqual(['started', 'over', 'started'])
  })
})
