import { expect, test } from 'vitest'
import { isOlder, newestApiVersion, readEngine } from './api-version.ts'

test.each([
  ['Docker 20.10', { ApiVersion: '1.41', MinAPIVersion: '1.12' }, '1.41'],
  ['Docker 26.1', { ApiVersion: '1.45', MinAPIVersion: '1.24' }, '1.45'],
  ['Docker 29, whose minimum is newer', { ApiVersion: '1.52', MinAPIVersion: '1.44' }, newestApiVersion],
  ['an engine that states no minimum', { ApiVersion: '1.43' }, '1.43'],
  ['a version with a larger major number', { ApiVersion: '2.3', MinAPIVersion: '1.50' }, newestApiVersion],
  [
    'a minimum raised to the newest',
    { ApiVersion: '1.99', MinAPIVersion: newestApiVersion },
    newestApiVersion,
  ],
])('speaks the newest version in common with %s', (_, engine, version) => {
  expect(readEngine(engine).apiVersion).toBe(version)
})

test.each([
  [
    { Version: '19.03.15', ApiVersion: '1.40', MinAPIVersion: '1.12' },
    'Docker 19.03.15 on this server is too old. Slipway needs Docker 20.10 or newer. Upgrade Docker.',
  ],
  [
    { Version: '40.0.1', ApiVersion: '1.90', MinAPIVersion: '1.80' },
    `Docker 40.0.1 on this server accepts API version 1.80 and newer, but Slipway supports up to ${newestApiVersion}. Update Slipway, or set DOCKER_MIN_API_VERSION=${newestApiVersion} in the environment of dockerd and restart it.`,
  ],
  [{ ApiVersion: '1.51; rm -rf' }, 'Docker on this server reports no API version.'],
  [{ ApiVersion: 1.45 }, 'Docker on this server reports no API version.'],
  [{}, 'Docker on this server reports no API version.'],
  [undefined, 'Docker on this server reports no API version.'],
])('refuses %j with a reason', (engine, reason) => {
  expect(() => readEngine(engine)).toThrow(reason)
})

test('compares versions as numbers', () => {
  expect(isOlder('1.9', '1.41')).toBe(true)
  expect(isOlder('1.41', '1.41')).toBe(false)
  expect(isOlder('2.0', '1.51')).toBe(false)
})

test('keeps only printable characters of the engine version', () => {
  const engine = { Version: '26.1.5+dfsg1\n<b>', ApiVersion: '1.45' }
  expect(readEngine(engine)).toEqual({ version: '26.1.5+dfsg1b', apiVersion: '1.45' })
})
