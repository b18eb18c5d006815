import { expect, test } from 'vitest'
import {
  currencyWarnings,
  formatInterval,
  formatPlanLimits,
  formatPlanPrice,
  isMoreExpensive,
  isPaymentOverdue,
  planLimitWarnings,
  subscriptionState,
} from './plan-labels.ts'

const price = (amount: number | null, interval: 'month' | 'year' | 'week' = 'month', count = 1) => ({
  amount,
  currency: 'eur',
  interval,
  interval_count: count,
})

test('formats a price with its interval', () => {
  expect(formatPlanPrice(price(2900))).toBe('€29.00 a month')
  expect(formatPlanPrice(price(29_000, 'year'))).toBe('€290.00 a year')
  expect(formatInterval(price(2900, 'month', 3))).toBe('every 3 months')
  expect(formatPlanPrice(price(null))).toBeUndefined()
})

test('compares prices per month, and only in the same currency', () => {
  expect(isMoreExpensive(price(9900), price(2900))).toBe(true)
  expect(isMoreExpensive(price(29_000, 'year'), price(2900))).toBe(false)
  expect(isMoreExpensive(price(1000, 'week'), price(2900))).toBe(true)
  expect(isMoreExpensive(price(6000, 'month', 3), price(2900))).toBe(false)
  expect(isMoreExpensive({ ...price(9900), currency: 'usd' }, price(2900))).toBe(false)
  expect(isMoreExpensive(price(null), price(2900))).toBe(false)
})

test('explains a plan in another currency', () => {
  expect(currencyWarnings({ ...price(9900), currency: 'usd' }, price(2900))).toEqual([
    'This plan is priced in USD, but you pay in EUR. To switch, cancel your current plan and choose this one after it ends.',
  ])
  expect(currencyWarnings(price(9900), price(2900))).toEqual([])
  expect(currencyWarnings({ ...price(null), currency: null }, price(2900))).toEqual([])
})

test('lists limits one per line', () => {
  expect(formatPlanLimits({ servers: 1, members: 5, retention_days: 7 })).toEqual([
    '1 server',
    '5 members',
    'Metrics kept for 7 days',
  ])
  expect(formatPlanLimits({ servers: null, members: null, retention_days: null })).toEqual([
    'Unlimited servers',
    'Unlimited members',
    'Metrics kept for 30 days',
  ])
})

test('lists each limit that the current usage exceeds', () => {
  const limits = { servers: 1, members: 2, retention_days: 7 }
  expect(planLimitWarnings(limits, { servers: 3, members: 2 })).toEqual([
    'You have 3 servers. This plan allows 1. Nothing is deleted, but you cannot add more.',
  ])
  expect(planLimitWarnings(limits, { servers: 1, members: 4 })).toEqual([
    'You have 4 members, including invites. This plan allows 2. Nothing is deleted, but you cannot add more.',
  ])
  expect(planLimitWarnings({ ...limits, servers: null, members: null }, { servers: 9, members: 9 })).toEqual(
    [],
  )
})

test('reports a payment as due during and after the grace period, but not for an ended plan', () => {
  expect(isPaymentOverdue({ stripe_status: 'active', grace_ends_at: '2026-11-20T00:00:00.000Z' })).toBe(true)
  expect(isPaymentOverdue({ stripe_status: 'past_due', grace_ends_at: null })).toBe(true)
  expect(isPaymentOverdue({ stripe_status: 'active', grace_ends_at: null })).toBe(false)
  expect(isPaymentOverdue({ stripe_status: 'canceled', grace_ends_at: null })).toBe(false)
})

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
