import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { nudge } from '../../events.ts'
import { type JobRun, finishQueuedDuplicates } from '../../platform/jobs.ts'
import { carryOut } from './carry-out.ts'
import { judge } from './judge.ts'
import { couldNot, isLastTry } from './last-try.ts'
import { type Delivery, listWaiting } from './store.ts'
import { coalesce, failed, type Judged, type Verdict } from './verdict.ts'

/** Debounce after a deployment in milliseconds: later deliveries are merged into one deployment. */
const pause = 1_000

/** Processes all waiting deliveries of a queue. */
export async function handleDeliveries(
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
