import { expect, test } from 'vitest'
import { dropIdempotencyKey, isAnswer, onceKey } from './idempotency-key.ts'

test('reuses the key of a request until it gets a response', () => {
  const first = onceKey('POST /v1/applications {"name":"shop"}')
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(onceKey('POST /v1/applications {"name":"shop"}')).toBe(first)
  expect(onceKey('POST /v1/applications {"name":"blog"}')).not.toBe(first)
  dropIdempotencyKey('POST /v1/applications {"name":"shop"}')
  expect(onceKey('POST /v1/applications {"name":"shop"}')).not.toBe(first)
})

test('does not count a proxy error as a response', () => {
  expect([201, 409, 422, 500].every(isAnswer)).toBe(true)
  expect([502, 503, 504].some(isAnswer)).toBe(false)
})
