import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { isConnectionLost } from '../../platform/db.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { type AttemptResponse, markMessageSent, type MessageRow, updateMessage } from './messages-store.ts'
import { type ChannelRow, findChannelRow, updateChannel, updateUnchangedChannel } from './store.ts'
import type { Outcome } from './outcome.ts'

/** Milliseconds for which a database that is away is waited for. */
const patience = 5_000
const pause = 200
/** Milliseconds for which it is not worth a note that a channel still is as well as it was. */
const known = 10_000

export interface SavedOutcome {
  status: MessageRow['status']
  /** As it is now; nothing when it was deleted meanwhile. */
  channel: ChannelRow | undefined
}

interface AttemptResult {
  outcome: Outcome
  responses: AttemptResponse[]
}

/** Writes down what came of a message: for want of a note it would be sent again, so a moment without a database is waited out. */
export async function saveOutcome(
  ctx: Context,
  channel: ChannelRow,
  message: MessageRow,
  result: AttemptResult,
  run: JobRun,
): Promise<SavedOutcome> {
  for (const began = performance.now(); ; await sleep(pause)) {
    try {
      if (result.outcome.status !== 'sent' || !isRecentlyHealthy(ctx, channel))
        return await write(ctx, channel, message, result, run)
      const now = await markMessageSent(ctx, run, message, result.responses)
      // Else it is found out there what has changed.
      return now ? { status: 'sent', channel: now } : await write(ctx, channel, message, result, run)
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() - began > patience) throw error
    }
  }
}

/** Done twice it is as done once. */
const write = (
  ctx: Context,
  channel: ChannelRow,
  message: MessageRow,
  { outcome: { status, changes, paused }, responses }: AttemptResult,
  run: JobRun,
): Promise<SavedOutcome> =>
  transaction(ctx.db, async (trx) => {
    const { workspace_id, id, name } = channel
    await run.assertLease(trx)
    await updateMessage(ctx, trx, message, status, responses)
    if (status === 'sent') return { status, channel: await updateChannel(trx, workspace_id, id, changes) }
    const now = await updateUnchangedChannel(trx, workspace_id, channel, changes)
    if (!now) return { status, channel: await findChannelRow(trx, workspace_id, id) }
    const target = { kind: 'notification', id, name }
    if (paused)
      await emit(trx, 'slipway', workspace_id, 'notification.paused', target, changes.reason ?? undefined)
    return { status, channel: now }
  })

/** Nothing new is to be told of the channel: whoever writes for it must not be waited for then. */
const isRecentlyHealthy = (
  ctx: Context,
  { failures, refusals, failing_since, next_try_at, last_sent_at }: ChannelRow,
) =>
  failures === 0 &&
  refusals === 0 &&
  failing_since === null &&
  next_try_at === null &&
  last_sent_at !== null &&
  ctx.now().getTime() - last_sent_at.getTime() < known
