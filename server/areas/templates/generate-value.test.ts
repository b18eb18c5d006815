import { expect, test } from 'vitest'
import type { generators } from '../../../contract/templates.ts'
import { generateValue } from './generate-value.ts'

const many = (kind: (typeof generators)[number], length = 0) =>
  Array.from({ length: 100 }, () => generateValue({ kind, length }))

test('generates unique values in the requested format', () => {
  for (const one of many('password', 30)) expect(one).toMatch(/^[A-HJ-NP-Za-km-z2-9]{30}$/)
  for (const one of many('hex', 9)) expect(one).toMatch(/^[0-9a-f]{18}$/)
  for (const one of many('uuid')) expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f-]{17}$/)
  for (const one of many('user')) expect(one).toMatch(/^[a-z]{7,20}\d\d$/)
  for (const kind of ['password', 'hex', 'base64', 'uuid'] as const)
    expect(new Set(many(kind, 16)).size).toBe(100)
})

test('generates base64 without + and / of the requested number of bytes', () => {
  for (const length of [8, 31, 32, 33, 256])
    for (const one of many('base64', length)) {
      expect(one).toMatch(/^[A-Za-z0-9]+={0,2}$/)
      expect(Buffer.from(one, 'base64')).toHaveLength(length)
      expect(Buffer.from(one, 'base64').toString('base64')).toBe(one)
    }
})
