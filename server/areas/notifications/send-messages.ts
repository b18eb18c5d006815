import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { nudge } from '../../events.ts'
import { type JobRun, finishQueuedDuplicates } from '../../platform/jobs.ts'
import { type AttemptResponse, listQueuedMessages, type MessageRow, openContent } from './messages-store.ts'
import { type ChannelRow, findChannelRow } from './store.ts'
import { type SavedOutcome, saveOutcome } from './save-outcome.ts'
import { decideOutcome } from './outcome.ts'
import { maxRetryAfter, inlineDelay } from './retry-policy.ts'
import { enqueueSending } from './enqueue-sending.ts'
import { type SendAttempt, trySending } from './try-sending.ts'
import { transaction } from '../../platform/transaction.ts'

/** Milliseconds up to which a delay is not saved. */
const unsavedDelay = 500
/** Milliseconds between live updates for open consoles. */
const nudgeEvery = 1_000
const batch = 20

/** Sends the whole queue of a channel in order. */
export async function sendMessages(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  notificationId: Id<'notification'>,
  run: JobRun,
): Promise<void> {
  await finishQueuedDuplicates(ctx.db, run)
  const tell = () => nudge(ctx.db, workspaceId, 'message.changed', notificationId)
  let channel = await findChannelRow(ctx.db, workspaceId, notificationId)
  const held = withLeaseCheck(ctx, run)
  let waiting: MessageRow[] = []
  for (let told = performance.now(); ;) {
    if (!channel?.enabled || channel.paused_at) break
    const pause = pauseOf(channel, ctx.now())
    if (pause > inlineDelay) {
      await enqueueSending(ctx, ctx.db, workspaceId, notificationId, pause)
      break
    }
    if (pause > 0) await sleep(pause, undefined, { signal: run.signal })
    if (waiting.length === 0) waiting = await listQueuedMessages(ctx.db, workspaceId, notificationId, batch)
    const message = waiting.shift()
    if (!message) break
    const noted = await send(ctx, channel, message, held)
    channel = noted.channel
    // A message that must be retried stays first, so read the queue again.
    if (noted.status === 'waiting') waiting = []
    if (performance.now() - told < nudgeEvery) continue
    await tell()
    told = performance.now()
  }
  await tell()
}

/** No delay is longer than the maximum: a later time stems from before a clock change. */
function pauseOf({ next_try_at }: ChannelRow, now: Date): number {
  const pause = (next_try_at?.getTime() ?? 0) - now.getTime()
  return pause > maxRetryAfter ? 0 : pause
}

/** Returns when the message is sent, failed, or must wait long enough to save that. */
async function send(
  ctx: Context,
  channel: ChannelRow,
  message: MessageRow,
  run: CheckedRun,
): Promise<SavedOutcome> {
  const content = openContent(ctx, message)
  const responses: AttemptResponse[] = []
  const began = performance.now()
  for (let { failures } = channel; ; failures++) {
    await run.assertCurrent()
    const at = ctx.now()
    const tried = await trySending(ctx, channel, { id: message.id, content }, run.signal)
    responses.push(toResponse(tried, at))
    const outcome = decideOutcome({ ...channel, failures }, message, tried, {
      now: ctx.now(),
      chance: Math.random(),
    })
    const isBrief =
      tried.went === 'again' &&
      outcome.status === 'waiting' &&
      !outcome.paused &&
      performance.now() - began + outcome.pause < unsavedDelay
    if (!isBrief) return saveOutcome(ctx, channel, message, { outcome, responses }, run)
    await sleep(outcome.pause, undefined, { signal: run.signal })
  }
}

const toResponse = ({ went, answer, tookMs }: SendAttempt, at: Date): AttemptResponse => ({
  at: at.toISOString(),
  ok: went === 'sent',
  response: answer,
  duration_ms: tookMs,
})

/** Milliseconds for which a lease check stays valid. */
const leaseCheckValidFor = 2_000

interface CheckedRun extends JobRun {
  /** Throws when another worker has the job. */
  assertCurrent(): Promise<void>
}

/**
 * Checks the lease before each send when the last check is old: a process that was frozen would otherwise continue
 * with outdated rows while another worker has taken over.
 */
function withLeaseCheck(ctx: Pick<Context, 'db' | 'now'>, run: JobRun): CheckedRun {
  // The monotonic clock stops while the machine sleeps, and the wall clock may be set back, so use both.
  const read = () => [performance.now(), ctx.now().getTime()] as const
  let known = read()
  const assertLease: JobRun['assertLease'] = async (trx) => {
    await run.assertLease(trx)
    known = read()
  }
  return {
    ...run,
    assertLease,
    async assertCurrent() {
      const now = read()
      if (now[0] - known[0] < leaseCheckValidFor && Math.abs(now[1] - known[1]) < leaseCheckValidFor) return
      await transaction(ctx.db, assertLease)
    },
  }
}
