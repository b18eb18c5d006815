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

/** Milliseconds for which trouble that comes and goes is not worth a note. */
const unnoted = 500
/** How often those who look at a channel are told that it goes on. */
const tellEvery = 1_000
/** How many are read at a time. */
const batch = 20

/** Sends all that waits for a channel, one after the other, whichever message this job came with. */
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
    // One that is tried again comes first, as it is by then.
    if (noted.status === 'waiting') waiting = []
    if (performance.now() - told < tellEvery) continue
    await tell()
    told = performance.now()
  }
  await tell()
}

/** Nobody is left alone for longer than the longest wait: what is further away is from before the clock was put back. */
function pauseOf({ next_try_at }: ChannelRow, now: Date): number {
  const pause = (next_try_at?.getTime() ?? 0) - now.getTime()
  return pause > maxRetryAfter ? 0 : pause
}

/** Until it is sent, given up, or has to wait for long enough that this is noted. */
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
    await run.makeSure()
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
      performance.now() - began + outcome.pause < unnoted
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

/** Milliseconds for which it is taken for granted that a job is still ours. */
const sureFor = 2_000

interface CheckedRun extends JobRun {
  /** Throws when the job is another's by now. */
  makeSure(): Promise<void>
}

/**
 * A job that looks before it acts, where it has not heard for a while that it is still ours: a process that was frozen goes on
 * where it stopped, with what it had read before, while another has long taken its place.
 */
function withLeaseCheck(ctx: Pick<Context, 'db' | 'now'>, run: JobRun): CheckedRun {
  // One clock stands still while the machine sleeps, and the other may be put back.
  const read = () => [performance.now(), ctx.now().getTime()] as const
  let known = read()
  const assertLease: JobRun['assertLease'] = async (trx) => {
    await run.assertLease(trx)
    known = read()
  }
  return {
    ...run,
    assertLease,
    async makeSure() {
      const now = read()
      if (now[0] - known[0] < sureFor && Math.abs(now[1] - known[1]) < sureFor) return
      await transaction(ctx.db, assertLease)
    },
  }
}
