import { expect, test } from 'vitest'
import { subnetsOverlap } from '../../compose/privileges/subnets.ts'
import {
  findFreeAddresses,
  findFreeSubnet,
  ipamConfig,
  listApplicationRanges,
  parseRoutes,
  readSubnet,
} from './addresses.ts'

const wide = readSubnet('172.18.0.0/16')

test('gives the gateway the first address and Docker the last ones', () => {
  expect(ipamConfig('172.18.0.0/16')).toEqual({
    Subnet: '172.18.0.0/16',
    Gateway: '172.18.0.1',
    IPRange: '172.18.255.0/24',
  })
  expect(ipamConfig('10.1.2.0/24')).toEqual({ Subnet: '10.1.2.0/24', Gateway: '10.1.2.1' })
})

test('assigns addresses in turn, so that a released one is not reused at once', () => {
  expect(findFreeAddresses(wide, [], 2)).toEqual(['172.18.0.2', '172.18.0.3'])
  expect(findFreeAddresses(wide, ['172.18.0.2', '172.18.0.9'], 2)).toEqual(['172.18.0.10', '172.18.0.11'])
  expect(findFreeAddresses(wide, ['172.18.0.255'], 1)).toEqual(['172.18.1.0'])
})

test('wraps around to the first free address', () => {
  const taken = ['172.18.254.255', '172.18.0.2']
  expect(findFreeAddresses(wide, taken, 2)).toEqual(['172.18.0.3', '172.18.0.4'])
})

test('returns fewer addresses from a full network, never the gateway or the last', () => {
  const small = readSubnet('10.1.2.0/29')
  expect(findFreeAddresses(small, [], 20)).toEqual([
    '10.1.2.2',
    '10.1.2.3',
    '10.1.2.4',
    '10.1.2.5',
    '10.1.2.6',
  ])
  expect(findFreeAddresses(small, ['10.1.2.2', '10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6'], 1)).toEqual(
    [],
  )
})

test('trusts ranges only on networks of known applications, and only private ones', () => {
  const there = (application: string, range: string) => ({
    Id: '',
    Name: 'a',
    Driver: 'bridge',
    Internal: false,
    Attachable: false,
    EnableIPv6: false,
    Options: null,
    Labels: { 'slipway.application': application, 'slipway.range': range },
    IPAM: null,
  })
  const bad = [
    '10.0.0.0/-99',
    '0.0.0.0/4',
    '8.8.0.0/16',
    '172.16.0.0/11',
    '10.0.0.0/33',
    '10.0.0.0',
    'fd00::/8',
  ]
  const all = [there('ours', '172.18.0.0/16'), there('others', '10.1.0.0/16')]
  expect(
    listApplicationRanges([...all, ...bad.map((range) => there('ours', range))], new Set(['ours'])),
  ).toEqual(['172.18.0.0/16'])
})

test('picks the first free subnet of a size in a range', () => {
  const first = (taken: string[], bits = 26, range = '172.18.0.0/16') => findFreeSubnet(range, taken, bits)
  expect(first([])).toBe('172.18.0.0/26')
  expect(first(['172.18.0.0/26', '172.18.0.128/25', '10.0.0.0/8'])).toBe('172.18.0.64/26')
  expect(first(['172.18.0.70/32'], 24)).toBe('172.18.1.0/24')
  expect(first(['172.18.0.0/26'], 22)).toBe('172.18.4.0/22')
  expect(first(['172.16.0.0/12'])).toBeUndefined()
  // An address pool of Docker may be smaller than the requested subnet.
  expect(first([], 24, '10.1.2.0/28')).toBe('10.1.2.0/28')
  expect(first(['10.1.0.0/16'], 24, '10.1.2.0/28')).toBeUndefined()
})

test('parses the kernel routes', () => {
  const text = [
    'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT',
    'eth0\t00000000\t0100A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0',
    'eth0\t0000A8C0\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0',
    'wg0\t05060A0A\t00000000\t0005\t0\t0\t0\tFFFFFFFF\t0\t0\t0',
    'fd120000000000000000000000000000 30 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     wg0',
  ].join('\n')
  expect(parseRoutes(text)).toEqual([
    { device: 'eth0', subnet: '0.0.0.0/0' },
    { device: 'eth0', subnet: '192.168.0.0/16' },
    { device: 'wg0', subnet: '10.10.6.5/32' },
    { device: 'wg0', subnet: 'fd12:0000:0000:0000:0000:0000:0000:0000/48' },
  ])
})

test.each([
  ['10.1.0.0/16', '10.1.2.0/24', true],
  ['10.1.2.0/24', '10.0.0.0/8', true],
  ['10.1.2.0/24', '10.1.2.77/32', true],
  ['10.1.2.0/24', '10.1.3.0/24', false],
  ['fd12::/48', 'fd12:0:0:1::/64', true],
  ['fd12::/48', '10.0.0.0/8', false],
  ['10.0.0.0', '10.0.0.0/8', false],
])('%s and %s overlap: %s', (one, other, have) => {
  expect([subnetsOverlap(one, other), subnetsOverlap(other, one)]).toEqual([have, have])
})
