import { expect, test } from 'vitest'
import { generatedHost } from './generated-host.ts'
import { toNumberedSlug, toSlug } from './slug.ts'

test.each([
  ['Shop', 'shop'],
  ['Ünique  Shop!', 'unique-shop'],
  ['--a__b--', 'a-b'],
  ['日本', 'app'],
  ['a'.repeat(90), 'a'.repeat(40)],
  [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
  ['v 10 0 0 1', 'v-10001'],
])('converts %s to %s', (name, slug) => {
  expect(toSlug(name)).toBe(slug)
})

test('numbers repeated names within the length limit', () => {
  expect(toNumberedSlug('shop', 1)).toBe('shop')
  expect(toNumberedSlug('shop', 12)).toBe('shop-12')
  expect(toNumberedSlug('a'.repeat(40), 2)).toBe(`${'a'.repeat(38)}-2`)
  expect(toNumberedSlug('a-1-2-3', 4)).toBe('a-1234')
})

test('generates a host from the server address or the wildcard domain', () => {
  const config = { WILDCARD_DOMAIN: undefined, PUBLIC_URL: 'http://203.0.113.9:4000' }
  const at = (kind: 'ssh' | 'local', address: string | null) =>
    generatedHost(config, { kind, address }, 'shop-2')
  expect(at('ssh', '10.0.0.1')).toEqual({ host: 'shop-2.10-0-0-1.sslip.io', https: false })
  expect(at('ssh', 'web.example.com')).toBeUndefined()
  expect(at('ssh', '2001:db8::1')).toBeUndefined()
  expect(at('local', null)).toEqual({ host: 'shop-2.203-0-113-9.sslip.io', https: false })
  const here = { ...config, PUBLIC_URL: 'http://localhost:4000' }
  expect(generatedHost(here, { kind: 'local', address: null }, 'shop')).toEqual({
    host: 'shop.localhost',
    https: false,
  })
  expect(generatedHost(here, { kind: 'ssh', address: '10.0.0.1' }, 'shop')?.host).toBe(
    'shop.10-0-0-1.sslip.io',
  )
  const wild = { ...config, WILDCARD_DOMAIN: 'apps.example.com' }
  expect(generatedHost(wild, { kind: 'ssh', address: 'web.example.com' }, 'shop')).toEqual({
    host: 'shop.apps.example.com',
    https: true,
  })
})
