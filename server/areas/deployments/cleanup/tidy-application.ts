import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { nudge } from '../../../events.ts'
import type { Run } from '../../../platform/jobs.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { Trx } from '../../../tables.ts'
import { type ApplicationRow, findApplication, lockApplication } from '../../applications/application.ts'
import { type Instance, listInstances } from '../../applications/instance.ts'
import { deleteNeverLive } from '../../applications/release.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { hostOf } from '../../servers/reach.ts'
import { findServer } from '../../servers/server.ts'
import { isNamedByUs, isOf, listMade, removeContainer } from '../containers/containers.ts'
import { bringBack } from './hold.ts'
import { countAllOpen, isThrough, letGo } from './letting-go.ts'
import type { Retiring } from './retire.ts'
import { isRouted } from '../containers/routed.ts'
import { clearEarlier } from '../source/source-work.ts'
import { prune } from '../steps/prune.ts'
import { lockUnderWay } from '../run/store.ts'
import { takeNames } from './take-names.ts'

/** Removes what belongs to no deployment any more. Holds the application's key, so nobody is at work on it. */
export async function tidyApplication(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'application'>,
  run: Run,
): Promise<void> {
  const application = await findApplication(ctx.db, workspaceId, id)
  const server = application && (await findServer(ctx, workspaceId, application.server_id))
  if (!server || application.deleting_at) return
  const write = (work: (trx: Trx) => Promise<void>) =>
    transaction(ctx.db, async (trx) => {
      await lockApplication(trx, workspaceId, id)
      // One that is about to be taken up again knows best what is its own.
      if ((await lockUnderWay(trx, workspaceId, id)).length > 0) throw new Busy()
      await run.stillMine(trx)
      await work(trx)
    })
  try {
    await write(async (trx) => void (await deleteNeverLive(trx, workspaceId, id)))
    // A deployment that was turned back may have been cut off before the proxy heard of it.
    if (await isRouted(ctx.db, application)) await syncProxy(ctx, server, run.signal)
    const all = await listInstances(ctx.db, workspaceId, id)
    const draining = all.filter(({ state }) => state === 'draining')
    // Who found one by its name a moment ago may still come; it ends the next time.
    const found = await takeNames({ ctx, server, application, write }, draining)
    const open = await countAllOpen({ ctx, server, application }, draining)
    await letGo(
      { ctx, server, application, write },
      all.filter((one) => isLeft(application, one) && isThrough(one, open, ctx.now()) && !found.has(one.id)),
    )
    // After what was to take its place is gone, which may have its name, its address or its files.
    await bringBack(
      { ctx, server, application, write },
      all.filter(({ state }) => state === 'held'),
    )
    await clearEarlier({ ctx, server, application })
    await removeUnknown({ ctx, server, application, write, signal: run.signal })
    await prune({ ctx, server, application, write, signal: run.signal })
    await nudge(ctx.db, workspaceId, 'application.changed', id)
  } catch (error) {
    if (!(error instanceof Busy)) throw error
  }
}

/** What was stopped stays for as long as the application is to be. */
const isLeft = ({ wanted }: ApplicationRow, { state }: Instance) =>
  state === 'starting' || state === 'draining' || (state === 'stopped' && wanted === 'running')

/** Rows come before containers: what was there before the rows were read, and has none, has lost it. */
async function removeUnknown(given: Retiring & { signal: AbortSignal }): Promise<void> {
  const { ctx, server, application, write, signal } = given
  const { docker } = hostOf(ctx, server)
  const made = (await listMade(docker, application.id)).filter(isNamedByUs)
  let known: Instance[] = []
  await write(async (trx) => {
    known = await listInstances(trx, application.workspace_id, application.id)
  })
  for (const one of made) {
    signal.throwIfAborted()
    if (!known.some((instance) => isOf(one, instance))) await removeContainer(docker, one.id)
  }
}

/** A deployment is under way by now. */
class Busy extends Error {}
