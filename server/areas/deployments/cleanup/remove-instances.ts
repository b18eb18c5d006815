import type { Context } from '../../../context.ts'
import type { Docker } from '../../../remote/host.ts'
import type { Trx } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { deleteInstance, type Instance, listInstances, updateInstance } from '../../applications/instance.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { hostOf } from '../../servers/reach.ts'
import type { ServerRow } from '../../servers/server.ts'
import {
  belongsToInstance,
  listManagedContainers,
  removeContainer,
  stopContainer,
  updateContainer,
} from '../containers/containers.ts'
import { isRouted } from '../containers/routed.ts'
import { inStopOrder } from './stop-order.ts'

export interface RemovalContext {
  ctx: Context
  server: ServerRow
  application: ApplicationRow
  /** Runs a transaction that checks the lease. */
  write: (work: (trx: Trx) => Promise<void>) => Promise<void>
}

/** Removes instances from the proxy, stops them gracefully and deletes them. Idempotent. */
export const removeInstances = (given: RemovalContext, instances: Instance[]) =>
  stopAndSave(given, instances, async (docker, id, instance) => {
    // Containers without traffic need no graceful stop.
    if (instance.state !== 'starting') await stopContainer(docker, id)
    await removeContainer(docker, id, { volumes: instance.state === 'starting' })
  })

/** Like `removeInstances`, but keeps the stopped containers. */
export const stopInstances = (given: RemovalContext, instances: Instance[]) =>
  stopAndSave(given, instances, async (docker, id) => {
    await updateContainer(docker, id, { RestartPolicy: { Name: 'no' } })
    await stopContainer(docker, id)
    return 'stopped'
  })

async function stopAndSave(
  given: RemovalContext,
  instances: Instance[],
  act: (docker: Docker, id: string, instance: Instance) => Promise<'stopped' | void>,
): Promise<void> {
  const { ctx, server, application, write } = given
  const going = await leaveProxy(given, instances)
  const { docker } = hostOf(ctx, server)
  const made = await listManagedContainers(docker, application.id)
  const kept = new Set<Instance['id']>()
  const endOne = async (one: Instance) => {
    for (const { id } of made.filter((container) => belongsToInstance(container, one)))
      if ((await act(docker, id, one)) === 'stopped') kept.add(one.id)
    return one
  }
  const ended: PromiseSettledResult<Instance>[] = []
  for (const together of await inStopOrder(ctx, going))
    ended.push(...(await Promise.allSettled(together.map(endOne))))
  await write(async (trx) => {
    for (const one of ended) {
      if (one.status === 'rejected') continue
      const { workspace_id, id } = one.value
      if (kept.has(id)) await updateInstance(trx, workspace_id, id, { state: 'stopped', drain_until: null })
      else await deleteInstance(trx, workspace_id, id)
    }
  })
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}

/**
 * Frees the proxy slots before stopping, because another container may get the address. Skips instances whose
 * state changed: a worker without the lease must not remove what another put back to use.
 */
async function leaveProxy(
  { ctx, server, application, write }: RemovalContext,
  instances: Instance[],
): Promise<Instance[]> {
  const { workspace_id, id } = application
  let going: Instance[] = []
  await write(async (trx) => {
    going = []
    for (const now of await listInstances(trx, workspace_id, id)) {
      if (!instances.some((one) => one.id === now.id && one.state === now.state)) continue
      going.push(now)
      if (now.slot !== null) await updateInstance(trx, workspace_id, now.id, { slot: null })
    }
  })
  if (going.some(({ slot }) => slot !== null) && (await isRouted(ctx.db, application)))
    await syncProxy(ctx, server)
  return going
}
