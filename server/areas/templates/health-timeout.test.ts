import { expect, test } from 'vitest'
import { healthTimeoutFor } from './health-timeout.ts'

const file = (...checks: string[]) =>
  `services:\n${checks.map((check, at) => `  s${at}: { image: a, healthcheck: ${check} }\n`).join('')}`

test('waits as long as the slowest service requires', () => {
  expect(healthTimeoutFor(file('{ start_period: 30s }'))).toBe(600)
  const slow = '{ start_period: 15m, interval: 30s, timeout: 15s, retries: 6 }'
  expect(healthTimeoutFor(file('{ start_period: 1m }', slow))).toBe(1_170)
  expect(healthTimeoutFor(file('{ start_period: 9h }'))).toBe(3_600)
  expect(healthTimeoutFor(file('{ start_period: "${LATER}", retries: many }'))).toBe(600)
  expect(healthTimeoutFor('no file')).toBe(600)
})
