import { expect, test } from 'vitest'
import { planLabel, planNote } from './plan-label.ts'

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
  // Tomorrow at three in the morning.
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
