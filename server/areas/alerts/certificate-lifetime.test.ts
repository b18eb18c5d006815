import { expect, test } from 'vitest'
import { isRenewalOverdue } from './certificate-lifetime.ts'

const day = 86_400_000
const rule = { comparison: 'below', threshold: 14 } as const
const lifetime = (days: number) => ({ valid_from: new Date(0), expires_at: new Date(days * day) })

test.each([
  [1, 0.7, false],
  [1, 0.74, false],
  [1, 0.76, true],
  [1, 2, true],
  [30, 22, false],
  [30, 23, true],
])('a certificate valid for %d days is overdue for renewal after %d: %s', (days, after, overdue) => {
  expect(isRenewalOverdue(rule, lifetime(days), after * day)).toBe(overdue)
})

test('a lower threshold still applies', () => {
  expect(isRenewalOverdue({ ...rule, threshold: 3 }, lifetime(30), 25 * day)).toBe(false)
  expect(isRenewalOverdue({ ...rule, threshold: 3 }, lifetime(30), 28 * day)).toBe(true)
})

test('leaves certificates with a usual or unknown lifetime to the threshold', () => {
  expect(isRenewalOverdue(rule, lifetime(90), 80 * day)).toBeUndefined()
  expect(isRenewalOverdue(rule, { ...lifetime(1), valid_from: null }, 0)).toBeUndefined()
  expect(isRenewalOverdue({ comparison: 'above', threshold: 14 }, lifetime(1), 0)).toBeUndefined()
})
