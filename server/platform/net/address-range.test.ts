import { expect, test } from 'vitest'
import { isConnectionAllowed, isPublicAddress } from './address-range.ts'

const byInvite = { privateServers: true, allowedNetworks: [] }
const open = { privateServers: false, allowedNetworks: [] }

const reserved = [
  '127.0.0.1',
  '127.255.255.254',
  '::1',
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '169.254.169.254',
  '169.254.0.1',
  'fe80::1',
  'fe80::1%eth0',
  'febf::1',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd20:ce::254',
  '192.0.0.192',
  '224.0.0.1',
  '255.255.255.255',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:a9fe:a9fe',
  '::ffff:100.100.100.200',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::a9fe:a9fe',
  '2002:7f00:1::1',
  '2002:a9fe:a9fe::',
  '2001::1',
]
const inner = [
  '10.0.0.1',
  '172.31.0.1',
  '192.168.1.1',
  '100.64.0.1',
  'fd12::1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
]
const outer = [
  '93.184.216.34',
  '203.0.113.7',
  '2a01:4f8::1',
  '::ffff:93.184.216.34',
  '64:ff9b::5db8:d822',
  '172.32.0.1',
]

test.each(reserved)('does not connect to %s, whatever the signup mode', (address) => {
  expect([isConnectionAllowed(address, byInvite), isConnectionAllowed(address, open)]).toEqual([false, false])
})

test.each(inner)('connects to %s only where private ranges are allowed', (address) => {
  expect([isConnectionAllowed(address, byInvite), isConnectionAllowed(address, open)]).toEqual([true, false])
})

test.each(outer)('connects to %s', (address) => {
  expect(isConnectionAllowed(address, open)).toBe(true)
})

test('connects to what lies in an allowed range, in whichever form it is written', () => {
  const loopback = { privateServers: false, allowedNetworks: ['127.0.0.0/8', 'fd00::/8'] }
  for (const address of ['127.0.0.9', '::ffff:127.0.0.9', '64:ff9b::7f00:9', 'fd12::1'])
    expect(isConnectionAllowed(address, loopback)).toBe(true)
  for (const address of ['::1', '10.0.0.1', '169.254.169.254'])
    expect(isConnectionAllowed(address, loopback)).toBe(false)
})

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
