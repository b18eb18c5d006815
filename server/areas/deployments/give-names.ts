import type { Docker } from '../../remote/host.ts'
import { type Instance, instanceLabels } from '../applications/instance.ts'
import { endpointsOf } from '../compose/endpoints.ts'
import { inspect } from '../containers/inspect.ts'
import { type Attempt, hostFor, ownInstances, releaseOf } from './attempt.ts'
import { joinNetwork, leaveNetwork } from './containers.ts'
import { modelFor } from './model-for.ts'
import { actionOn, partOf } from './part.ts'

/**
 * Other services find it by its name only now that it is well. Docker takes names as a container joins a network, so it
 * leaves and joins it again at the same address; what it has open stays open. Safe to do again.
 */
export async function giveNames(attempt: Attempt): Promise<void> {
  const own = await ownInstances(attempt)
  const nameless = own.filter(({ service }) => actionOn(attempt.deployment, service) === 'rolled')
  if (nameless.length === 0 || !(await modelFor(attempt))) return
  await attempt.entered
  await Promise.all(nameless.map((one) => giveName(attempt, one)))
}

async function giveName(attempt: Attempt, instance: Instance): Promise<void> {
  const { application } = attempt
  const release = releaseOf(attempt)
  const { docker } = hostFor(attempt)
  const model = await modelFor(attempt)
  const found = await inspect(docker, instance.container_id ?? '', attempt.signal)
  if (!model || !found) return
  const id = found.Id
  const endpoints = endpointsOf({
    application,
    release,
    instance,
    name: instance.service,
    model,
    imageId: partOf(release, instance.service).image_id,
    named: true,
    containers: {},
  })
  for (const { network, config } of endpoints) {
    const now = found.NetworkSettings.Networks?.[network]
    const aliases = config.Aliases ?? []
    if (now && aliases.every((alias) => now.Aliases?.includes(alias))) continue
    const kept = now ? await addressesIn(docker, network, now) : {}
    if (now) await leaveNetwork(docker, { id, network })
    await joinNetwork(docker, {
      id,
      network,
      config: { ...config, IPAMConfig: { ...config.IPAMConfig, ...kept } },
    })
  }
}

interface Made {
  Labels: Record<string, string> | null
  IPAM: { Config: { Subnet?: string }[] | null } | null
}

/** Docker gives an address that is asked for only where whoever made the network chose its range, as we do. */
async function addressesIn(
  docker: Docker,
  network: string,
  { IPAddress: v4, GlobalIPv6Address: v6 }: { IPAddress: string; GlobalIPv6Address: string },
) {
  const path = `/networks/${encodeURIComponent(network)}`
  const { Labels: labels, IPAM: ipam } = await docker.json<Made>({ path })
  if (!labels?.[instanceLabels.application]) return {}
  const hasV6 = ipam?.Config?.some(({ Subnet }) => Subnet?.includes(':'))
  return { ...(v4 && { IPv4Address: v4 }), ...(v6 && hasV6 && { IPv6Address: v6 }) }
}
