import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { requestDeployment } from '../deployments/request-deployment.ts'
import { couldNot, isLastTry, isOurs } from './last-try.ts'
import { endDeliveries, insertOutcomes, listOutcomes, type Outcome } from './store.ts'
import type { Judged, Verdict } from './verdict.ts'

/**
 * Requests the deployments and records the outcomes in one transaction, so that a worker that takes over repeats nothing.
 */
export async function carryOut(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  judged: Judged[],
  run: JobRun,
): Promise<void> {
  const ids = judged.map(({ id }) => id)
  const before = await listOutcomes(ctx.db, workspaceId, ids)
  const rest: Outcome[] = []
  const mishaps: unknown[] = []
  for (const { id, verdicts } of judged) {
    const known = before.filter((one) => one.delivery_id === id)
    const fresh = verdicts.filter((one) => !known.some((outcome) => isAbout(outcome, one)))
    // Outcomes recorded before a crash may be at any position.
    const next = Math.max(-1, ...known.map(({ position }) => position)) + 1
    for (const [place, verdict] of fresh.entries()) {
      const row = rowOf(workspaceId, id, next + place, verdict)
      try {
        const left = verdict.asks ? await askFor(ctx, row, verdict, run) : row
        if (left) rest.push(left)
      } catch (error) {
        if (isOurs(error)) throw error
        mishaps.push(error)
      }
    }
  }
  // The other deployments are requested; failed ones are retried.
  if (mishaps.length > 0) throw mishaps[0]
  await transaction(ctx.db, async (trx) => {
    await run.assertLease(trx)
    if (rest.length > 0) await insertOutcomes(trx, rest)
    await endDeliveries(trx, workspaceId, ids)
  })
}

const isAbout = (outcome: Outcome, { application }: Verdict) =>
  outcome.application_id === (application?.id ?? null)

const rowOf = (
  workspace_id: Id<'workspace'>,
  delivery_id: Id<'delivery'>,
  position: number,
  { application, status, summary }: Verdict,
): Outcome => ({
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
async function askFor(
  ctx: Context,
  row: Outcome,
  { application, asks }: Verdict,
  run: JobRun,
): Promise<Outcome | undefined> {
  if (!application || !asks) return undefined
  const of = { workspace_id: row.workspace_id, id: application.id }
  try {
    await requestDeployment(ctx, asks.doer, of, asks.wanted, async (trx, deployment_id) => {
      await run.assertLease(trx)
      await insertOutcomes(trx, [{ ...row, deployment_id }])
    })
    return undefined
  } catch (error) {
    if (error instanceof Problem)
      return { ...row, status: error.code === 'stays_stopped' ? 'ignored' : 'failed', says: error.message }
    if (!isLastTry(error, run)) throw error
    ctx.log.error(
      { delivery: row.delivery_id, application: application.id, why: String(error) },
      'Failed to start the deployment of a delivery',
    )
    return { ...row, status: 'failed', says: couldNot('start this deployment') }
  }
}
