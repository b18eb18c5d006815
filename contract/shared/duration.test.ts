import { expect, it } from 'vitest'
import { formatElapsed, formatMilliseconds } from './duration.ts'

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

it.each([
  [250, '250 ms'],
  [1_000, '1 s'],
  [1_460, '1.5 s'],
])('formats a response time of %d ms as %s', (milliseconds, text) => {
  expect(formatMilliseconds(milliseconds)).toBe(text)
})
