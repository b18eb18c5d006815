import { expect, test } from 'vitest'
import { formatSeconds } from './seconds.ts'
import { formatAlternatives, formatCount, formatList, formatNames } from './format-list.ts'

test('lists names without a comma before the last', () => {
  expect(formatList(['api', 'db', 'web'])).toBe('api, db and web')
  expect(formatAlternatives(['api', 'db', 'web'])).toBe('api, db or web')
  expect(formatAlternatives([])).toBe('')
})

test('counts with the plural of the noun', () => {
  expect([0, 1, 1.5, 2].map((count) => formatCount(count, 'core'))).toEqual([
    '0 cores',
    '1 core',
    '1.5 cores',
    '2 cores',
  ])
})

test('names the first and counts the rest', () => {
  expect(formatNames(['a', 'b', 'c'], 2)).toBe('a, b and 1 more')
  expect(formatNames(['a', 'b', 'c'])).toBe('a, b and c')
})

test('formats seconds in the largest unit with a whole number', () => {
  expect([0, 1, 45, 60, 90, 3600, 5400, 86_400, 604_800].map(formatSeconds)).toEqual([
    '0 seconds',
    '1 second',
    '45 seconds',
    '1 minute',
    '90 seconds',
    '1 hour',
    '90 minutes',
    '1 day',
    '7 days',
  ])
})
