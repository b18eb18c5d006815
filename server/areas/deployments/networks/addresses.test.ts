import { expect, test } from 'vitest'
import { freeAddresses, freeSubnetIn, layOut, readSubnet } from './addresses.ts'
import { rangesIn } from './network-definition.ts'

const wide = readSubnet('172.18.0.0/16')

test('the gateway has the first address, and Docker gives away the last ones', () => {
  expect(layOut('172.18.0.0/16')).toEqual({
    Subnet: '172.18.0.0/16',
    Gateway: '172.18.0.1',
    IPRange: '172.18.255.0/24',
  })
  expect(layOut('10.1.2.0/24')).toEqual({ Subnet: '10.1.2.0/24', Gateway: '10.1.2.1' })
})

test('addresses are given in turn, so that one that was let go of rests', () => {
  expect(freeAddresses(wide, [], 2)).toEqual(['172.18.0.2', '172.18.0.3'])
  expect(freeAddresses(wide, ['172.18.0.2', '172.18.0.9'], 2)).toEqual(['172.18.0.10', '172.18.0.11'])
  expect(freeAddresses(wide, ['172.18.0.255'], 1)).toEqual(['172.18.1.0'])
})

test('behind the last one the first that is free is next', () => {
  const taken = ['172.18.254.255', '172.18.0.2']
  expect(freeAddresses(wide, taken, 2)).toEqual(['172.18.0.3', '172.18.0.4'])
})

test('a full network gives fewer than were asked for, and never the gateway or the last', () => {
  const small = readSubnet('10.1.2.0/29')
  expect(freeAddresses(small, [], 20)).toEqual(['10.1.2.2', '10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6'])
  expect(freeAddresses(small, ['10.1.2.2', '10.1.2.3', '10.1.2.4', '10.1.2.5', '10.1.2.6'], 1)).toEqual([])
})

test('a range is believed on networks of applications that are known, and only where it is a private one', () => {
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
  expect(rangesIn([...all, ...bad.map((range) => there('ours', range))], new Set(['ours']))).toEqual([
    '172.18.0.0/16',
  ])
})

test('a subnet is the first of its size in the range that touches no other', () => {
  const first = (taken: string[], bits = 26, range = '172.18.0.0/16') => freeSubnetIn(range, taken, bits)
  expect(first([])).toBe('172.18.0.0/26')
  expect(first(['172.18.0.0/26', '172.18.0.128/25', '10.0.0.0/8'])).toBe('172.18.0.64/26')
  expect(first(['172.18.0.70/32'], 24)).toBe('172.18.1.0/24')
  expect(first(['172.18.0.0/26'], 22)).toBe('172.18.4.0/22')
  expect(first(['172.16.0.0/12'])).toBeUndefined()
  // Docker's pools may be smaller than what is asked for.
  expect(first([], 24, '10.1.2.0/28')).toBe('10.1.2.0/28')
  expect(first(['10.1.0.0/16'], 24, '10.1.2.0/28')).toBeUndefined()
})
