import { expect, test } from 'vitest'
import { axisSteps, formatDifference, formatInUnit } from './chart-units.ts'

test('formats values in their unit with about three digits', () => {
  const said = [
    [0, 'share', '0%'],
    [0.0341, 'share', '3.4%'],
    [0.0996, 'share', '10%'],
    [0.5, 'share', '50%'],
    [1, 'share', '100%'],
    [12.5, 'share', '1,250%'],
    [0, 'bytes', '0 B'],
    [1023, 'bytes', '1,023 B'],
    [1536, 'bytes', '1.5 KiB'],
    [1024 ** 3 - 1, 'bytes', '1 GiB'],
    [25_234_767_872, 'bytes', '23.5 GiB'],
    [270_553_174_016, 'bytes', '252 GiB'],
    [999, 'rate', '999 B/s'],
    [1_250_000, 'rate', '1.19 MiB/s'],
    [2 ** 70, 'rate', '1,048,576 PiB/s'],
    [1.794, 'number', '1.79'],
    [12.346, 'frequency', '12.3/s'],
    [0, 'milliseconds', '0 ms'],
    [4.56, 'milliseconds', '4.6 ms'],
    [87.4, 'milliseconds', '87 ms'],
    [1_234, 'milliseconds', '1.23 s'],
  ] as const
  for (const [value, unit, words] of said) expect(formatInUnit(value, unit)).toBe(words)
})

test('uses round axis steps in the unit', () => {
  expect(axisSteps('bytes')).toContain(2 * 1024 ** 3)
  expect(axisSteps('rate')).toContain(64 * 1024)
  expect(axisSteps('number')).toEqual(expect.arrayContaining([0.05, 1, 200]))
  expect(axisSteps('frequency')).toContain(50_000)
  expect(axisSteps('share')).toEqual(expect.arrayContaining([0.5, 1, 16]))
})

test('formats differences with a sign', () => {
  expect(formatDifference(120, 98, 'milliseconds')).toBe('+22 ms')
  expect(formatDifference(2 * 1024 ** 3, 5 * 1024 ** 3, 'bytes')).toBe('−3 GiB')
  expect(formatDifference(0.25, 0.2, 'share')).toBe('+5 pp')
  expect(formatDifference(3, 3, 'frequency')).toBe('±0')
  expect(formatDifference(null, 3, 'frequency')).toBe('–')
  expect(formatDifference(3, undefined, 'frequency')).toBe('–')
})
