import { expect, test } from 'vitest'
import { wasLockedAtCreation } from './is-locked.ts'

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
