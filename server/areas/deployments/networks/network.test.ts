import { expect, test } from 'vitest'
import { subnetsOverlap } from '../../compose/privileges/subnets.ts'
import { parseRoutes } from './network.ts'

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
