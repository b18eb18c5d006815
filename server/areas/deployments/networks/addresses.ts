/** An IPv4 network as Docker writes it: `172.18.0.0/16`. */
export interface Subnet {
  first: number
  size: number
}

const asNumber = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const asText = (address: number) =>
  [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')

export function readSubnet(written: string): Subnet {
  const [address = '', bits = '32'] = written.split('/')
  const size = 2 ** (32 - Number(bits))
  return { first: Math.floor(asNumber(address) / size) * size, size }
}

/** Ranges that are tried when Docker has none left in its own address pools. */
export const spareRanges: readonly string[] = Array.from(
  { length: 128 },
  (_, nth) => `10.${128 + nth}.0.0/16`,
)

/**
 * The first subnet of a size within a range that no other one touches; a range that is no larger is one itself. `bits` is
 * the size as it is written, such as 24.
 */
export function freeSubnetIn(range: string, taken: readonly string[], bits: number): string | undefined {
  const { first, size } = readSubnet(range)
  const wanted = 2 ** (32 - bits)
  const used = taken.map(readSubnet)
  const isFree = (one: Subnet) =>
    !used.some((other) => one.first < other.first + other.size && other.first < one.first + one.size)
  if (size <= wanted) return isFree({ first, size }) ? range : undefined
  for (let place = first; place < first + size; place += wanted)
    if (isFree({ first: place, size: wanted })) return `${asText(place)}/${bits}`
  return undefined
}

/** So many at the end are for Docker to give to those who ask for none. */
const ownSize = 256
const hasOwn = ({ size }: Subnet) => size > 2 * ownSize

/** As Docker is told of it: the gateway has the first address, and what it gives by itself is at the end. */
export function layOut(written: string) {
  const subnet = readSubnet(written)
  return {
    Subnet: written,
    Gateway: asText(subnet.first + 1),
    ...(hasOwn(subnet) && { IPRange: `${asText(subnet.first + subnet.size - ownSize)}/24` }),
  }
}

/**
 * Addresses that nobody has: the next after the highest one taken, so that one which was let go of is not given away
 * at once.
 */
export function freeAddresses(subnet: Subnet, taken: readonly string[], count: number): string[] {
  const usable = subnet.size - (hasOwn(subnet) ? ownSize : 1) - 2
  const used = new Set(taken.map((address) => asNumber(address) - subnet.first))
  const highest = Math.max(0, ...[...used].filter((place) => place >= 2 && place < usable + 2)) || 1
  const found: string[] = []
  for (let step = 1; step <= usable && found.length < count; step++) {
    const place = 2 + ((highest - 2 + step + usable) % usable)
    if (!used.has(place)) found.push(asText(subnet.first + place))
  }
  return found
}
