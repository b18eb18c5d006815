import { expect, test } from 'vitest'
import { askAgainIn } from './plan-watch.ts'

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

test('a workspace is asked for again right after its trial, its plan or its days of grace are over', () => {
  expect(askAgainIn(trial(60_000), now)).toBe(61_000)
  expect(askAgainIn(paid({ cancel_at: after(90_000) }), now)).toBe(91_000)
  expect(askAgainIn(paid({ cancel_at: after(90_000), grace_ends_at: after(30_000) }), now)).toBe(31_000)
})

test('what lies far off is looked at every hour, which no timer of a browser is too short for', () => {
  expect(askAgainIn(trial(30 * 86_400_000), now)).toBe(3_600_000)
})

test('a server whose clock is behind is asked every ten seconds, and not for ever', () => {
  expect(askAgainIn(trial(-1000), now)).toBe(10_000)
  expect(askAgainIn(trial(-600_000), now)).toBe(false)
})

test('nothing is asked where nothing ends', () => {
  expect(askAgainIn(paid({}), now)).toBe(false)
  expect(askAgainIn({ ...trial(60_000), billing: false }, now)).toBe(false)
  expect(askAgainIn(null, now)).toBe(false)
})
