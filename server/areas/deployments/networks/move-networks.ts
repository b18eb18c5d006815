import { setTimeout as sleep } from 'node:timers/promises'
import { DockerError } from '../../../remote/errors.ts'
import { type Instance, listInstances, listInstancesOn, updateInstance } from '../../applications/instance.ts'
import { findNetworkProject } from '../../applications/project.ts'
import { projectAlias } from '../../compose/docker-names.ts'
import type { Model } from '../../compose/model.ts'
import { exposesPort, findProxyNetwork } from '../../compose/proxy-network.ts'
import { findInspection } from '../../containers/inspect.ts'
import { slipwayPrefix, projectNetworkName } from '../../servers/network.ts'
import { joinNetwork, leaveNetwork } from '../containers/containers.ts'
import { countConnections, readSocketTables } from '../containers/listening.ts'
import { isReplaced } from '../containers/specification.ts'
import { type ReleaseRun, DeploymentFailed, getRunHost, writeWithLease } from '../run/deployment-run.ts'
import { isSuccessorWaiting } from '../run/store.ts'
import { findFreeAddresses, slotAllocator } from './addresses.ts'
import {
  ensureOwnNetwork,
  ensureProjectNetwork,
  joinsProjectNetwork,
  type NetworkAssignment,
} from './own-networks.ts'

const maxAttempts = 4

const pollDelay = 500

/**
 * Connects unchanged containers to their new networks without a restart; the proxy uses them after the
 * switch. Idempotent.
 */
export async function joinNewNetworks(run: ReleaseRun): Promise<void> {
  const { ctx, application, model } = run
  const staying = model ? await listUnchanged(run) : []
  if (!model || staying.length === 0) return
  const project = await findNetworkProject(ctx.db, application.workspace_id, application.id)
  const wanted = project ? projectNetworkName(project.id) : null
  const placed = await Promise.all(
    staying.map(async (instance) => {
      const joins = await joinsProjectNetwork(run, instance.service)
      return { instance, projectNetwork: joins ? wanted : null }
    }),
  )
  const moving = placed.filter(
    ({ instance: { service, network, project_network: now }, projectNetwork }) =>
      now !== projectNetwork ||
      network !== findProxyNetwork(application, model.services[service] ?? {}, model).name,
  )
  if (moving.length === 0) return
  await run.stepEntered
  await ensureProjectNetwork(run)
  for (const { instance, projectNetwork } of moving) await moveInstance(run, instance, model, projectNetwork)
}

async function listUnchanged(run: ReleaseRun): Promise<Instance[]> {
  const { ctx, application, deployment } = run
  const all = await listInstances(ctx.db, application.workspace_id, application.id)
  return all.filter(
    ({ state, service, network, deployment_id }) =>
      state === 'serving' && network !== null && deployment_id !== deployment.id && !isReplaced(run, service),
  )
}

async function moveInstance(
  run: ReleaseRun,
  instance: Instance,
  model: Model,
  projectNetwork: string | null,
): Promise<void> {
  const { workspace_id, id, service, container_id: container } = instance
  const { docker } = getRunHost(run)
  const place = await ensureOwnNetwork(run, service)
  if (!place || !container || !(await findInspection(docker, container, run.signal))) return
  const address =
    instance.network === place.network ? instance.address : await joinOwn(run, container, service, place)
  const config = { Aliases: [projectAlias(run.application, service)] }
  if (projectNetwork !== null) await joinNetwork(docker, { id: container, network: projectNetwork, config })
  await writeWithLease(run, async (trx) => {
    const all = await listInstances(trx, workspace_id, instance.application_id)
    await updateInstance(trx, workspace_id, id, {
      network: place.network,
      address,
      // Uses another slot: changing the address of the current one would interrupt the service.
      ...(instance.slot === null || address === instance.address ? {} : { slot: slotAllocator(all)() }),
      project_network: projectNetwork,
      exposes_port: exposesPort(model.services[service] ?? {}),
    })
  })
  run.log.write(`Moved ${service} to the application networks without a restart`)
}

/** Returns the address; only this application uses the network. */
async function joinOwn(
  run: ReleaseRun,
  container: string,
  service: string,
  { network, subnet }: NetworkAssignment,
): Promise<string> {
  const { ctx, application } = run
  const server = run.server()
  const { docker } = getRunHost(run)
  const instances = await listInstancesOn(ctx.db, application.workspace_id, server.id)
  const taken = instances.flatMap((one) => one.address ?? [])
  for (let nth = 1; nth <= maxAttempts; nth++) {
    const now = (await findInspection(docker, container))?.NetworkSettings.Networks?.[network]
    // An interrupted attempt already joined.
    if (now?.IPAddress) return now.IPAddress
    const [address] = findFreeAddresses(subnet, taken, 1)
    if (address === undefined) break
    const config = { IPAMConfig: { IPv4Address: address }, Aliases: [projectAlias(application, service)] }
    try {
      await joinNetwork(docker, { id: container, network, config })
      return address
    } catch (error) {
      if (!(error instanceof DockerError && /address already in use/i.test(error.message))) throw error
      taken.push(address)
    }
  }
  throw new DeploymentFailed(
    `${service} got no IP address in the network ${network} on ${server.name}. Deploy again.`,
  )
}

/** Disconnects unchanged containers from old networks once drained or timed out. Idempotent. */
export async function leaveOldNetworks(run: ReleaseRun): Promise<void> {
  const staying = run.model ? await listUnchanged(run) : []
  if (staying.length === 0) return
  const until = Date.now() + run.release.config.drain_seconds * 1_000
  await Promise.all(staying.map((one) => leaveOldNetworksOf(run, one, until)))
}

async function leaveOldNetworksOf(run: ReleaseRun, instance: Instance, until: number): Promise<void> {
  const { ctx, application, signal } = run
  const host = getRunHost(run)
  for (;;) {
    signal.throwIfAborted()
    const found = await findInspection(host.docker, instance.container_id ?? '', signal)
    const old = Object.entries(found?.NetworkSettings.Networks ?? {}).filter(
      ([name]) =>
        name.startsWith(slipwayPrefix) && name !== instance.network && name !== instance.project_network,
    )
    if (!found || old.length === 0) return
    const addresses = old.flatMap(([, of]) => of?.IPAddress || [])
    const isOpen =
      found.State.Pid !== 0 &&
      countConnections(await readSocketTables(host, found.State.Pid, signal), addresses) > 0
    const isOver = !isOpen || Date.now() >= until
    if (isOver) {
      await run.stepEntered
      for (const [network] of old) await leave(run, { id: found.Id, network })
      return
    }
    if (await isSuccessorWaiting(ctx.db, application.workspace_id, application.id)) return
    await sleep(pollDelay, undefined, { signal })
  }
}

/** Docker returns 403 or 404 if the container is not connected or the network is gone. */
async function leave(run: ReleaseRun, of: { id: string; network: string }): Promise<void> {
  try {
    await leaveNetwork(getRunHost(run).docker, of)
  } catch (error) {
    if (!(error instanceof DockerError && [403, 404].includes(error.status))) throw error
  }
}
