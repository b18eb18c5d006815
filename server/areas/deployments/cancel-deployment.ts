import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import { emit, nudge } from '../../events.ts'
import { cancelJob } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import {
  type Deployment,
  isFinished,
  lockDeployment,
  updateDeployment,
  updateSteps,
} from './run/deployment.ts'
import { type DeploymentRow, getDeploymentRow, showDeployment } from './present-deployment.ts'
import { applicationTarget } from '../applications/application.ts'

/** Saves the request in the database, so that a worker that takes over stops the deployment as well. */
export async function cancelDeployment(ctx: Context, actor: Actor, id: Id<'deployment'>) {
  const row = await getDeploymentRow(ctx.db, actor.workspace.id, id)
  await transaction(ctx.db, (trx) => requestCancel(trx, actor, row))
  return showDeployment(ctx, actor.workspace.id, id)
}

async function requestCancel(
  trx: Trx,
  actor: Actor,
  { workspace_id, id, ...row }: DeploymentRow,
): Promise<void> {
  const now = await lockDeployment(trx, workspace_id, id)
  if (!now) throw notFound('This deployment')
  if (now.switched_at) throw conflict('takes_traffic', 'The new release is already live. Roll back instead.')
  if (isFinished(now) || now.cancel_requested_at) return
  await stopDeployment(trx, now)
  const target = { ...applicationTarget({ id: row.application_id, name: row.application_name }), about: id }
  await emit(trx, actor, workspace_id, 'deployment.cancelled', target, row.message ?? undefined)
  await nudge(trx, workspace_id, 'deployment.changed', row.application_id)
}

export async function stopDeployment(
  trx: Trx,
  { workspace_id, id, status, job_id }: Deployment,
): Promise<void> {
  const ended = job_id ? await cancelJob(trx, job_id) : undefined
  const neverBegan = status === 'queued' && ended !== 'cancelling'
  if (neverBegan) await updateSteps(trx, workspace_id, id, { status: 'waiting' }, { status: 'skipped' })
  await updateDeployment(trx, workspace_id, id, {
    cancel_requested_at: new Date(),
    ...(neverBegan && { status: 'cancelled', finished_at: new Date() }),
  })
}
