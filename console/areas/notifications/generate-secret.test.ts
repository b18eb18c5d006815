import { expect, test } from 'vitest'
import { generateSecret } from './generate-secret.ts'

test('generates 32 random bytes in base64', () => {
  const [one, other] = [generateSecret(), generateSecret()]
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(Buffer.from(one.slice('whsec_'.length), 'base64')).toHaveLength(32)
  expect(other).not.toBe(one)
})
