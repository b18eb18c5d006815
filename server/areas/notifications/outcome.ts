import type { Updateable } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { MessageRow } from './messages-store.ts'
import { type ChannelRow, healthyChannel } from './store.ts'
import {
  maxRetryTime,
  lateAfter,
  pauseAfterRefusals,
  maxRetryAfter,
  maxRefusals,
  backoffAfter,
  minRetryAfter,
} from './retry-policy.ts'
import type { SendAttempt } from './try-sending.ts'

export interface DeliveryOutcome {
  /** New status of the message. */
  status: MessageRow['status']
  changes: Updateable<Tables['notifications']>
  /** Milliseconds until the channel sends again. */
  pause: number
  /** Nothing is sent until a user resumes the channel. */
  paused: boolean
}

type ChannelHealth = Pick<
  ChannelRow,
  'failures' | 'refusals' | 'failing_since' | 'refused_since' | 'next_try_at'
>
type AttemptOutcome = Pick<SendAttempt, 'went' | 'answer' | 'seconds'>
interface OutcomeInput {
  now: Date
  chance: number
}

export function decideOutcome(
  channel: ChannelHealth,
  message: Pick<MessageRow, 'waits_since'>,
  tried: AttemptOutcome,
  chances: OutcomeInput,
): DeliveryOutcome {
  const { now } = chances
  if (tried.went === 'sent')
    return { status: 'sent', changes: { ...healthyChannel, last_sent_at: now }, pause: 0, paused: false }
  if (tried.went !== 'refused') return failing(channel, message, tried, chances)
  const refusals = channel.refusals + 1
  // Refusing one message does not affect the others, unless the receiver refuses them all.
  if (refusals >= maxRefusals)
    return failing(channel, message, { ...tried, went: 'channel_refused' }, chances)
  return { status: 'failed', changes: { ...healthyChannel, refusals }, pause: 0, paused: false }
}

function failing(
  channel: ChannelHealth,
  message: Pick<MessageRow, 'waits_since'>,
  { went, answer, seconds }: AttemptOutcome,
  { now, chance }: OutcomeInput,
): DeliveryOutcome {
  const late = lateness(channel, now)
  const failing_since = since(channel.failing_since, late, now)
  const refused_since = went === 'channel_refused' ? since(channel.refused_since, late, now) : null
  // A requested delay is no failure, but must not last forever.
  const failures = channel.failures + (went === 'later' ? 0 : 1)
  const isForADay = hasLasted(failing_since, maxRetryTime, now)
  const paused =
    went === 'gone' ||
    isForADay ||
    (refused_since !== null && hasLasted(refused_since, pauseAfterRefusals, now))
  const pause = paused ? 0 : went === 'later' ? waitFor(seconds) : backoffAfter(failures, chance)
  const changes = {
    failures,
    failing_since,
    refused_since,
    reason: answer,
    next_try_at: paused ? null : new Date(now.getTime() + pause),
    paused_at: paused ? now : null,
  }
  const status = isForADay && hasLasted(message.waits_since, maxRetryTime, now) ? 'failed' : 'waiting'
  return { status, changes, pause, paused }
}

/**
 * Milliseconds by which an attempt was much later than planned, because Slipway was not running or the clock moved
 * forward. They do not count as failure of the receiver.
 */
function lateness({ next_try_at }: ChannelHealth, now: Date): number {
  const late = next_try_at ? now.getTime() - next_try_at.getTime() : 0
  return late > lateAfter ? late : 0
}

/** Start of the failures, shifted by the time without attempts, and never in the future. */
const since = (began: Date | null, late: number, now: Date) =>
  new Date(Math.min((began ?? now).getTime() + late, now.getTime()))

const waitFor = (seconds = 0) => Math.min(Math.max(seconds * 1_000, minRetryAfter), maxRetryAfter)

const hasLasted = (began: Date, milliseconds: number, now: Date) =>
  now.getTime() - began.getTime() >= milliseconds
