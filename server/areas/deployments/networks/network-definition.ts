import { z } from 'zod'
import { instanceLabels } from '../../applications/instance.ts'
import type { ModelNetwork } from '../../compose/model.ts'
import { isPrivateSubnet } from '../../compose/privileges/private-subnet.ts'

/** The parts of Docker's answer that are used. */
export interface NetworkThere {
  Id: string
  Name: string
  Driver: string
  Internal: boolean
  Attachable: boolean
  EnableIPv6: boolean
  Options: Record<string, string> | null
  Labels: Record<string, string> | null
  IPAM: { Config: Place[] | null } | null
}

interface Place {
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

/** The addresses that the file itself chooses, as Docker takes them. */
export const placesIn = (network: ModelNetwork): Place[] =>
  (ipam.parse(network.ipam ?? {}).config ?? []).map(({ subnet, gateway, ip_range, aux_addresses }) => ({
    ...(subnet !== undefined && { Subnet: subnet }),
    ...(gateway !== undefined && { Gateway: gateway }),
    ...(ip_range !== undefined && { IPRange: ip_range }),
    ...(aux_addresses && { AuxiliaryAddresses: aux_addresses }),
  }))

export const hasIpv4 = (places: readonly Place[]) => places.some(({ Subnet }) => Subnet?.includes('.'))

/** All that Docker is told of a network beside its name; `places` are its addresses. */
export function networkBody(network: ModelNetwork, places: readonly Place[]) {
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

/** Whether one that is there is as the file has it. What the file leaves open is as it is. */
export function isAsDefined(there: NetworkThere, network: ModelNetwork): boolean {
  const places = placesIn(network)
  const wanted = networkBody(network, places)
  const have = there.IPAM?.Config ?? []
  return (
    there.Driver === wanted.Driver &&
    there.Internal === wanted.Internal &&
    there.Attachable === wanted.Attachable &&
    there.EnableIPv6 === wanted.EnableIPv6 &&
    isSame(there.Options, wanted.Options) &&
    isSame(withoutOwn(there.Labels), wanted.Labels) &&
    places.every((place) => have.some((one) => covers(one, place)))
  )
}

const covers = (one: Place, { Subnet, Gateway = one.Gateway, IPRange = one.IPRange }: Place) =>
  one.Subnet === Subnet && one.Gateway === Gateway && one.IPRange === IPRange

type Texts = Record<string, string> | null

export function isSame(some: Texts, others: Texts): boolean {
  const [one, other] = [Object.entries(some ?? {}), others ?? {}]
  return (
    one.length === Object.keys(other).length &&
    one.every(([key, value]) => Object.hasOwn(other, key) && other[key] === value)
  )
}

/** Says in which range a network of ours was placed: the next one finds room there as well. */
export const rangeLabel = 'slipway.range'

/** Anybody on the server can write a label: only those count that stand on a network of these applications, and could be ours. */
export const rangesIn = (all: readonly NetworkThere[], applications: ReadonlySet<string>): string[] => [
  ...new Set(
    all
      .filter(({ Labels }) => applications.has(Labels?.[instanceLabels.application] ?? ''))
      .flatMap(({ Labels }) => Labels?.[rangeLabel] ?? [])
      .filter((range) => range.includes('.') && isPrivateSubnet(range)),
  ),
]

const own = new Set<string>([instanceLabels.application, rangeLabel])

/** The labels that a file gave it. */
export const withoutOwn = (labels: Texts) =>
  Object.fromEntries(Object.entries(labels ?? {}).filter(([key]) => !own.has(key)))
