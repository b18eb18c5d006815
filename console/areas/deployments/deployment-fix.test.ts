import { expect, test } from 'vitest'
import { createFailureTest, findFix } from './deployment-fix.ts'

test('finds what repairs a failed deployment', () => {
  const fixes = [
    [
      'Health check failed: refused the connection on port 8080. The application listens on port 3000, not on 8080.',
      { kind: 'port', port: 3000 },
    ],
    ['ghcr.io requires credentials for acme/shop, and the workspace has none.', { kind: 'registry' }],
    ['ghcr.io has no image acme/shop, or the image is private. Check the name.', { kind: 'registry' }],
    ['Docker error: write /var/lib/docker/tmp: no space left on device', { kind: 'disk' }],
    ['Not enough disk space on web-1: 1 GiB free, a build needs 4 GiB.', { kind: 'disk' }],
    ['The application listens on ports 3000, 9090, not on 8080.', undefined],
    ['The container shop-5-1 exited with code 1.', undefined],
  ] as const
  for (const [error, fix] of fixes) expect(findFix([error])).toEqual(fix)
})

test('recognizes the lines of the log that failed', () => {
  const isFailure = createFailureTest([
    'The container exited with code 1.',
    ' Error: no such host\n\n at db.js:3',
  ])
  expect(isFailure('Error: no such host ')).toBe(true)
  expect(isFailure('at db.js:3')).toBe(true)
  expect(isFailure('')).toBe(false)
  expect(isFailure('Error: no such')).toBe(false)
})
