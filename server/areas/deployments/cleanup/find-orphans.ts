import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../platform/jobs.ts'
import { transaction } from '../../../platform/transaction.ts'
import { containersAreLive } from '../../containers/live.ts'
import { type Deployment, isFinished } from '../run/deployment.ts'
import { abandonedMessage } from '../run/finish.ts'
import { enqueueDeploy, enqueueDrain } from '../run/deploy-job.ts'
import { sealErrors } from '../run/sealed-errors.ts'
import { lockDeployment, updateDeployment } from '../run/store.ts'

const noJob = sql`not exists (select from jobs j where j.key = 'application:' || a.id and j.state in ('queued', 'running'))`

/** Requeues unfinished deployments that have no job, to finish them. */
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

/** Same check as in containers.ts: other containers may carry our labels. */
const hasGeneratedName = sql`c.name ~ '^[a-z0-9-]+-[0-9]+-[0-9]+-[^-]+$' and right(c.name, 5) = '-' || right(c.instance_id, 4)`

/** Enqueues a cleanup job for each application with leftovers on a reachable server. */
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
          and ${hasGeneratedName}
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
