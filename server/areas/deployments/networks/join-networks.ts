import { slipwayLabels } from '../../containers/slipway-labels.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { type Instance, listInstances, updateInstance } from '../../applications/instance.ts'
import { findNetworkProject } from '../../applications/application.ts'
import { projectAlias } from '../../compose/docker-names.ts'
import { type Endpoint, networkEndpoints } from '../../compose/endpoints.ts'
import { exposesPort } from '../../compose/proxy-network.ts'
import { projectNetworkName, slipwayPrefix } from '../../servers/docker-networks.ts'
import { imageEndpoints, isReplaced, plannedAction, serviceSpec } from '../containers/specification.ts'
import { type ReleaseRun, getRunHost, listNewInstances, writeWithLease } from '../run/deployment-run.ts'
import { rangeLabel } from './addresses.ts'
import { ensureProjectNetwork, joinsProjectNetwork } from './own-networks.ts'
import {
  type ContainerInspection,
  findInspection,
  joinNetwork,
  leaveNetwork,
} from '../../containers/docker-container.ts'

export async function addAliases(run: ReleaseRun): Promise<void> {
  const own = await listNewInstances(run)
  const withoutAlias = own.filter(({ service }) => plannedAction(run, service) === 'rolled')
  if (withoutAlias.length === 0) return
  await run.stepEntered
  const { docker } = getRunHost(run)
  await Promise.all(
    withoutAlias.map(async (instance) => {
      const container = await findInspection(docker, instance.container_id ?? '', run.signal)
      if (container) await rejoinNetworks(docker, container, endpointsToRejoin(run, instance, container))
    }),
  )
}

function endpointsToRejoin(
  run: ReleaseRun,
  instance: Instance,
  { NetworkSettings: { Networks: joined } }: ContainerInspection,
): Endpoint[] {
  return listEndpoints(run, instance).filter(({ network, config }) => {
    const endpoint = joined?.[network]
    return !endpoint || config.Aliases?.some((alias) => !endpoint.Aliases?.includes(alias))
  })
}

function listEndpoints({ application, release, model }: ReleaseRun, instance: Instance): Endpoint[] {
  if (!model) return imageEndpoints({ application, instance, named: true })
  const name = instance.service
  const imageId = serviceSpec(release, name).image_id
  return networkEndpoints({
    application,
    release,
    instance,
    name,
    model,
    imageId,
    named: true,
    containers: {},
  })
}

/** Docker sets aliases only when a container joins, so the container rejoins, with the address that the proxy uses. */
async function rejoinNetworks(
  docker: Docker,
  { Id: id, NetworkSettings: { Networks: joined } }: ContainerInspection,
  endpoints: Endpoint[],
): Promise<void> {
  for (const { network, config } of endpoints) {
    const endpoint = joined?.[network]
    const kept = endpoint ? await addressesToKeep(docker, network, endpoint) : {}
    if (endpoint) await leaveNetwork(docker, { id, network })
    await joinNetwork(docker, {
      id,
      network,
      config: { ...config, IPAMConfig: { ...config.IPAMConfig, ...kept } },
    })
  }
}

interface NetworkIpam {
  Labels: Record<string, string> | null
  IPAM: { Config: { Subnet?: string }[] | null } | null
}

/** Docker assigns fixed addresses only in networks with a configured subnet. */
async function addressesToKeep(
  docker: Docker,
  network: string,
  { IPAddress: v4, GlobalIPv6Address: v6 }: { IPAddress: string; GlobalIPv6Address: string },
) {
  const path = `/networks/${encodeURIComponent(network)}`
  const { Labels: labels, IPAM: ipam } = await docker.json<NetworkIpam>({ path })
  if (!labels?.[rangeLabel] && !labels?.[slipwayLabels.application]) return {}
  const hasV6 = ipam?.Config?.some(({ Subnet }) => Subnet?.includes(':'))
  return { ...(v4 && { IPv4Address: v4 }), ...(v6 && hasV6 && { IPv6Address: v6 }) }
}

export async function joinProjectNetwork(run: ReleaseRun): Promise<void> {
  const { ctx, application, model } = run
  const unchanged = await listUnchanged(run)
  if (!model || unchanged.length === 0) return
  const project = await findNetworkProject(ctx.db, application.workspace_id, application.id)
  for (const instance of unchanged) {
    const { workspace_id, id, service, container_id: container } = instance
    const network =
      project && (await joinsProjectNetwork(run, service)) ? projectNetworkName(project.id) : null
    if (!container || instance.project_network === network) continue
    await run.stepEntered
    if (network !== null) {
      await ensureProjectNetwork(run)
      const config = { Aliases: [projectAlias(application, service)] }
      await joinNetwork(getRunHost(run).docker, { id: container, network, config })
    }
    const exposes_port = exposesPort(model.services[service] ?? {})
    await writeWithLease(run, (trx) =>
      updateInstance(trx, workspace_id, id, { project_network: network, exposes_port }),
    )
    run.log.write(`Moved ${service} to the application networks without a restart`)
  }
}

async function listUnchanged(run: ReleaseRun): Promise<Instance[]> {
  const { ctx, application, deployment } = run
  const all = await listInstances(ctx.db, application.workspace_id, application.id)
  return all.filter(
    ({ state, service, network, deployment_id }) =>
      state === 'serving' && network !== null && deployment_id !== deployment.id && !isReplaced(run, service),
  )
}

export async function leaveOldNetworks(run: ReleaseRun): Promise<void> {
  const { docker } = getRunHost(run)
  for (const { container_id, network: own, project_network } of await listUnchanged(run)) {
    const container = await findInspection(docker, container_id ?? '', run.signal)
    for (const network of Object.keys(container?.NetworkSettings.Networks ?? {}))
      if (network.startsWith(slipwayPrefix) && network !== own && network !== project_network)
        await leaveIfJoined(docker, { id: container?.Id ?? '', network })
  }
}

/** Docker returns 403 or 404 if the container is not connected or the network is gone. */
async function leaveIfJoined(docker: Docker, endpoint: { id: string; network: string }): Promise<void> {
  try {
    await leaveNetwork(docker, endpoint)
  } catch (error) {
    if (!(error instanceof DockerError && [403, 404].includes(error.status))) throw error
  }
}
