import { expect, test } from 'vitest'
import { findFreeAddresses, findFreeSubnet, ipamConfig, readSubnet } from './addresses.ts'
import { listApplicationRanges } from './network.ts'

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
  // Docker's pools may be smaller than what is asked for.
  expect(first([], 24, '10.1.2.0/28')).toBe('10.1.2.0/28')
  expect(first(['10.1.0.0/16'], 24, '10.1.2.0/28')).toBeUndefined()
})
