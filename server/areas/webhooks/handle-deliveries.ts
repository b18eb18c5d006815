import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { nudge } from '../../events.ts'
import { isConnectionLost } from '../../platform/db.ts'
import { finishQueuedDuplicates, type JobRun, JobStopped } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { requestDeployment } from '../deployments/request-deployment.ts'
import {
  isPaymentOverdue,
  isWorkspaceLocked,
  noPlanReason,
  readPlanAccess,
} from '../workspaces/plan-access.ts'
import { decideInstallationEvent, decideRepositoryEvent } from './decide-account-event.ts'
import { decidePush } from './decide-push.ts'
import {
  coalesceDecisions,
  type DecidedDelivery,
  type Decision,
  failedDecision,
  completeDeliveries,
  type Delivery,
  type HookOutcome,
  ignoredDecision,
  insertOutcomes,
  listOutcomes,
  listWaitingDeliveries,
  openPayload,
} from './delivery.ts'
import { decideDeployHook } from './deploy-hook.ts'

/** Debounce after a deployment in milliseconds: later deliveries are merged into one deployment. */
const debounce = 1_000

export async function handleDeliveries(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  queue: string,
  run: JobRun,
): Promise<void> {
  for (;;) {
    run.signal.throwIfAborted()
    await finishQueuedDuplicates(ctx.db, run)
    const decided = await decideWaiting(ctx, workspaceId, queue, run)
    const last = decided.at(-1)
    if (!last) return
    await applyDecisions(ctx, workspaceId, decided, run)
    await nudge(ctx.db, workspaceId, 'delivery.changed', last.id)
    if (decided.some(({ decisions }) => decisions.some(({ request }) => request)))
      await sleep(debounce, undefined, { signal: run.signal })
  }
}

async function decideWaiting(ctx: Context, workspaceId: Id<'workspace'>, queue: string, run: JobRun) {
  const decided: DecidedDelivery[] = []
  for (const delivery of await listWaitingDeliveries(ctx.db, workspaceId, queue))
    decided.push({ id: delivery.id, decisions: await tryToDecide(ctx, delivery, run) })
  return coalesceDecisions(decided)
}

async function tryToDecide(ctx: Context, delivery: Delivery, run: JobRun): Promise<Decision[]> {
  try {
    return await decideDelivery(ctx, delivery)
  } catch (error) {
    if (!isLastDeliveryAttempt(error, run)) throw error
    ctx.log.error({ delivery: delivery.id, reason: String(error) }, 'Failed to process a delivery')
    return [failedDecision(failureSummary('process this delivery'))]
  }
}

export async function decideDelivery(ctx: Context, delivery: Delivery): Promise<Decision[]> {
  const decisions = await decideByKind(ctx, delivery)
  if (!decisions.some(({ request }) => request)) return decisions
  if (await isWorkspaceLocked(ctx.db, delivery.workspace_id))
    return ignoreDeployments(
      decisions,
      'The workspace is locked, so nothing was deployed. Redeliver after it is unlocked.',
    )
  const { allowed, subscription } = await readPlanAccess(ctx, ctx.db, delivery.workspace_id)
  if (allowed) return decisions
  const reason = `${noPlanReason(subscription)}, so nothing was deployed. ${isPaymentOverdue(subscription) ? 'Pay the invoice' : 'Choose a plan'}, then redeliver.`
  return ignoreDeployments(decisions, reason)
}

const ignoreDeployments = (decisions: Decision[], reason: string) =>
  decisions.map((decision) => (decision.request ? ignoredDecision(reason, decision.application) : decision))

async function decideByKind(ctx: Context, delivery: Delivery): Promise<Decision[]> {
  if (delivery.hook === 'deploy') return decideDeployHook(ctx, delivery)
  try {
    const payload: unknown = JSON.parse(openPayload(ctx, delivery))
    if (delivery.event === 'push') return await decidePush(ctx, delivery, payload)
    if (delivery.event === 'installation') return await decideInstallationEvent(ctx, delivery, payload)
    if (delivery.event === 'repository') return await decideRepositoryEvent(ctx, delivery, payload)
    return [ignoredDecision(`Events of type ${delivery.event} are ignored.`)]
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    return [failedDecision(`Invalid ${delivery.event} event: unexpected format. The event was ignored.`)]
  }
}

/** Writes a deployment and its outcome in one transaction, so that a worker that takes over repeats nothing. */
export async function applyDecisions(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  decided: DecidedDelivery[],
  run: JobRun,
): Promise<void> {
  const ids = decided.map(({ id }) => id)
  const recorded = await listOutcomes(ctx.db, workspaceId, ids)
  const outcomes: HookOutcome[] = []
  const errors: unknown[] = []
  for (const { id, decisions } of decided) {
    const existing = recorded.filter((outcome) => outcome.delivery_id === id)
    const remaining = decisions.filter(
      (decision) => !existing.some((outcome) => isForSameApplication(outcome, decision)),
    )
    // Outcomes recorded before a crash may be at any position.
    const next = Math.max(-1, ...existing.map(({ position }) => position)) + 1
    for (const [offset, decision] of remaining.entries()) {
      const row = toOutcomeRow(workspaceId, id, next + offset, decision)
      try {
        const left = decision.request ? await requestDecidedDeployment(ctx, row, decision, run) : row
        if (left) outcomes.push(left)
      } catch (error) {
        if (isInfrastructureError(error)) throw error
        errors.push(error)
      }
    }
  }
  if (errors.length > 0) throw errors[0]
  await transaction(ctx.db, async (trx) => {
    await run.assertLease(trx)
    if (outcomes.length > 0) await insertOutcomes(trx, outcomes)
    await completeDeliveries(trx, workspaceId, ids)
  })
}

const isForSameApplication = (outcome: HookOutcome, { application }: Decision) =>
  outcome.application_id === (application?.id ?? null)

const toOutcomeRow = (
  workspace_id: Id<'workspace'>,
  delivery_id: Id<'delivery'>,
  position: number,
  { application, status, summary }: Decision,
): HookOutcome => ({
  workspace_id,
  delivery_id,
  application_id: application?.id ?? null,
  application_name: application?.name ?? null,
  status,
  summary,
  deployment_id: null,
  position,
})

async function requestDecidedDeployment(
  ctx: Context,
  row: HookOutcome,
  { application, request }: Decision,
  run: JobRun,
): Promise<HookOutcome | undefined> {
  if (!application || !request) return undefined
  const target = { workspace_id: row.workspace_id, id: application.id }
  try {
    await requestDeployment(
      ctx,
      request.initiator,
      target,
      request.deployment,
      async (trx, deployment_id) => {
        await run.assertLease(trx)
        await insertOutcomes(trx, [{ ...row, deployment_id }])
      },
    )
    return undefined
  } catch (error) {
    if (error instanceof Problem)
      return { ...row, status: error.code === 'stays_stopped' ? 'ignored' : 'failed', summary: error.message }
    if (!isLastDeliveryAttempt(error, run)) throw error
    ctx.log.error(
      { delivery: row.delivery_id, application: application.id, reason: String(error) },
      'Failed to start the deployment of a delivery',
    )
    return { ...row, status: 'failed', summary: failureSummary('start this deployment') }
  }
}

/** Gives up on a delivery after this many failures, so that it does not block the queue. */
const maxAttempts = 4

const isInfrastructureError = (error: unknown) => isConnectionLost(error) || error instanceof JobStopped

const isLastDeliveryAttempt = (error: unknown, run: Pick<JobRun, 'attempt'>) =>
  !isInfrastructureError(error) && run.attempt >= maxAttempts

/** Text for users; details are only logged, since they may be confidential. */
const failureSummary = (action: string) =>
  `Slipway failed to ${action}. See the Slipway log for the reason, then redeliver.`
