import { describe, expect, test } from 'vitest'
import { planLabel, planNote, planRefetchDelay, wasLockedAtCreation } from './workspace-plan.ts'

const now = new Date(2026, 10, 16, 10, 0).getTime()
const after = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
const trial = (hours: number) => ({ on_trial: true, trial_ends_at: after(hours), subscription: null })
const paid = (given: object = {}) => ({
  on_trial: false,
  trial_ends_at: null,
  subscription: {
    stripe_status: 'active',
    status: 'active',
    plan_name: 'Team',
    cancel_at: null,
    grace_ends_at: null,
    ...given,
  },
})

test('shows the calendar days left of a trial', () => {
  expect(planLabel(trial(300))).toBe('Trial Plan')
  const textAfter = (hours: number) => planNote(trial(hours), now)?.text
  expect(textAfter(14 * 24)).toBe('14 days left')
  expect(textAfter(24)).toBe('1 day left')
  // 17 hours from now is tomorrow at three in the morning.
  expect(textAfter(17)).toBe('1 day left')
  expect(textAfter(5)).toBe('ends today')
  expect(textAfter(-1)).toBe('ends today')
})

test('highlights a trial only in its last days', () => {
  expect(planNote(trial(4 * 24), now)?.urgent).toBe(false)
  expect(planNote(trial(3 * 24), now)?.urgent).toBe(true)
})

test('shows the name of a plan, and marks an unknown one as custom', () => {
  expect(planLabel(paid())).toBe('Team Plan')
  expect(planLabel(paid({ status: 'trialing' }))).toBe('Team Plan')
  expect(planLabel(paid({ plan_name: null }))).toBe('Custom Plan')
  expect(planNote(paid(), now)).toBeUndefined()
})

test('shows when a canceled plan ends, and an overdue payment first', () => {
  const cancel_at = new Date(2026, 11, 12, 9).toISOString()
  expect(planNote(paid({ cancel_at }), now)).toEqual({ text: 'ends 12 Dec', urgent: false })
  expect(planNote(paid({ cancel_at, grace_ends_at: after(24) }), now)).toEqual({
    text: 'payment due',
    urgent: true,
  })
})

test.each(['canceled', 'past_due', 'unpaid', 'incomplete'])(
  'shows no plan for a subscription that is %s',
  (word) => {
    const workspace = paid({ stripe_status: word, status: word })
    expect(planLabel(workspace)).toBe('No plan')
    expect(planNote(workspace, now)).toBeUndefined()
  },
)

describe('a workspace created after the trial', () => {
  const end = '2026-11-16T10:00:00.000Z'
  const made = (created_at: string) => ({ created_at, trial_ends_at: end, subscription: null })

  test('detects a workspace created after the trial of its founder ended', () => {
    expect(wasLockedAtCreation(made('2026-11-16T10:00:00.000Z'))).toBe(true)
    expect(wasLockedAtCreation(made('2026-12-01T10:00:00.000Z'))).toBe(true)
    expect(wasLockedAtCreation(made('2026-11-02T10:00:00.000Z'))).toBe(false)
    expect(wasLockedAtCreation({ ...made(end), trial_ends_at: null })).toBe(false)
    const ended = { stripe_status: 'canceled', status: 'canceled', plan_name: 'Pro' }
    const subscription = { ...ended, cancel_at: end, grace_ends_at: null }
    expect(wasLockedAtCreation({ ...made('2026-12-01T10:00:00.000Z'), subscription })).toBe(false)
  })
})

describe('the refresh of the workspace', () => {
  const now = Date.parse('2026-11-16T10:00:00Z')
  const after = (ms: number) => new Date(now + ms).toISOString()
  const trial = (ms: number) => ({
    billing: true,
    on_trial: true,
    trial_ends_at: after(ms),
    subscription: null,
  })
  const paid = (given: object) => ({
    billing: true,
    on_trial: false,
    trial_ends_at: after(-86_400_000),
    subscription: {
      stripe_status: 'active',
      status: 'active',
      plan_name: 'Pro',
      cancel_at: null,
      grace_ends_at: null,
      ...given,
    },
  })

  test('refreshes the workspace right after its trial, plan or grace period ends', () => {
    expect(planRefetchDelay(trial(60_000), now)).toBe(61_000)
    expect(planRefetchDelay(paid({ cancel_at: after(90_000) }), now)).toBe(91_000)
    expect(planRefetchDelay(paid({ cancel_at: after(90_000), grace_ends_at: after(30_000) }), now)).toBe(
      31_000,
    )
  })

  test('refreshes every hour for a distant end, within the range of browser timers', () => {
    expect(planRefetchDelay(trial(30 * 86_400_000), now)).toBe(3_600_000)
  })

  test('refreshes every ten seconds for a limited time when the server clock is behind', () => {
    expect(planRefetchDelay(trial(-1000), now)).toBe(10_000)
    expect(planRefetchDelay(trial(-600_000), now)).toBe(false)
  })

  test('does not refresh when nothing ends', () => {
    expect(planRefetchDelay(paid({}), now)).toBe(false)
    expect(planRefetchDelay({ ...trial(60_000), billing: false }, now)).toBe(false)
    expect(planRefetchDelay(null, now)).toBe(false)
  })
})
