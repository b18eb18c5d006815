import { describe, expect, test } from 'vitest'
import { backoffAfter, decideOutcome, type SendAttempt } from './send-messages.ts'

const now = new Date('2026-03-29T02:30:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const well = { failures: 0, refusals: 0, failing_since: null, refused_since: null, next_try_at: null }
const message = { waiting_since: now }
const after = (
  channel: Parameters<typeof decideOutcome>[0],
  result: SendAttempt['result'],
  seconds?: number,
) =>
  decideOutcome(
    channel,
    message,
    { result, answer: 'Answered', ...(seconds !== undefined && { seconds }) },
    now,
  )

describe('the outcome of an attempt', () => {
  test('marks the channel healthy after a success', () => {
    const failing = { ...well, failures: 3, refusals: 2, failing_since: ago(1), refused_since: ago(1) }
    const changes = { ...well, reason: null, next_try_at: null, last_sent_at: now }
    expect(after(failing, 'sent')).toEqual({ status: 'sent', changes, paused: false })
  })

  test('counts failures of any kind from the first', () => {
    const { changes } = after(well, 'failed')
    expect(changes).toMatchObject({
      failures: 1,
      failing_since: now,
      refused_since: null,
      reason: 'Answered',
    })
    const since = { ...well, failures: 1, failing_since: ago(3) }
    expect(after(since, 'channel_refused').changes).toMatchObject({
      failing_since: ago(3),
      refused_since: now,
    })
    // A failure of another kind restarts the time since the first refusal.
    expect(after({ ...since, refused_since: ago(2) }, 'failed').changes.refused_since).toBeNull()
  })

  test.each([
    ['a word of the service', { ...well }, 'gone', true],
    ['one refusal', { ...well }, 'channel_refused', false],
    ['refusals for 14 minutes', { ...well, refused_since: ago(14) }, 'channel_refused', false],
    ['refusals for 15 minutes', { ...well, refused_since: ago(15) }, 'channel_refused', true],
    ['trouble for 23 hours, then a refusal', { ...well, failing_since: ago(1380) }, 'channel_refused', false],
    ['trouble for a day', { ...well, failing_since: ago(1440) }, 'failed', true],
    ['being left alone for 23 hours', { ...well, failing_since: ago(1380) }, 'rate_limited', false],
    ['being left alone for a day', { ...well, failing_since: ago(1440) }, 'rate_limited', true],
  ] as const)('whether %s pauses the channel', (_, channel, result, paused) => {
    const outcome = after(channel, result)
    expect(outcome.paused).toBe(paused)
    expect(outcome.status).toBe('waiting')
    expect(outcome.changes.paused_at ?? null).toEqual(paused ? now : null)
  })

  test('does not count the time in which Slipway was not running', () => {
    const interrupted = { ...well, failing_since: ago(1500), next_try_at: ago(1440) }
    const { paused, changes } = after(interrupted, 'failed')
    expect(paused).toBe(false)
    expect(changes.failing_since).toEqual(ago(60))
  })

  test('fails the message after a day, or on a permanent refusal', () => {
    const tried = { result: 'failed', answer: '' } as const
    const failing = { ...well, failing_since: ago(1440) }
    const statusOf = (minutes: number, result: 'failed' | 'rate_limited', channel = failing) =>
      decideOutcome(channel, { waiting_since: ago(minutes) }, { ...tried, result }, now).status
    expect(statusOf(1439, 'failed')).toBe('waiting')
    expect(statusOf(1440, 'failed')).toBe('failed')
    expect(statusOf(1440, 'rate_limited')).toBe('failed')
    // The message is old, but attempts have not lasted a day.
    expect(statusOf(1440, 'failed', { ...well, failing_since: ago(1439) })).toBe('waiting')
    const refused = { status: 'failed', changes: { ...well, refusals: 1 } }
    expect(after({ ...well, failures: 2 }, 'refused')).toMatchObject(refused)
  })

  test('pauses a channel that refuses message after message', () => {
    expect(after({ ...well, refusals: 1 }, 'refused')).toMatchObject({ status: 'failed', paused: false })
    const third = after({ ...well, refusals: 2 }, 'refused')
    expect(third).toMatchObject({ status: 'waiting', paused: false })
    expect(third.changes).toMatchObject({ refused_since: now, failing_since: now, reason: 'Answered' })
    const later = { ...well, refusals: 2, refused_since: ago(15) }
    expect(after(later, 'refused')).toMatchObject({ status: 'waiting', paused: true })
  })

  test('respects retry-after within limits', () => {
    // The reason is stored, although a rate limit does not count as a failure.
    const changes = { next_try_at: ago(-0.5), failures: 0, failing_since: now, reason: 'Answered' }
    expect(after(well, 'rate_limited', 30)).toMatchObject({ changes })
    expect(after(well, 'rate_limited', 0).changes.next_try_at).toEqual(ago(-1 / 60))
    expect(after(well, 'rate_limited', 1e9).changes.next_try_at).toEqual(ago(-60))
  })
})

test('grows the backoff up to 15 minutes, with up to half of it as jitter', () => {
  expect(backoffAfter(1, 1)).toBe(2)
  expect(backoffAfter(1, 0)).toBe(1)
  expect(backoffAfter(10_000, 1)).toBe(900_000)
  const all = Array.from({ length: 40 }, (_, nth) => backoffAfter(nth + 1, 1))
  expect(all).toEqual(all.toSorted((a, b) => a - b))
  // The backoff reaches its maximum within an hour, so a day still has room for many attempts.
  expect(all.filter((pause) => pause < 900_000).reduce((sum, pause) => sum + pause, 0)).toBeLessThan(
    3_600_000,
  )
})
