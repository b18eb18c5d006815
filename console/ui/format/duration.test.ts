import { expect, test } from 'vitest'
import { toDuration, toSeconds } from './duration.ts'

test('converts typed durations to seconds and back', () => {
  expect(toSeconds(0.5, 'minutes')).toBe(30)
  for (const seconds of [0, 60, 90, 7200, 86_400]) {
    const { amount, unit } = toDuration(seconds)
    expect(toSeconds(Number(amount), unit)).toBe(seconds)
  }
})
