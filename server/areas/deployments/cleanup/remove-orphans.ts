import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { nudge } from '../../../events.ts'
import type { JobRun } from '../../../platform/jobs.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { Trx } from '../../../tables.ts'
import { type ApplicationRow, findApplication, lockApplication } from '../../applications/application.ts'
import { type Instance, listInstances } from '../../applications/instance.ts'
import { deleteNeverLive } from '../../applications/release.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { hostOf } from '../../servers/reach.ts'
import { findServer } from '../../servers/server.ts'
import {
  hasGeneratedName,
  belongsToInstance,
  listManagedContainers,
  removeContainer,
} from '../containers/containers.ts'
import { restoreStopped } from './stop-to-make-room.ts'
import { countOpenConnections, isDrained, removeOrKeepStopped } from './remove-drained.ts'
import type { RemovalContext } from './remove-instances.ts'
import { isRouted } from '../containers/routed.ts'
import { clearEarlierSources } from '../source/source-work.ts'
import { pruneReleases } from '../steps/prune-releases.ts'
import { lockUnfinished } from '../run/store.ts'
import { removeAliases } from './remove-aliases.ts'

/**
 * Removes leftovers of interrupted deployments. Holds the job key of the application, so no deployment is
 * running.
 */
export async function removeOrphans(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'application'>,
  run: JobRun,
): Promise<void> {
  const application = await findApplication(ctx.db, workspaceId, id)
  const server = application && (await findServer(ctx, workspaceId, application.server_id))
  if (!server || application.deleting_at) return
  const write = (work: (trx: Trx) => Promise<void>) =>
    transaction(ctx.db, async (trx) => {
      await lockApplication(trx, workspaceId, id)
      // A deployment that is about to resume cleans up after itself.
      if ((await lockUnfinished(trx, workspaceId, id)).length > 0) throw new Busy()
      await run.assertLease(trx)
      await work(trx)
    })
  try {
    await write(async (trx) => void (await deleteNeverLive(trx, workspaceId, id)))
    // A reverted deployment may have been interrupted before the proxy sync.
    if (await isRouted(ctx.db, application)) await syncProxy(ctx, server, run.signal)
    const all = await listInstances(ctx.db, workspaceId, id)
    const draining = all.filter(({ state }) => state === 'draining')
    // Clients that just resolved the alias may still connect; removed in the next run.
    const found = await removeAliases({ ctx, server, application, write }, draining)
    const open = await countOpenConnections({ ctx, server, application }, draining)
    await removeOrKeepStopped(
      { ctx, server, application, write },
      all.filter(
        (one) => isOrphaned(application, one) && isDrained(one, open, ctx.now()) && !found.has(one.id),
      ),
    )
    // Only after the replacement is gone, which may hold its name, address or files.
    await restoreStopped(
      { ctx, server, application, write },
      all.filter(({ state }) => state === 'held'),
    )
    await clearEarlierSources({ ctx, server, application })
    await removeUnknownContainers({ ctx, server, application, write, signal: run.signal })
    await pruneReleases({ ctx, server, application, write, signal: run.signal })
    await nudge(ctx.db, workspaceId, 'application.changed', id)
  } catch (error) {
    if (!(error instanceof Busy)) throw error
  }
}

/** Stopped containers stay while the application is stopped. */
const isOrphaned = ({ wanted }: ApplicationRow, { state }: Instance) =>
  state === 'starting' || state === 'draining' || (state === 'stopped' && wanted === 'running')

/** Rows are created before containers, so a container listed before the rows and without one is an orphan. */
async function removeUnknownContainers(given: RemovalContext & { signal: AbortSignal }): Promise<void> {
  const { ctx, server, application, write, signal } = given
  const { docker } = hostOf(ctx, server)
  const made = (await listManagedContainers(docker, application.id)).filter(hasGeneratedName)
  let known: Instance[] = []
  await write(async (trx) => {
    known = await listInstances(trx, application.workspace_id, application.id)
  })
  for (const one of made) {
    signal.throwIfAborted()
    if (!known.some((instance) => belongsToInstance(one, instance))) await removeContainer(docker, one.id)
  }
}

class Busy extends Error {}
