import { setTimeout as sleep } from 'node:timers/promises'
import { DockerError } from '../../../remote/errors.ts'
import { type Instance, listInstances, listInstancesOn, updateInstance } from '../../applications/instance.ts'
import { findNetworkProject } from '../../applications/project.ts'
import type { Model } from '../../compose/model.ts'
import { ownAliasOf } from '../../compose/names.ts'
import { exposesPort, ownNetworkOf } from '../../compose/own-network.ts'
import { inspect } from '../../containers/inspect.ts'
import { ownPrefix, projectNetworkOf } from '../../servers/network.ts'
import { freeAddresses } from './addresses.ts'
import { type Attempt, Failed, hostFor, releaseOf, writeAs } from '../run/attempt.ts'
import { joinNetwork, leaveNetwork } from '../containers/containers.ts'
import { countOpenAt, readTables } from '../containers/listening.ts'
import { modelFor } from '../compose/model-for.ts'
import { ensureOwnNetwork, ensureProjectNetwork, joinsProjectNetwork, type OwnPlace } from './own-networks.ts'
import { isReplaced } from '../containers/part.ts'
import { freeSlots } from './slots.ts'
import { isWaitedFor } from '../run/store.ts'

/** How often another address is tried when somebody else has the one that was chosen. */
const tries = 4

/** Milliseconds between two looks at what is still open. */
const pause = 500

/**
 * Containers that this deployment leaves alone join the networks that they are to be in now, without a restart: the proxy
 * reaches them there from the switch on. Safe to do again.
 */
export async function joinNewNetworks(attempt: Attempt): Promise<void> {
  const { ctx, application } = attempt
  const model = await modelFor(attempt)
  const staying = model ? await listStaying(attempt) : []
  if (!model || staying.length === 0) return
  const project = await findNetworkProject(ctx.db, application.workspace_id, application.id)
  const wanted = project ? projectNetworkOf(project.id) : null
  const placed = await Promise.all(
    staying.map(async (instance) => {
      const joins = await joinsProjectNetwork(attempt, instance.service, model)
      return { instance, projectNetwork: joins ? wanted : null }
    }),
  )
  const moving = placed.filter(
    ({ instance: { service, network, project_network: now }, projectNetwork }) =>
      now !== projectNetwork ||
      network !== ownNetworkOf(application, model.services[service] ?? {}, model).name,
  )
  if (moving.length === 0) return
  await attempt.entered
  await ensureProjectNetwork(attempt)
  for (const { instance, projectNetwork } of moving) await move(attempt, instance, model, projectNetwork)
}

/** Of the services that are unchanged, those that the proxy reaches. */
async function listStaying({ ctx, application, deployment }: Attempt): Promise<Instance[]> {
  const all = await listInstances(ctx.db, application.workspace_id, application.id)
  return all.filter(
    ({ state, service, network, deployment_id }) =>
      state === 'serving' &&
      network !== null &&
      deployment_id !== deployment.id &&
      !isReplaced(deployment, service),
  )
}

async function move(
  attempt: Attempt,
  instance: Instance,
  model: Model,
  projectNetwork: string | null,
): Promise<void> {
  const { workspace_id, id, service, container_id: container } = instance
  const { docker } = hostFor(attempt)
  const place = await ensureOwnNetwork(attempt, service, model)
  if (!place || !container || !(await inspect(docker, container, attempt.signal))) return
  const address =
    instance.network === place.network ? instance.address : await joinOwn(attempt, container, service, place)
  const config = { Aliases: [ownAliasOf(attempt.application, service)] }
  if (projectNetwork !== null) await joinNetwork(docker, { id: container, network: projectNetwork, config })
  await writeAs(attempt, async (trx) => {
    const all = await listInstances(trx, workspace_id, instance.application_id)
    await updateInstance(trx, workspace_id, id, {
      network: place.network,
      address,
      // Another slot: changing the address of the slot in use would leave the service without a server for a moment.
      ...(instance.slot === null || address === instance.address ? {} : { slot: freeSlots(all)() }),
      project_network: projectNetwork,
      exposes_port: exposesPort(model.services[service] ?? {}),
    })
  })
  attempt.log.say(`Moved ${service} to the application networks without a restart`)
}

/** Resolves with its address there: nobody but this application has addresses in the network. */
async function joinOwn(
  attempt: Attempt,
  container: string,
  service: string,
  { network, subnet }: OwnPlace,
): Promise<string> {
  const { ctx, application, server } = attempt
  const { docker } = hostFor(attempt)
  const instances = await listInstancesOn(ctx.db, application.workspace_id, server.id)
  const taken = instances.flatMap((one) => one.address ?? [])
  for (let nth = 1; nth <= tries; nth++) {
    const now = (await inspect(docker, container))?.NetworkSettings.Networks?.[network]
    // Joined by whoever did this before and was cut off.
    if (now?.IPAddress) return now.IPAddress
    const [address] = freeAddresses(subnet, taken, 1)
    if (address === undefined) break
    const config = { IPAMConfig: { IPv4Address: address }, Aliases: [ownAliasOf(application, service)] }
    try {
      await joinNetwork(docker, { id: container, network, config })
      return address
    } catch (error) {
      if (!(error instanceof DockerError && /address already in use/i.test(error.message))) throw error
      taken.push(address)
    }
  }
  throw new Failed(`${service} got no IP address in the network ${network} on ${server.name}. Deploy again.`)
}

/**
 * Containers that were left alone leave the networks of Slipway that they are no longer to be in, once nothing is open to
 * them there or the time to drain is over. Safe to do again.
 */
export async function leaveOldNetworks(attempt: Attempt): Promise<void> {
  const staying = (await modelFor(attempt)) ? await listStaying(attempt) : []
  if (staying.length === 0) return
  const until = Date.now() + releaseOf(attempt).config.drain_seconds * 1_000
  await Promise.all(staying.map((one) => leaveOld(attempt, one, until)))
}

async function leaveOld(attempt: Attempt, instance: Instance, until: number): Promise<void> {
  const { ctx, application, signal } = attempt
  const host = hostFor(attempt)
  for (;;) {
    signal.throwIfAborted()
    const found = await inspect(host.docker, instance.container_id ?? '', signal)
    const old = Object.entries(found?.NetworkSettings.Networks ?? {}).filter(
      ([name]) =>
        name.startsWith(ownPrefix) && name !== instance.network && name !== instance.project_network,
    )
    if (!found || old.length === 0) return
    const addresses = old.flatMap(([, of]) => of?.IPAddress || [])
    const isOpen =
      found.State.Pid !== 0 && countOpenAt(await readTables(host, found.State.Pid, signal), addresses) > 0
    const isOver = !isOpen || Date.now() >= until
    if (isOver) {
      await attempt.entered
      for (const [network] of old) await leave(attempt, { id: found.Id, network })
      return
    }
    if (await isWaitedFor(ctx.db, application.workspace_id, application.id)) return
    await sleep(pause, undefined, { signal })
  }
}

/** Docker says 403 or 404 of a container that is not in it, and of a network that is gone. */
async function leave(attempt: Attempt, of: { id: string; network: string }): Promise<void> {
  try {
    await leaveNetwork(hostFor(attempt).docker, of)
  } catch (error) {
    if (!(error instanceof DockerError && [403, 404].includes(error.status))) throw error
  }
}
