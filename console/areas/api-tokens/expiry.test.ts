import { expect, test } from 'vitest'
import { formatDateInput, expiresAt } from './expiry.ts'

const now = new Date('2026-01-31T10:00:00Z')

test('counts days from now', () => {
  expect(expiresAt('30', '', now)).toBe('2026-03-02T10:00:00.000Z')
  expect(expiresAt('365', '', now)).toBe('2027-01-31T10:00:00.000Z')
})

test('never is no time at all', () => {
  expect(expiresAt('never', '', now)).toBeNull()
})

test('a date of its own counts to its end', () => {
  expect(expiresAt('custom', '2026-02-03', now)).toBe(new Date(2026, 1, 3, 23, 59, 59, 999).toISOString())
})

test('writes a day as a date field does', () => {
  expect(formatDateInput(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
})
