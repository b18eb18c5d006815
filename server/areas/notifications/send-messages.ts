import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit, nudge } from '../../events.ts'
import { abortable } from '../../platform/async.ts'
import { enqueue, finishQueuedDuplicates, type JobRun } from '../../platform/jobs.ts'
import { truncate, toSingleLine } from '../../platform/text/plain-text.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Db, Tables } from '../../tables.ts'
import {
  type ChannelSettings,
  type ChannelType,
  DeliveryRefused,
  hideSecrets,
  openSettings,
  RetryLater,
} from './channel-type.ts'
import { findChannelType } from './channel-types.ts'
import type { MessageContent } from './message-content.ts'
import {
  type ChannelRow,
  findChannelRow,
  findNextMessage,
  lockNotificationRow,
  type MessageRow,
  openContent,
  updateChannel,
  updateMessage,
  healthyChannel,
} from './store.ts'
import type { Updateable } from 'kysely'

const nudgeEvery = 1_000
/** Milliseconds. The job sleeps through shorter delays and is rescheduled for longer ones. */
const inlineDelay = 2_000

/** Retries without limit, so that an internal error never ends the queue of a channel. */
export const enqueueSending = (
  { secrets }: Pick<Context, 'secrets'>,
  db: Db,
  workspaceId: Id<'workspace'>,
  notificationId: Id<'notification'>,
  delay?: number,
) =>
  enqueue(secrets, db, {
    kind: 'send-messages',
    payload: { workspace_id: workspaceId, notification_id: notificationId },
    key: `channel:${notificationId}`,
    lane: 'notify',
    attempts: 1_000,
    delay,
  })

/** Sends the whole queue of a channel in order, each message at least once and with the same ID in every attempt. */
export async function sendMessages(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  notificationId: Id<'notification'>,
  run: JobRun,
): Promise<void> {
  await finishQueuedDuplicates(ctx.db, run)
  let channel = await findChannelRow(ctx.db, workspaceId, notificationId)
  let nudgedAt = performance.now()
  while (channel?.enabled && !channel.paused_at) {
    const delay: number = (channel.next_try_at?.getTime() ?? 0) - ctx.now().getTime()
    if (delay > inlineDelay) {
      await enqueueSending(ctx, ctx.db, workspaceId, notificationId, delay)
      break
    }
    if (delay > 0) await sleep(delay, undefined, { signal: run.signal })
    const message = await findNextMessage(ctx.db, workspaceId, notificationId)
    if (!message) break
    channel = await sendMessage(ctx, channel, message, run)
    if (performance.now() - nudgedAt < nudgeEvery) continue
    await nudge(ctx.db, workspaceId, 'message.changed', notificationId)
    nudgedAt = performance.now()
  }
  await nudge(ctx.db, workspaceId, 'message.changed', notificationId)
}

async function sendMessage(ctx: Context, channel: ChannelRow, message: MessageRow, run: JobRun) {
  const at = ctx.now().toISOString()
  const content = openContent(ctx, message)
  const attempt = await trySending(ctx, channel, { id: message.id, content }, run.signal)
  const { status, changes, paused } = decideOutcome(channel, message, attempt, ctx.now())
  const { result, answer, tookMs } = attempt
  return transaction(ctx.db, async (trx) => {
    const { workspace_id, id, name } = channel
    await run.assertLease(trx)
    const response = { at, ok: result === 'sent', response: answer, duration_ms: tookMs }
    await updateMessage(ctx, trx, message, { status, tries: message.tries + 1 }, response)
    if (status === 'sent') return updateChannel(trx, workspace_id, id, changes)
    const current = await lockNotificationRow(trx, workspace_id, id)
    // Failures no longer count when a user has changed or resumed the channel since.
    if (
      !current ||
      current.settings_sealed !== channel.settings_sealed ||
      current.failures !== channel.failures
    )
      return current
    const target = { kind: 'notification', id, name }
    if (paused) await emit(trx, 'slipway', workspace_id, 'notification.paused', target, answer)
    return updateChannel(trx, workspace_id, id, changes)
  })
}

const sendTimeout = 10_000
const maxAnswerLength = 300

/** Throws only when the signal is aborted. */
export async function trySending(
  ctx: Context,
  channel: Pick<ChannelRow, 'id' | 'type' | 'settings_sealed'>,
  message: { id: Id<'message'>; content: MessageContent },
  signal: AbortSignal,
): Promise<SendAttempt> {
  signal.throwIfAborted()
  const startedAt = performance.now()
  const type = findChannelType(channel.type)
  const settings = openSettings(ctx, channel)
  const result = await sendThrough(ctx, type, settings, message, signal)
  // Mask before truncating, so that no part of a secret remains.
  const answer = truncate(hideSecrets(type, settings, toSingleLine(result.answer)), maxAnswerLength)
  return { ...result, answer, tookMs: Math.round(performance.now() - startedAt) }
}

async function sendThrough(
  ctx: Context,
  type: ChannelType | undefined,
  settings: ChannelSettings,
  message: { id: Id<'message'>; content: MessageContent },
  signal: AbortSignal,
): Promise<Omit<SendAttempt, 'tookMs'>> {
  if (!type) return { result: 'gone', answer: 'This channel type is not supported.' }
  const unavailable = type.unavailableReason?.(ctx)
  if (unavailable) return { result: 'channel_refused', answer: unavailable }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(sendTimeout)])
  try {
    // Stop waiting even when a channel ignores the signal.
    const answer = await abortable(type.send(ctx, settings, { ...message, signal: limit }), limit)
    return { result: 'sent', answer }
  } catch (error) {
    signal.throwIfAborted()
    if (limit.aborted) return { result: 'failed', answer: `Timed out after ${sendTimeout / 1_000} seconds.` }
    return toFailedAttempt(error)
  }
}

function toFailedAttempt(error: unknown): Omit<SendAttempt, 'tookMs'> {
  const answer = error instanceof Error ? error.message : String(error)
  if (error instanceof RetryLater) return { result: 'rate_limited', answer, seconds: error.seconds }
  if (!(error instanceof DeliveryRefused)) return { result: 'failed', answer }
  const results = { message: 'refused', channel: 'channel_refused', gone: 'gone' } as const
  return { result: results[error.what], answer }
}

const MINUTE = 60_000
const maxRetryTime = 24 * 60 * MINUTE
/** A receiver that refuses everything may be under maintenance, so pause it only after this time. */
const pauseAfterRefusals = 15 * MINUTE
/** After this many refusals in a row, the cause must be the channel, not the content. */
const maxRefusals = 3
const [minRetryAfter, maxRetryAfter] = [1_000, 60 * MINUTE]

export interface SendAttempt {
  result: 'sent' | 'failed' | 'rate_limited' | 'refused' | 'channel_refused' | 'gone'
  answer: string
  tookMs: number
  seconds?: number
}

interface DeliveryOutcome {
  status: MessageRow['status']
  changes: Updateable<Tables['notifications']>
  paused: boolean
}

type ChannelHealth = Pick<
  ChannelRow,
  'failures' | 'refusals' | 'failing_since' | 'refused_since' | 'next_try_at'
>
type AttemptOutcome = Pick<SendAttempt, 'result' | 'answer' | 'seconds'>

export function decideOutcome(
  channel: ChannelHealth,
  message: Pick<MessageRow, 'waiting_since'>,
  attempt: AttemptOutcome,
  now: Date,
): DeliveryOutcome {
  if (attempt.result === 'sent')
    return { status: 'sent', changes: { ...healthyChannel, last_sent_at: now }, paused: false }
  if (attempt.result !== 'refused') return decideFailure(channel, message, attempt, now)
  const refusals = channel.refusals + 1
  // Refusing one message does not affect the others, unless the receiver refuses them all.
  if (refusals >= maxRefusals)
    return decideFailure(channel, message, { ...attempt, result: 'channel_refused' }, now)
  return { status: 'failed', changes: { ...healthyChannel, refusals }, paused: false }
}

function decideFailure(
  channel: ChannelHealth,
  message: Pick<MessageRow, 'waiting_since'>,
  { result, answer, seconds = 0 }: AttemptOutcome,
  now: Date,
): DeliveryOutcome {
  const hasLasted = (since: Date, milliseconds: number) => now.getTime() - since.getTime() >= milliseconds
  const failing_since = withoutDowntime(channel.failing_since, channel, now)
  const refused_since =
    result === 'channel_refused' ? withoutDowntime(channel.refused_since, channel, now) : null
  // A requested delay is no failure, but must not last forever.
  const failures = channel.failures + (result === 'rate_limited' ? 0 : 1)
  const failsForADay = hasLasted(failing_since, maxRetryTime)
  const paused =
    result === 'gone' ||
    failsForADay ||
    (refused_since !== null && hasLasted(refused_since, pauseAfterRefusals))
  const delay =
    result === 'rate_limited'
      ? Math.min(Math.max(seconds * 1_000, minRetryAfter), maxRetryAfter)
      : backoffAfter(failures, Math.random())
  const changes = {
    failures,
    failing_since,
    refused_since,
    reason: answer,
    next_try_at: paused ? null : new Date(now.getTime() + delay),
    paused_at: paused ? now : null,
  }
  const status = failsForADay && hasLasted(message.waiting_since, maxRetryTime) ? 'failed' : 'waiting'
  return { status, changes, paused }
}

/** Excludes the time in which Slipway was not running and did not retry, because the receiver did not fail then. */
function withoutDowntime(since: Date | null, { next_try_at }: ChannelHealth, now: Date): Date {
  const late = next_try_at ? now.getTime() - next_try_at.getTime() : 0
  if (since === null || late <= MINUTE) return since ?? now
  return new Date(Math.min(since.getTime() + late, now.getTime()))
}

/** Backoff between attempts, in milliseconds. Grows from almost nothing, so that brief failures hardly delay messages. */
export const backoffAfter = (failures: number, chance: number): number =>
  Math.min(2 * 1.6 ** Math.min(failures - 1, 100), 15 * MINUTE) * (0.5 + chance / 2)
