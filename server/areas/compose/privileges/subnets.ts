import { BlockList, isIP } from 'node:net'

interface Subnet {
  address: string
  bits: number
  family: 'ipv4' | 'ipv6'
}

export function parseSubnet(written: string): Subnet | undefined {
  const [address = '', bits = '', ...more] = written.split('/')
  if (more.length > 0 || !/^\d{1,3}$/.test(bits) || isIP(address) === 0) return undefined
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  return Number(bits) > (family === 'ipv4' ? 32 : 128) ? undefined : { address, bits: Number(bits), family }
}

export function subnetsOverlap(a: string, b: string): boolean {
  const [some, others] = [parseSubnet(a), parseSubnet(b)]
  return (
    some !== undefined &&
    others !== undefined &&
    (subnetContains(some, others) || subnetContains(others, some))
  )
}

export function subnetContains({ address, bits, family }: Subnet, other: Subnet): boolean {
  const list = new BlockList()
  list.addSubnet(address, bits, family)
  return other.family === family && list.check(other.address, family)
}

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
