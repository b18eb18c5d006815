import { expect, test } from 'vitest'
import { isComposeFit } from './compose-version.ts'

test.each([
  ['2.20.0', true],
  ['2.26.1-4', true],
  ['3.0', true],
  ['2.19.1', false],
  ['1.29.2', false],
  ['dev', false],
  [null, false],
])('compose %s can be used: %s', (version, fit) => {
  expect(isComposeFit(version)).toBe(fit)
})
