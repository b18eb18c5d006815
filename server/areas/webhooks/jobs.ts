import { z } from 'zod'
import { id, type Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob, enqueue, type JobRun, finishQueuedDuplicates } from '../../platform/jobs.ts'
import { askAgain } from './ask-again.ts'
import { tellStatuses } from './tell-statuses.ts'
import { sql } from 'kysely'
import { deleteInBatches } from '../../platform/delete-in-batches.ts'
import { handlingOf } from './queue.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { nudge } from '../../events.ts'
import { carryOut } from './carry-out.ts'
import { judge } from './judge.ts'
import { couldNot, isLastTry } from './last-try.ts'
import { type Delivery, listWaiting } from './store.ts'
import { coalesce, failed, type Judged, type Verdict } from './verdict.ts'

/** Debounce after a deployment in milliseconds: later deliveries are merged into one deployment. */
const pause = 1_000

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
    const judged = await judgeWaiting(ctx, workspaceId, queue, run)
    const last = judged.at(-1)
    if (!last) return
    await carryOut(ctx, workspaceId, judged, run)
    await nudge(ctx.db, workspaceId, 'delivery.changed', last.id)
    if (judged.some(({ verdicts }) => verdicts.some(({ asks }) => asks)))
      await sleep(pause, undefined, { signal: run.signal })
  }
}

async function judgeWaiting(ctx: Context, workspaceId: Id<'workspace'>, queue: string, run: JobRun) {
  const judged: Judged[] = []
  for (const delivery of await listWaiting(ctx.db, workspaceId, queue))
    judged.push({ id: delivery.id, verdicts: await tryToJudge(ctx, delivery, run) })
  return coalesce(judged)
}

async function tryToJudge(ctx: Context, delivery: Delivery, run: JobRun): Promise<Verdict[]> {
  try {
    return await judge(ctx, delivery)
  } catch (error) {
    if (!isLastTry(error, run)) throw error
    ctx.log.error({ delivery: delivery.id, why: String(error) }, 'Failed to process a delivery')
    return [failed(couldNot('process this delivery'))]
  }
}

const old = sql`received_at < now() - interval '30 days'`

export const forgetDeliveries = ({ db }: Pick<Context, 'db'>, signal: AbortSignal): Promise<void> =>
  deleteInBatches(db, 'deliveries', old, signal)

/** Requeues deliveries of all workspaces whose job was given up. */
export async function takeUpLeft({ db, secrets }: Context): Promise<void> {
  const { rows } = await sql<{ workspace_id: Id<'workspace'>; queue: string }>`
    select distinct workspace_id, queue from deliveries d
    where status = 'waiting' and received_at < now() - interval '1 minute'
      and not exists (select from jobs where state in ('queued', 'running')
        and key = 'deliveries:' || d.workspace_id || ':' || d.queue)`.execute(db)
  for (const { workspace_id, queue } of rows) await enqueue(secrets, db, handlingOf(workspace_id, queue))
}

const queue = z.object({ workspace_id: id('workspace'), queue: z.string() })
const application = z.object({ workspace_id: id('workspace'), application_id: id('application') })
const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof queue>('handle-deliveries', queue, (ctx, given, run) =>
    handleDeliveries(ctx, given.workspace_id, given.queue, run),
  ),
  defineJob<Context, typeof application>('tell-commit-statuses', application, (ctx, given, run) =>
    tellStatuses(ctx, given.workspace_id, given.application_id, run),
  ),
  defineJob<Context, typeof nothing>('tidy-deliveries', nothing, async (ctx, _given, { signal }) => {
    await takeUpLeft(ctx)
    await forgetDeliveries(ctx, signal)
  }),
  defineJob<Context, typeof nothing>('ask-for-missed-deliveries', nothing, (ctx, _given, { signal }) =>
    askAgain(ctx, signal),
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
