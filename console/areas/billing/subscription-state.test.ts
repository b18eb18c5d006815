import { expect, test } from 'vitest'
import { subscriptionState } from './subscription-state.ts'

const at = '2026-12-12T00:00:00.000Z'
const state = (given: object = {}) =>
  subscriptionState({
    stripe_status: 'active',
    status: 'active',
    grace_ends_at: null,
    cancel_at: null,
    ...given,
  })

test('labels the state of a subscription', () => {
  expect(state()).toEqual(['green', 'Active'])
  expect(state({ status: 'trialing' })).toEqual(['green', 'Trial'])
  expect(state({ cancel_at: at })).toEqual(['yellow', 'Canceled'])
  expect(state({ stripe_status: 'canceled', cancel_at: at })).toEqual(['neutral', 'Ended'])
})

test('shows an overdue payment before a cancellation, and as an error once access is lost', () => {
  expect(state({ grace_ends_at: at, cancel_at: at })).toEqual(['yellow', 'Payment due'])
  expect(state({ stripe_status: 'past_due', grace_ends_at: at })).toEqual(['red', 'Payment due'])
  expect(state({ stripe_status: 'unpaid' })).toEqual(['red', 'Payment due'])
})
