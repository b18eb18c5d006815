import { expect, test } from 'vitest'
import { planRefetchDelay } from './plan-refetch-delay.ts'

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
  expect(planRefetchDelay(paid({ cancel_at: after(90_000), grace_ends_at: after(30_000) }), now)).toBe(31_000)
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
