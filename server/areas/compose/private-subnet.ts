import { BlockList, isIP } from 'node:net'

/** What everybody may use inside: RFC 1918, and the unique local addresses of IPv6; each with its least bits. */
const ranges = [
  { first: '10.0.0.0', bits: 8, family: 'ipv4' },
  { first: '172.16.0.0', bits: 12, family: 'ipv4' },
  { first: '192.168.0.0', bits: 16, family: 'ipv4' },
  { first: 'fd00::', bits: 8, family: 'ipv6' },
] as const

/** Whether all of a subnet, such as `10.1.0.0/16`, is for private use. */
export function isPrivateSubnet(written: string): boolean {
  const [address = '', bits = '', ...more] = written.split('/')
  if (more.length > 0 || !/^\d{1,3}$/.test(bits) || isIP(address) === 0) return false
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  if (Number(bits) > (family === 'ipv4' ? 32 : 128)) return false
  return ranges.some((range) => {
    const list = new BlockList()
    list.addSubnet(range.first, range.bits, range.family)
    return range.family === family && Number(bits) >= range.bits && list.check(address, family)
  })
}
