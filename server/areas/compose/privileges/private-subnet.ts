import { subnetContains, parseSubnet } from './subnets.ts'

/** What everybody may use inside: RFC 1918, and the unique local addresses of IPv6; each with its least bits. */
const ranges = [
  { address: '10.0.0.0', bits: 8, family: 'ipv4' },
  { address: '172.16.0.0', bits: 12, family: 'ipv4' },
  { address: '192.168.0.0', bits: 16, family: 'ipv4' },
  { address: 'fd00::', bits: 8, family: 'ipv6' },
] as const

/** Whether all of a subnet, such as `10.1.0.0/16`, is for private use. */
export function isPrivateSubnet(written: string): boolean {
  const subnet = parseSubnet(written)
  return (
    subnet !== undefined && ranges.some((range) => subnet.bits >= range.bits && subnetContains(range, subnet))
  )
}
