import { z } from 'zod'
import { instanceLabels } from '../../applications/instance.ts'
import type { ModelNetwork } from '../../compose/model.ts'
import { isPrivateSubnet } from '../../compose/privileges/subnets.ts'

export interface ExistingNetwork {
  Id: string
  Name: string
  Driver: string
  Internal: boolean
  Attachable: boolean
  EnableIPv6: boolean
  Options: Record<string, string> | null
  Labels: Record<string, string> | null
  IPAM: { Config: IpamEntry[] | null } | null
}

interface IpamEntry {
  Subnet?: string
  Gateway?: string
  IPRange?: string
  AuxiliaryAddresses?: Record<string, string>
}

const ipam = z.looseObject({
  driver: z.string().optional(),
  options: z.record(z.string(), z.string()).optional(),
  config: z
    .array(
      z.looseObject({
        subnet: z.string().optional(),
        gateway: z.string().optional(),
        ip_range: z.string().optional(),
        aux_addresses: z.record(z.string(), z.string()).optional(),
      }),
    )
    .nullish(),
})

export const ipamEntries = (network: ModelNetwork): IpamEntry[] =>
  (ipam.parse(network.ipam ?? {}).config ?? []).map(({ subnet, gateway, ip_range, aux_addresses }) => ({
    ...(subnet !== undefined && { Subnet: subnet }),
    ...(gateway !== undefined && { Gateway: gateway }),
    ...(ip_range !== undefined && { IPRange: ip_range }),
    ...(aux_addresses && { AuxiliaryAddresses: aux_addresses }),
  }))

export const hasIpv4 = (places: readonly IpamEntry[]) => places.some(({ Subnet }) => Subnet?.includes('.'))

/** Builds the Docker request without the name. */
export function networkBody(network: ModelNetwork, places: readonly IpamEntry[]) {
  const { driver, options } = ipam.parse(network.ipam ?? {})
  return {
    Driver: network.driver || 'bridge',
    Options: network.driver_opts ?? {},
    Internal: network.internal ?? false,
    Attachable: network.attachable ?? false,
    EnableIPv6: network.enable_ipv6 ?? false,
    Labels: network.labels ?? {},
    IPAM: {
      ...(driver !== undefined && { Driver: driver }),
      ...(options && { Options: options }),
      Config: places,
    },
  }
}

/** Compares an existing network with the file, ignoring what the file leaves open. */
export function matchesDefinition(there: ExistingNetwork, network: ModelNetwork): boolean {
  const places = ipamEntries(network)
  const wanted = networkBody(network, places)
  const have = there.IPAM?.Config ?? []
  return (
    there.Driver === wanted.Driver &&
    there.Internal === wanted.Internal &&
    there.Attachable === wanted.Attachable &&
    there.EnableIPv6 === wanted.EnableIPv6 &&
    hasSameEntries(there.Options, wanted.Options) &&
    hasSameEntries(withoutOwnLabels(there.Labels), wanted.Labels) &&
    places.every((place) => have.some((one) => covers(one, place)))
  )
}

const covers = (one: IpamEntry, { Subnet, Gateway = one.Gateway, IPRange = one.IPRange }: IpamEntry) =>
  one.Subnet === Subnet && one.Gateway === Gateway && one.IPRange === IPRange

type Texts = Record<string, string> | null

export function hasSameEntries(some: Texts, others: Texts): boolean {
  const [one, other] = [Object.entries(some ?? {}), others ?? {}]
  return (
    one.length === Object.keys(other).length &&
    one.every(([key, value]) => Object.hasOwn(other, key) && other[key] === value)
  )
}

/** Records the range of a network, so that the next one uses it too. */
export const rangeLabel = 'slipway.range'

/** Anyone can set labels, so only private ranges on networks of known applications count. */
export const listApplicationRanges = (
  all: readonly ExistingNetwork[],
  applications: ReadonlySet<string>,
): string[] => [
  ...new Set(
    all
      .filter(({ Labels }) => applications.has(Labels?.[instanceLabels.application] ?? ''))
      .flatMap(({ Labels }) => Labels?.[rangeLabel] ?? [])
      .filter((range) => range.includes('.') && isPrivateSubnet(range)),
  ),
]

const ownLabelNames = new Set<string>([instanceLabels.application, rangeLabel])

export const withoutOwnLabels = (labels: Texts) =>
  Object.fromEntries(Object.entries(labels ?? {}).filter(([key]) => !ownLabelNames.has(key)))
