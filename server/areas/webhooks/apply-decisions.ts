import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { requestDeployment } from '../deployments/request-deployment.ts'
import { failureSummary, isLastDeliveryAttempt, isInfrastructureError } from './last-attempt.ts'
import { completeDeliveries, insertOutcomes, listOutcomes, type HookOutcome } from './store.ts'
import type { DecidedDelivery, Decision } from './decision.ts'

/**
 * Requests the deployments and records the outcomes in one transaction, so that a worker that takes over repeats nothing.
 */
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
    const existing = recorded.filter((one) => one.delivery_id === id)
    const remaining = decisions.filter(
      (one) => !existing.some((outcome) => isForSameApplication(outcome, one)),
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
  // The other deployments are requested; failed ones are retried.
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
  says: summary,
  deployment_id: null,
  position,
})

/** Returns the outcome to record if the deployment was rejected. */
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
      return { ...row, status: error.code === 'stays_stopped' ? 'ignored' : 'failed', says: error.message }
    if (!isLastDeliveryAttempt(error, run)) throw error
    ctx.log.error(
      { delivery: row.delivery_id, application: application.id, why: String(error) },
      'Failed to start the deployment of a delivery',
    )
    return { ...row, status: 'failed', says: failureSummary('start this deployment') }
  }
}
