import { subnetContains, parseSubnet } from './subnets.ts'

/** RFC 1918 and IPv6 unique local addresses, with their minimum prefix length. */
const ranges = [
  { address: '10.0.0.0', bits: 8, family: 'ipv4' },
  { address: '172.16.0.0', bits: 12, family: 'ipv4' },
  { address: '192.168.0.0', bits: 16, family: 'ipv4' },
  { address: 'fd00::', bits: 8, family: 'ipv6' },
] as const

export function isPrivateSubnet(written: string): boolean {
  const subnet = parseSubnet(written)
  return (
    subnet !== undefined && ranges.some((range) => subnet.bits >= range.bits && subnetContains(range, subnet))
  )
}
