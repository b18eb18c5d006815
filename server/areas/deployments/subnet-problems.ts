import { subnetsOf } from '../compose/network-powers.ts'
import { overlaps } from '../compose/overlaps.ts'
import type { WantedNetwork } from './compose-networks.ts'
import type { NetworkThere } from './network-definition.ts'

interface Chosen {
  key: string
  subnet: string
}

/** The addresses that the file itself chooses for networks that are still to be made. */
const addressesChosen = (wanted: readonly WantedNetwork[]): Chosen[] =>
  wanted
    .filter(({ network, there }) => !network.external && !there)
    .flatMap(({ key, network }) => subnetsOf(network.ipam).map((subnet) => ({ key, subnet })))

/** Docker makes no network with addresses that another one of its networks has: which would be such, as sentences. */
export function subnetProblems(wanted: readonly WantedNetwork[], all: readonly NetworkThere[]): string[] {
  const had = all.flatMap(({ IPAM }) => IPAM?.Config ?? []).flatMap(({ Subnet }) => Subnet ?? [])
  const chosen = addressesChosen(wanted)
  return chosen.flatMap(({ key, subnet }, at) => {
    const other = chosen.slice(0, at).find((one) => overlaps(one.subnet, subnet))
    if (other) return [`The networks ${other.key} and ${key} both take addresses of ${subnet}. ${todo}`]
    const met = had.find((one) => overlaps(one, subnet))
    return met === undefined
      ? []
      : [
          `The network ${key} cannot have the addresses ${subnet}: another network of Docker on the server has ${met}. ${todo}`,
        ]
  })
}

const todo = 'Choose others in the compose file, or leave them out.'
