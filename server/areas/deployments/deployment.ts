import type { z } from 'zod'
import type { deployment } from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { type Actor, holds, limitOf } from '../../route.ts'
import type { Db } from '../../tables.ts'
import { stillMay } from '../auth/still-may.ts'
import { redactorForActor } from '../applications/redact-for.ts'
import { redactOutput, redactorFor } from './redact.ts'
import { followOutput, readLines } from '../outputs/output.ts'
import { waitsOf } from './places.ts'
import { errorsOf, openStepError } from './sealed-errors.ts'
import {
  type Deployment,
  type DeploymentQuery,
  type DeploymentRow,
  findDeploymentRow,
  listDeploymentRows,
} from './store.ts'

export type { Deployment, DeploymentRow }

export const isOver = ({ status }: Pick<Deployment, 'status'>) => status !== 'queued' && status !== 'running'

const isCancelling = (row: Deployment) => !isOver(row) && row.cancel_requested_at !== null

/** Not once it takes the traffic, nor twice. */
const isCancellable = (row: Deployment) => !isOver(row) && row.switched_at === null && !isCancelling(row)

export const present = (
  ctx: Pick<Context, 'secrets'>,
  row: DeploymentRow,
  logs: string[] = [],
): z.input<typeof deployment> => ({
  id: row.id,
  type: row.type,
  status: row.status,
  message: row.message,
  data: { tag: row.tag, logs, cut: row.log_cut, deleted: row.log_deleted_at !== null },
  errors: errorsOf(ctx, row),
  actor: { name: row.actor_name },
  target: { id: row.application_id, name: row.application_name },
  server: { id: row.server_id, name: row.server_name },
  release:
    row.release_id && row.release_number !== null ? { id: row.release_id, number: row.release_number } : null,
  commit: row.commit,
  steps: row.steps.map(({ name, status, error_sealed, started_at, finished_at }) => ({
    name,
    status,
    error: openStepError(ctx, row.id, error_sealed),
    started_at: timeOf(started_at),
    finished_at: timeOf(finished_at),
  })),
  plan: row.plan?.some(({ service }) => service !== '') ? row.plan : null,
  waits: waitsOf(row),
  cancellable: isCancellable(row),
  cancelling: isCancelling(row),
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  finished_at: row.finished_at?.toISOString() ?? null,
})

type Redactor = (text: string) => string

const timeOf = (written: string | null) => (written === null ? null : new Date(written).toISOString())

export async function listDeployments(ctx: Context, actor: Actor, query: DeploymentQuery) {
  const { rows, page } = await listDeploymentRows(ctx.db, actor.workspace.id, query, limitOf(actor))
  const redactKnown = await redactorForActor(ctx, actor)
  const deployments = await Promise.all(rows.map((row) => presentFor(ctx, actor, row, redactKnown)))
  return { deployments, page }
}

/**
 * Whoever may not manage the application sees no value in it that may be a secret. A deployment that is over keeps none of its
 * own, so `redactKnown` hides those of the applications as they are now.
 */
async function presentFor(
  ctx: Context,
  actor: Actor,
  row: DeploymentRow,
  redactKnown: Redactor,
  logs: string[] = [],
) {
  const whole = present(ctx, row, logs)
  if (holds(actor, 'applications.manage')) return whole
  const redactOwn = await redactorFor(ctx, row)
  const redact = (text: string) => redactKnown(redactOwn(text))
  const hide = (text: string | null) => (text === null ? null : redact(text))
  return {
    ...whole,
    message: hide(whole.message),
    data: { ...whole.data, logs: whole.data.logs.map(redact) },
    errors: whole.errors.map(redact),
    steps: whole.steps.map((step) => ({ ...step, error: hide(step.error) })),
    plan: whole.plan?.map((one) => ({ ...one, why: one.why.map(redact) })) ?? null,
  }
}

export async function getDeploymentRow(
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'deployment'>,
): Promise<DeploymentRow> {
  const row = await findDeploymentRow(db, workspaceId, id)
  if (!row) throw notFound('This deployment')
  return row
}

export async function getDeployment(
  ctx: Context,
  actor: Actor,
  id: Id<'deployment'>,
  { logs }: { logs: boolean },
) {
  const row = await getDeploymentRow(ctx.db, actor.workspace.id, id)
  const lines = logs ? await readLines(ctx, ctx.db, row.workspace_id, id) : []
  return presentFor(ctx, actor, row, await redactorForActor(ctx, actor), lines)
}

/** Its log as it is written, for as long as whoever reads may. */
export async function* streamDeploymentLogs(
  ctx: Context,
  actor: Actor,
  id: Id<'deployment'>,
  { signal, lastEventId }: { signal: AbortSignal; lastEventId: string | undefined },
) {
  const row = await getDeploymentRow(ctx.db, actor.workspace.id, id)
  const { id: workspace } = actor.workspace
  const output = followOutput(ctx, workspace, {
    source: id,
    after: lastEventId,
    signal,
    isOver: async () => {
      const row = await findDeploymentRow(ctx.db, workspace, id)
      return !row || isOver(row)
    },
    mayRead: () => stillMay(ctx, actor, 'deployments.read'),
  })
  if (holds(actor, 'applications.manage')) {
    yield* output
    return
  }
  const [redactOwn, redactKnown] = [await redactorFor(ctx, row), await redactorForActor(ctx, actor)]
  yield* redactOutput(output, (text) => redactKnown(redactOwn(text)))
}
