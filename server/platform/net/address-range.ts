import { BlockList, isIPv6 } from 'node:net'
import { isInNetworks } from './safe-fetch.ts'

/** Returns whether an address is public. Users must not make Slipway call internal addresses (SSRF). */
export const isPublicAddress = (address: string) => !inner.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

const inner = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  // The last two ranges are multicast and reserved.
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  inner.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  // The ranges up to 2001:: embed IPv4 addresses, and the first one contains loopback.
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['2001::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  inner.addSubnet(net, bits, 'ipv6')

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i.test(host)

/**
 * Kind of an IP address. `reserved` covers loopback, link-local, cloud metadata and multicast addresses, including
 * those embedded in IPv6.
 */
type Range = 'public' | 'private' | 'reserved'

interface Allowed {
  privateServers: boolean
  allowedNetworks: readonly string[]
}

export function isConnectionAllowed(address: string, { privateServers, allowedNetworks }: Allowed): boolean {
  const [plain = ''] = address.split('%')
  const inner = embeddedIn(plain)
  if ([plain, inner].some((one) => isInNetworks(one, allowedNetworks))) return true
  const range = findRange(inner)
  return range === 'public' || (range === 'private' && privateServers)
}

function findRange(address: string): Range {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (metadata.check(address, family)) return 'reserved'
  if (privateRanges.check(address, family)) return 'private'
  return isPublicAddress(address) ? 'public' : 'reserved'
}

/** Returns the IPv4 address that an IPv4-mapped or NAT64 address leads to, and any other address unchanged. */
function embeddedIn(address: string): string {
  if (!isIPv6(address) || !wrapping.check(address, 'ipv6')) return address
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':')
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16))
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

const wrapping = new BlockList()
wrapping.addSubnet('::ffff:0:0', 96, 'ipv6')
wrapping.addSubnet('64:ff9b::', 96, 'ipv6')

const privateRanges = new BlockList()
privateRanges.addSubnet('10.0.0.0', 8, 'ipv4')
privateRanges.addSubnet('100.64.0.0', 10, 'ipv4')
privateRanges.addSubnet('172.16.0.0', 12, 'ipv4')
privateRanges.addSubnet('192.168.0.0', 16, 'ipv4')
privateRanges.addSubnet('fc00::', 7, 'ipv6')

/** Metadata services outside the link-local range: Alibaba, Azure, AWS and Google over IPv6. */
const metadata = new BlockList()
metadata.addAddress('100.100.100.200', 'ipv4')
metadata.addAddress('168.63.129.16', 'ipv4')
metadata.addAddress('fd00:ec2::254', 'ipv6')
metadata.addAddress('fd20:ce::254', 'ipv6')
