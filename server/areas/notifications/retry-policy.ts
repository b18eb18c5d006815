import type { Updateable } from 'kysely'
import type { Tables } from '../../tables.ts'
import { type ChannelRow, healthyChannel, type MessageRow } from './store.ts'

const MINUTE = 60_000
const maxRetryTime = 24 * 60 * MINUTE
/** A receiver that refuses everything may be under maintenance, so pause it only after this time. */
const pauseAfterRefusals = 15 * MINUTE
/** After this many refusals in a row, the content is not the cause. */
const maxRefusals = 3
const [minRetryAfter, maxRetryAfter] = [1_000, 60 * MINUTE]

export interface SendAttempt {
  went: 'sent' | 'again' | 'later' | 'refused' | 'channel_refused' | 'gone'
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
type AttemptOutcome = Pick<SendAttempt, 'went' | 'answer' | 'seconds'>

export function decideOutcome(
  channel: ChannelHealth,
  message: Pick<MessageRow, 'waiting_since'>,
  attempt: AttemptOutcome,
  now: Date,
): DeliveryOutcome {
  if (attempt.went === 'sent')
    return { status: 'sent', changes: { ...healthyChannel, last_sent_at: now }, paused: false }
  if (attempt.went !== 'refused') return decideFailure(channel, message, attempt, now)
  const refusals = channel.refusals + 1
  // Refusing one message does not affect the others, unless the receiver refuses them all.
  if (refusals >= maxRefusals)
    return decideFailure(channel, message, { ...attempt, went: 'channel_refused' }, now)
  return { status: 'failed', changes: { ...healthyChannel, refusals }, paused: false }
}

function decideFailure(
  channel: ChannelHealth,
  message: Pick<MessageRow, 'waiting_since'>,
  { went, answer, seconds = 0 }: AttemptOutcome,
  now: Date,
): DeliveryOutcome {
  const hasLasted = (since: Date, milliseconds: number) => now.getTime() - since.getTime() >= milliseconds
  const failing_since = withoutDowntime(channel.failing_since, channel, now)
  const refused_since =
    went === 'channel_refused' ? withoutDowntime(channel.refused_since, channel, now) : null
  // A requested delay is no failure, but must not last forever.
  const failures = channel.failures + (went === 'later' ? 0 : 1)
  const failsForADay = hasLasted(failing_since, maxRetryTime)
  const paused =
    went === 'gone' ||
    failsForADay ||
    (refused_since !== null && hasLasted(refused_since, pauseAfterRefusals))
  const delay =
    went === 'later'
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

/** Time in which Slipway did not retry, because it was not running, is no failure of the receiver. */
function withoutDowntime(since: Date | null, { next_try_at }: ChannelHealth, now: Date): Date {
  const late = next_try_at ? now.getTime() - next_try_at.getTime() : 0
  if (since === null || late <= MINUTE) return since ?? now
  return new Date(Math.min(since.getTime() + late, now.getTime()))
}

/** Backoff between attempts, in milliseconds. Grows from almost nothing, so that brief failures hardly delay messages. */
export const backoffAfter = (failures: number, chance: number): number =>
  Math.min(2 * 1.6 ** Math.min(failures - 1, 100), 15 * MINUTE) * (0.5 + chance / 2)
