import { z } from 'zod'
import { id, type Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob, enqueue, type JobRun, finishQueuedDuplicates } from '../../platform/jobs.ts'
import { requestMissedDeliveries } from './request-missed-deliveries.ts'
import { reportCommitStatuses } from './report-commit-statuses.ts'
import { sql } from 'kysely'
import { deleteInBatches } from '../../platform/delete-in-batches.ts'
import { handleDeliveriesJob } from './delivery-queue.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { nudge } from '../../events.ts'
import { applyDecisions } from './apply-decisions.ts'
import { decideDelivery } from './decide-delivery.ts'
import { failureSummary, isLastDeliveryAttempt } from './last-attempt.ts'
import { type Delivery, listWaitingDeliveries } from './store.ts'
import { coalesceDecisions, failedDecision, type DecidedDelivery, type Decision } from './decision.ts'

/** Debounce after a deployment in milliseconds: later deliveries are merged into one deployment. */
const debounce = 1_000

/** Processes all waiting deliveries of a queue. */
async function handleDeliveries(
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
    ctx.log.error({ delivery: delivery.id, why: String(error) }, 'Failed to process a delivery')
    return [failedDecision(failureSummary('process this delivery'))]
  }
}

const isExpired = sql`received_at < now() - interval '30 days'`

export const deleteOldDeliveries = ({ db }: Pick<Context, 'db'>, signal: AbortSignal): Promise<void> =>
  deleteInBatches(db, 'deliveries', isExpired, signal)

/** Requeues deliveries of all workspaces whose job was given up. */
export async function requeueAbandonedDeliveries({ db, secrets }: Context): Promise<void> {
  const { rows } = await sql<{ workspace_id: Id<'workspace'>; queue: string }>`
    select distinct workspace_id, queue from deliveries d
    where status = 'waiting' and received_at < now() - interval '1 minute'
      and not exists (select from jobs where state in ('queued', 'running')
        and key = 'deliveries:' || d.workspace_id || ':' || d.queue)`.execute(db)
  for (const { workspace_id, queue } of rows)
    await enqueue(secrets, db, handleDeliveriesJob(workspace_id, queue))
}

const queue = z.object({ workspace_id: id('workspace'), queue: z.string() })
const application = z.object({ workspace_id: id('workspace'), application_id: id('application') })
const noPayload = z.object({})

export const jobs = [
  defineJob<Context, typeof queue>('handle-deliveries', queue, (ctx, payload, run) =>
    handleDeliveries(ctx, payload.workspace_id, payload.queue, run),
  ),
  defineJob<Context, typeof application>('tell-commit-statuses', application, (ctx, payload, run) =>
    reportCommitStatuses(ctx, payload.workspace_id, payload.application_id, run),
  ),
  defineJob<Context, typeof noPayload>('tidy-deliveries', noPayload, async (ctx, _payload, { signal }) => {
    await requeueAbandonedDeliveries(ctx)
    await deleteOldDeliveries(ctx, signal)
  }),
  defineJob<Context, typeof noPayload>('ask-for-missed-deliveries', noPayload, (ctx, _payload, { signal }) =>
    requestMissedDeliveries(ctx, signal),
  ),
]

export const schedules = [
  {
    name: 'tidy-deliveries',
    everySeconds: 60,
    job: { kind: 'tidy-deliveries', payload: {}, lane: 'poll' as const },
  },
  {
    name: 'ask-for-missed-deliveries',
    everySeconds: 300,
    atStart: true,
    // Not retried: the schedule runs again soon.
    job: { kind: 'ask-for-missed-deliveries', payload: {}, lane: 'poll' as const, attempts: 1 },
  },
]
