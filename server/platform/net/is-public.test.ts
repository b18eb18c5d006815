import { expect, test } from 'vitest'
import { isPublicAddress } from './is-public.ts'

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.254',
  '169.254.169.254',
  '172.31.0.1',
  '192.88.99.1',
  '192.168.1.1',
  '224.0.0.1',
  '239.255.255.250',
  '255.255.255.255',
  '::1',
  '::7f00:1',
  '::ffff:10.1.2.3',
  '64:ff9b::a01:203',
  '2002:7f00:1::',
  'fd00::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
])('%s is not asked', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['203.0.113.9', '100.128.0.1', '223.255.255.254', '2001:db8::1'])('%s is', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})
