import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { nudge } from '../../../events.ts'
import { type JobRun, enqueue } from '../../../platform/jobs.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { Trx } from '../../../tables.ts'
import { type ApplicationRow, findApplication, lockApplication } from '../../applications/application.ts'
import {
  type Instance,
  listInstances,
  belongsToInstance,
  hasGeneratedName,
  listManagedContainers,
} from '../../applications/instance.ts'
import { deleteNeverLive } from '../../applications/release.ts'
import { containersAreLive } from '../../containers/live.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { getServerHost } from '../../servers/server-host.ts'
import { findServer } from '../../servers/server.ts'
import { isRouted } from '../containers/route-targets.ts'
import {
  type Deployment,
  enqueueDeploy,
  enqueueDrain,
  isFinished,
  sealErrors,
  lockUnfinished,
  lockDeployment,
  updateDeployment,
} from '../run/deployment.ts'
import { abandonedMessage } from '../run/finish-deployment.ts'
import { clearEarlierSources } from '../source/source-work.ts'
import { pruneReleases } from './clean-up.ts'
import { countOpenRequests, isDrained, removeOrKeepStopped, type RemovalContext } from './remove-instances.ts'
import { restoreStopped } from './stop-to-make-room.ts'
import { removeContainer } from '../../containers/docker-container.ts'

/** Runs under the job key of the application, so no deployment runs at the same time. */
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
    const open = await countOpenRequests({ ctx, server, application }, draining)
    await removeOrKeepStopped(
      { ctx, server, application, write },
      all.filter((instance) => isOrphaned(application, instance) && isDrained(instance, open, ctx.now())),
    )
    // The removed replacement may have held the name, address or files of the old container.
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

const isOrphaned = ({ wanted }: ApplicationRow, { state }: Instance) =>
  state === 'starting' || state === 'draining' || (state === 'stopped' && wanted === 'running')

/** Rows are created before containers, so a container listed before the rows and without one is an orphan. */
async function removeUnknownContainers(given: RemovalContext & { signal: AbortSignal }): Promise<void> {
  const { ctx, server, application, write, signal } = given
  const { docker } = getServerHost(ctx, server)
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

const noJob = sql`not exists (select from jobs j where j.key = 'application:' || a.id and j.state in ('queued', 'running'))`

export async function requeueAbandoned(ctx: Context): Promise<void> {
  const { rows } = await sql<Pick<Deployment, 'id' | 'workspace_id'>>`
    select d.id, d.workspace_id from deployments d
    join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id
    where d.status in ('queued', 'running') and ${noJob}`.execute(ctx.db)
  for (const { workspace_id, id } of rows)
    await transaction(ctx.db, async (trx) => {
      const lost = await lockDeployment(trx, workspace_id, id)
      if (!lost || isFinished(lost)) return
      const isThere = lost.switched_at !== null
      const job_id = isThere ? await enqueueDrain(ctx, trx, lost) : await enqueueDeploy(ctx, trx, lost)
      const isLost = lost.status === 'running' && !isThere && !lost.cancel_requested_at
      const errors_sealed = lost.errors_sealed ?? (isLost ? sealErrors(ctx, id, [abandonedMessage]) : null)
      await updateDeployment(trx, workspace_id, id, { job_id, errors_sealed })
    })
}

/** The same check as `hasGeneratedName`, in SQL: containers that Slipway did not create may have its labels. */
const isNameGenerated = sql`c.name ~ '^[a-z0-9-]+-[0-9]+-[0-9]+-[^-]+$' and right(c.name, 5) = '-' || right(c.instance_id, 4)`

export async function enqueueOrphanRemoval(ctx: Context): Promise<void> {
  const { rows } = await sql<{ id: Id<'application'>; workspace_id: Id<'workspace'> }>`
    select a.id, a.workspace_id from applications a
    join servers s on s.workspace_id = a.workspace_id and s.id = a.server_id and s.status = 'ready'
    where a.deleting_at is null and ${noJob} and (
      exists (
        select from instances i where i.application_id = a.id
          and (i.state in ('starting', 'held', 'draining') or (i.state = 'stopped' and a.wanted = 'running')))
      or exists (
        select from deployments d
        where d.workspace_id = a.workspace_id and d.application_id = a.id and d.type = 'build_application'
          and d.followed is not null and d.status not in ('queued', 'running'))
      or exists (select from releases r where r.application_id = a.id and r.live_at is null)
      or exists (
        select from containers c
        where c.workspace_id = a.workspace_id and c.server_id = s.id and c.application_id = a.id and ${containersAreLive('s')}
          and ${isNameGenerated}
          and not exists (select from instances i where i.id = c.instance_id)))`.execute(ctx.db)
  for (const { id: application_id, workspace_id } of rows)
    await enqueue(ctx.secrets, ctx.db, {
      kind: 'tidy-application',
      payload: { workspace_id, application_id },
      key: `application:${application_id}`,
      lane: 'drain',
      attempts: 1,
    })
}
