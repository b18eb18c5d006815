import type { z } from 'zod'
import type { deployment } from '../../../../contract/deployments.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { type Actor, getTokenLimit, hasPermission } from '../../../route.ts'
import type { Db, Trx } from '../../../tables.ts'
import { applicationSources, createRedactor, type MaskedSource } from '../../applications/redact-for.ts'
import { stillHasPermission } from '../../auth/still-has-permission.ts'
import { followOutput } from '../../outputs/follow-output.ts'
import { readLines } from '../../outputs/output.ts'
import { deploymentSources, redactLines, redactOutput } from './redact.ts'
import { openErrors, openStepError } from './sealed-columns.ts'
import {
  type Deployment,
  type DeploymentQuery,
  type DeploymentRow,
  findDeploymentRow,
  listDeploymentRows,
} from './store.ts'
import { enqueue } from '../../../platform/jobs.ts'

export type { Deployment, DeploymentRow }

export const isFinished = ({ status }: Pick<Deployment, 'status'>) =>
  status !== 'queued' && status !== 'running'

const isCancelling = (row: Deployment) => !isFinished(row) && row.cancel_requested_at !== null

const isCancellable = (row: Deployment) => !isFinished(row) && row.switched_at === null && !isCancelling(row)

export const presentDeployment = (
  ctx: Pick<Context, 'secrets'>,
  row: DeploymentRow,
  logs: string[] = [],
): z.input<typeof deployment> => ({
  id: row.id,
  type: row.type,
  status: row.status,
  message: row.message,
  data: { tag: row.tag, logs, dropped_lines: row.log_cut, deleted: row.log_deleted_at !== null },
  errors: openErrors(ctx, row),
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
    started_at: toIsoTime(started_at),
    finished_at: toIsoTime(finished_at),
  })),
  plan: row.plan?.some(({ service }) => service !== '')
    ? row.plan.map(({ service, action, reasons }) => ({ service, action, reasons }))
    : null,
  waiting_for: waitingFor(row),
  cancellable: isCancellable(row),
  cancelling: isCancelling(row),
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  finished_at: row.finished_at?.toISOString() ?? null,
})

const toIsoTime = (written: string | null) => (written === null ? null : new Date(written).toISOString())

export async function listDeployments(ctx: Context, actor: Actor, query: DeploymentQuery) {
  const { rows, page } = await listDeploymentRows(ctx.db, actor.workspace.id, query, getTokenLimit(actor))
  const sources = await sourcesFor(ctx, actor, rows)
  const deployments = []
  for (const row of rows) deployments.push(await presentForActor(ctx, actor, row, sources))
  return { deployments, page }
}

/**
 * Loads the current configurations to mask their values for callers without `applications.manage`: finished
 * deployments keep no secrets of their own.
 */
const sourcesFor = async (ctx: Context, actor: Actor, rows: readonly Deployment[]) =>
  hasPermission(actor, 'applications.manage')
    ? new Map<Id<'application'>, MaskedSource[]>()
    : applicationSources(
        ctx,
        actor.workspace.id,
        rows.map(({ application_id }) => application_id),
      )

const redactorFor = (ctx: Context, row: Deployment, known: ReadonlyMap<Id<'application'>, MaskedSource[]>) =>
  createRedactor(ctx, row.workspace_id, [
    ...deploymentSources(ctx, row),
    ...(known.get(row.application_id) ?? []),
  ])

async function presentForActor(
  ctx: Context,
  actor: Actor,
  row: DeploymentRow,
  known: ReadonlyMap<Id<'application'>, MaskedSource[]>,
  logs: string[] = [],
) {
  const whole = presentDeployment(ctx, row, logs)
  const { message, errors, steps, plan } = whole
  const saysNothing = message === null && errors.length + logs.length === 0 && !plan
  if (
    hasPermission(actor, 'applications.manage') ||
    (saysNothing && steps.every(({ error }) => error === null))
  )
    return whole
  const redact = await redactorFor(ctx, row, known)
  return {
    ...whole,
    message: message && redact(message),
    data: { ...whole.data, logs: await redactLines(logs, redact) },
    errors: errors.map(redact),
    steps: steps.map((step) => ({ ...step, error: step.error && redact(step.error) })),
    plan: plan?.map((one) => ({ ...one, reasons: one.reasons.map(redact) })) ?? null,
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
  return presentForActor(ctx, actor, row, await sourcesFor(ctx, actor, [row]), lines)
}

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
      return !row || isFinished(row)
    },
    mayRead: () => stillHasPermission(ctx, actor, 'deployments.read'),
  })
  if (hasPermission(actor, 'applications.manage')) {
    yield* output
    return
  }
  yield* redactOutput(output, await redactorFor(ctx, row, await sourcesFor(ctx, actor, [row])))
}

/** Attempts after internal errors of Slipway. */
export const deployAttempts = 6

type Secrets = Pick<Context, 'secrets'>
type DeploymentRef = Pick<Deployment, 'workspace_id' | 'application_id' | 'server_id' | 'id' | 'type'>

/** The key allows one job per application at a time. */
const deployJob = ({ workspace_id, application_id, id }: DeploymentRef) => ({
  kind: 'deploy',
  payload: { workspace_id, deployment_id: id },
  key: `application:${application_id}`,
  attempts: deployAttempts,
})

export const enqueueDeploy = ({ secrets }: Secrets, trx: Trx, of: DeploymentRef) =>
  enqueue(secrets, trx, {
    ...deployJob(of),
    group: { name: `${laneFor(of.type)}:${of.server_id}`, limit: deploymentsPerServer },
    lane: laneFor(of.type),
  })

export const enqueueDrain = ({ secrets }: Secrets, trx: Trx, of: DeploymentRef) =>
  enqueue(secrets, trx, { ...deployJob(of), lane: 'drain' })

/** Concurrent deployments per server, and as many builds: builds wait long for each other. */
const deploymentsPerServer = 4

/** Builds have their own lane, so that restarts and rollbacks never wait behind one. */
const laneFor = (type: string) => (type === 'build_application' ? 'build' : 'deploy')

type QueuedDeployment = Pick<DeploymentRow, 'status' | 'ahead' | 'busy' | 'server_name' | 'type'>

function waitingFor({ status, ahead, busy, server_name, type }: QueuedDeployment): string | null {
  if (status !== 'queued') return null
  if (ahead)
    return `Waiting for “${ahead.message ?? 'the previous deployment'}”, started by ${ahead.actor_name}.`
  return (busy ?? 0) >= deploymentsPerServer
    ? `Waiting for a free slot: ${server_name} runs ${deploymentsPerServer} ${laneFor(type) === 'build' ? 'builds' : 'deployments'} at a time.`
    : 'Starting…'
}
