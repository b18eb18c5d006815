import { sql } from 'kysely'
import type { Trx } from '../../../tables.ts'
import { listInstancesOn } from '../../applications/instance.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'
import type { NetworkAssignment } from './own-networks.ts'

export interface Subnet {
  first: number
  size: number
}

const toNumber = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)

const toAddress = (address: number) =>
  [24, 16, 8, 0].map((bits) => Math.floor(address / 2 ** bits) % 256).join('.')

export function readSubnet(written: string): Subnet {
  const [address = '', bits = '32'] = written.split('/')
  const size = 2 ** (32 - Number(bits))
  return { first: Math.floor(toNumber(address) / size) * size, size }
}

/** Ranges to try when the address pools of Docker are exhausted. */
export const spareRanges: readonly string[] = Array.from(
  { length: 128 },
  (_, nth) => `10.${128 + nth}.0.0/16`,
)

export function findFreeSubnet(range: string, taken: readonly string[], bits: number): string | undefined {
  const { first, size } = readSubnet(range)
  const wanted = 2 ** (32 - bits)
  const used = taken.map(readSubnet)
  const isFree = (one: Subnet) =>
    !used.some((other) => one.first < other.first + other.size && other.first < one.first + one.size)
  if (size <= wanted) return isFree({ first, size }) ? range : undefined
  for (let place = first; place < first + size; place += wanted)
    if (isFree({ first: place, size: wanted })) return `${toAddress(place)}/${bits}`
  return undefined
}

/** Addresses at the end that Docker assigns itself. */
const ownSize = 256
const hasOwn = ({ size }: Subnet) => size > 2 * ownSize

/** Gateway first; Docker assigns addresses from the end. */
export function ipamConfig(written: string) {
  const subnet = readSubnet(written)
  return {
    Subnet: written,
    Gateway: toAddress(subnet.first + 1),
    ...(hasOwn(subnet) && { IPRange: `${toAddress(subnet.first + subnet.size - ownSize)}/24` }),
  }
}

/** Finds free addresses after the highest used one, so that a released address is not reused at once. */
export function findFreeAddresses(subnet: Subnet, taken: readonly string[], count: number): string[] {
  const usable = subnet.size - (hasOwn(subnet) ? ownSize : 1) - 2
  const used = new Set(taken.map((address) => toNumber(address) - subnet.first))
  const highest = Math.max(0, ...[...used].filter((place) => place >= 2 && place < usable + 2)) || 1
  const found: string[] = []
  for (let step = 1; step <= usable && found.length < count; step++) {
    const place = 2 + ((highest - 2 + step + usable) % usable)
    if (!used.has(place)) found.push(toAddress(subnet.first + place))
  }
  return found
}

/** Locks address selection of the server until the transaction ends. */
export async function chooseAddresses(
  { application, server }: Pick<DeploymentRun, 'application' | 'server'>,
  trx: Trx,
  { network, subnet }: NetworkAssignment,
  count: number,
): Promise<string[]> {
  if (count === 0) return []
  const { workspace_id, server_id } = application
  await sql`select pg_advisory_xact_lock(hashtextextended(${`addresses:${server_id}`}, 0))`.execute(trx)
  const taken = (await listInstancesOn(trx, workspace_id, server_id)).flatMap(({ address }) => address ?? [])
  const addresses = findFreeAddresses(subnet, taken, count)
  if (addresses.length < count)
    throw new DeploymentFailed(
      `The network ${network} on ${server().name} has no free IP addresses. Remove unused containers, then deploy again.`,
    )
  return addresses
}
