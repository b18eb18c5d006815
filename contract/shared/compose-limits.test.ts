import { expect, test } from 'vitest'
import { canComposeBuild, isComposeSupported } from './compose-limits.ts'

test.each([
  ['2.20.0', true],
  ['2.26.1-4', true],
  ['3.0', true],
  ['2.19.1', false],
  ['1.29.2', false],
  ['dev', false],
  [null, false],
])('reports whether compose %s is supported: %s', (version, fit) => {
  expect(isComposeSupported(version)).toBe(fit)
})

test.each([
  ['2.26.1', null, true],
  ['2.40.1', '0.13.1', true],
  ['2.40.2', '0.17.0', true],
  ['5.0.1', '0.31.1', true],
  ['2.40.2', null, false],
  ['2.41.0', '0.16.9', false],
  ['5.0.0', '0.13.1+ds1', false],
])('reports whether compose %s with buildx %s builds images: %s', (compose, buildx, fit) => {
  expect(canComposeBuild(compose, buildx)).toBe(fit)
})
