import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { type Actor, getTokenLimit, hasPermission } from '../../route.ts'
import { applicationSources, createRedactor, type MaskedSource } from '../applications/redactor.ts'
import { stillHasPermission } from '../auth/authenticate.ts'
import { followOutput } from '../outputs/follow-output.ts'
import { readLastLines, readLines, readUnfinishedLines } from '../outputs/output.ts'
import { type Deployment, isFinished } from './run/deployment.ts'
import {
  type DeploymentRow,
  getDeploymentRow,
  presentDeployment,
  type DeploymentQuery,
  findDeploymentRow,
  listDeploymentRows,
} from './present-deployment.ts'
import { deploymentSources, redactLines, redactOutput } from './run/redact.ts'

const newestLines = 20

export async function listDeployments(ctx: Context, actor: Actor, query: DeploymentQuery) {
  const { rows, page } = await listDeploymentRows(ctx.db, actor.workspace.id, query, getTokenLimit(actor))
  const sources = await sourcesFor(ctx, actor, rows)
  const deployments = []
  for (const row of rows) {
    const newest = isFinished(row)
      ? []
      : await readLastLines(ctx, ctx.db, row.workspace_id, row.id, newestLines)
    deployments.push(await presentForActor(ctx, actor, row, sources, newest))
  }
  return { deployments, page }
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
  const redact = await redactorFor(ctx, row, await sourcesFor(ctx, actor, [row]))
  // A client may resume within a line, after the first half of a secret, so mask with the beginning of the line.
  const after = Number(lastEventId)
  yield* redactOutput(
    output,
    redact,
    after > 0 ? await readUnfinishedLines(ctx, ctx.db, workspace, id, after) : undefined,
  )
}

/** Finished deployments keep no secrets of their own, so values of the current configuration are masked. */
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
    plan: plan?.map((service) => ({ ...service, reasons: service.reasons.map(redact) })) ?? null,
  }
}
