import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { isConnectionLost } from '../../platform/db.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { type AttemptResponse, markMessageSent, type MessageRow, updateMessage } from './messages-store.ts'
import { type ChannelRow, findChannelRow, updateChannel, updateUnchangedChannel } from './store.ts'
import type { DeliveryOutcome } from './outcome.ts'

/** Milliseconds to wait for an unreachable database. */
const databaseTimeout = 5_000
const pause = 200
/** Milliseconds for which an unchanged healthy state is not written again. */
const healthyWriteInterval = 10_000

export interface SavedOutcome {
  status: MessageRow['status']
  /** Undefined when the channel was deleted in the meantime. */
  channel: ChannelRow | undefined
}

interface AttemptResult {
  outcome: DeliveryOutcome
  responses: AttemptResponse[]
}

/** Waits out short database outages, because a message without a saved outcome is sent again. */
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
      // The complete update finds out what has changed.
      return now ? { status: 'sent', channel: now } : await write(ctx, channel, message, result, run)
    } catch (error) {
      if (!isConnectionLost(error) || performance.now() - began > databaseTimeout) throw error
    }
  }
}

/** Idempotent. */
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

/** An unchanged channel needs no update, which would wait for its row lock. */
const isRecentlyHealthy = (
  ctx: Context,
  { failures, refusals, failing_since, next_try_at, last_sent_at }: ChannelRow,
) =>
  failures === 0 &&
  refusals === 0 &&
  failing_since === null &&
  next_try_at === null &&
  last_sent_at !== null &&
  ctx.now().getTime() - last_sent_at.getTime() < healthyWriteInterval
