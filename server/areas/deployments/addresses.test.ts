import { expect, test } from 'vitest'
import { freeAddresses, layOut, readSubnet } from './addresses.ts'

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
