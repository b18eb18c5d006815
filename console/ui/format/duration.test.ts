import { expect, it, test } from 'vitest'
import { formatElapsed, toDuration, toSeconds } from './duration.ts'

test('converts typed durations to seconds and back', () => {
  expect(toSeconds(0.5, 'minutes')).toBe(30)
  for (const seconds of [0, 60, 90, 7200, 86_400]) {
    const { amount, unit } = toDuration(seconds)
    expect(toSeconds(Number(amount), unit)).toBe(seconds)
  }
})

it.each([
  [0, '0.0 s'],
  [0.42, '0.4 s'],
  [9.94, '9.9 s'],
  [9.96, '10 s'],
  [59.4, '59 s'],
  [60, '1 min'],
  [125, '2 min 5 s'],
  [3_599, '59 min 59 s'],
  [3_720, '1 h 2 min'],
  [7_200, '2 h'],
  [-1, '0.0 s'],
])('formats %d seconds as %s', (seconds, words) => {
  expect(formatElapsed(new Date(0).toISOString(), new Date(seconds * 1000).toISOString())).toBe(words)
})
