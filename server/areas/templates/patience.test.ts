import { expect, test } from 'vitest'
import { patienceFor } from './patience.ts'

const file = (...checks: string[]) =>
  `services:\n${checks.map((check, at) => `  s${at}: { image: a, healthcheck: ${check} }\n`).join('')}`

test('an application is waited for as long as its slowest service asks for', () => {
  expect(patienceFor(file('{ start_period: 30s }'))).toBe(600)
  const slow = '{ start_period: 15m, interval: 30s, timeout: 15s, retries: 6 }'
  expect(patienceFor(file('{ start_period: 1m }', slow))).toBe(1_170)
  expect(patienceFor(file('{ start_period: 9h }'))).toBe(3_600)
  expect(patienceFor(file('{ start_period: "${LATER}", retries: many }'))).toBe(600)
  expect(patienceFor('no file')).toBe(600)
})
