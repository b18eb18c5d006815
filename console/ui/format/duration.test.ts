import { expect, test } from 'vitest'
import { durationWords, inSeconds, toDuration } from './duration.ts'

test('a time is said in the largest unit that it is a whole number of', () => {
  expect([0, 1, 45, 60, 90, 3600, 5400, 86_400, 604_800].map(durationWords)).toEqual([
    '0 minutes',
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

test('what is typed is as many seconds again', () => {
  expect(inSeconds(0.5, 'minutes')).toBe(30)
  for (const seconds of [0, 60, 90, 7200, 86_400]) {
    const { amount, unit } = toDuration(seconds)
    expect(inSeconds(Number(amount), unit)).toBe(seconds)
  }
})
