import { z } from 'zod'

/** Preset for the addresses that Cloudflare publishes. */
export const cloudflarePreset = 'cloudflare'

const range = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])

/** Smallest prefix lengths. A larger range would include visitors, who could then choose their client address. */
const leastBits = { ipv4: 8, ipv6: 16 }

/** IPv6 ranges that contain every IPv4 address: mapped addresses and 6to4. */
const embeddedIPv4 = [
  { address: '::ffff:0:0', bits: 96 },
  { address: '2002::', bits: 16 },
]

function problemOf(entry: string): string | undefined {
  if (entry === cloudflarePreset) return undefined
  if (!range.safeParse(entry).success)
    return `Must be IP addresses or ranges such as 10.0.0.0/8, but “${entry}” is neither.`
  const [address = '', written] = entry.split('/')
  if (written === undefined) return undefined
  const bits = Number(written)
  const least = leastBitsOf(address)
  if (bits < least) return `Must not trust a range as large as “${entry}”. Use /${least} or a smaller one.`
  return containsIPv4(address, bits)
    ? `Must not trust “${entry}”, because it contains every IPv4 address. Use a smaller range.`
    : undefined
}

function leastBitsOf(address: string): number {
  if (!address.includes(':')) return leastBits.ipv4
  const embedding = embeddedIPv4.find((embedded) => hasPrefix(address, embedded.address, embedded.bits))
  return embedding ? embedding.bits + leastBits.ipv4 : leastBits.ipv6
}

const containsIPv4 = (address: string, bits: number) =>
  address.includes(':') &&
  embeddedIPv4.some((embedded) => bits <= embedded.bits && hasPrefix(address, embedded.address, bits))

const hasPrefix = (address: string, other: string, bits: number) =>
  toInteger(address) >> BigInt(128 - bits) === toInteger(other) >> BigInt(128 - bits)

function toInteger(address: string): bigint {
  const [before = '', after = ''] = address.split('::')
  const [head, tail] = [toGroups(before), toGroups(after)]
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0)
  return [...head, ...zeros, ...tail].reduce((sum, group) => (sum << 16n) | BigInt(group), 0n)
}

const toGroups = (groups: string) => (groups === '' ? [] : groups.split(':').flatMap(readGroup))

/** Reads a group of an IPv6 address. The last two groups may be written as an IPv4 address. */
function readGroup(group: string): number[] {
  if (!group.includes('.')) return [Number.parseInt(group, 16)]
  const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

/** Reverse proxies in front of a server, whose `X-Forwarded-For` header is trusted. */
export const trustedProxies = z
  .array(z.string().trim().toLowerCase().max(50))
  .max(100, { error: 'Must have at most 100 entries.' })
  .superRefine((entries, context) => {
    for (const entry of entries) {
      const problem = problemOf(entry)
      if (problem !== undefined) return context.addIssue({ code: 'custom', message: problem })
    }
  })
  .transform((entries) => [...new Set(entries)])
