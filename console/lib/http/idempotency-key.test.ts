import { expect, test } from 'vitest'
import { dropIdempotencyKey, isServerResponse, getIdempotencyKey } from './idempotency-key.ts'

test('reuses the key of a request until it gets a response', () => {
  const first = getIdempotencyKey('POST /v1/applications {"name":"shop"}')
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(getIdempotencyKey('POST /v1/applications {"name":"shop"}')).toBe(first)
  expect(getIdempotencyKey('POST /v1/applications {"name":"blog"}')).not.toBe(first)
  dropIdempotencyKey('POST /v1/applications {"name":"shop"}')
  expect(getIdempotencyKey('POST /v1/applications {"name":"shop"}')).not.toBe(first)
})

test('does not count a proxy error as a response', () => {
  expect([201, 409, 422, 500].every(isServerResponse)).toBe(true)
  expect([502, 503, 504].some(isServerResponse)).toBe(false)
})
