import { expect, test } from 'vitest'
import { generateSecret } from './generate-secret.ts'

test('a secret is 32 bytes in base64, another one each time', () => {
  const [one, other] = [generateSecret(), generateSecret()]
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(Buffer.from(one.slice('whsec_'.length), 'base64')).toHaveLength(32)
  expect(other).not.toBe(one)
})
