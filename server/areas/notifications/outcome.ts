import type { Updateable } from 'kysely'
import type { Tables } from '../../tables.ts'
import type { MessageRow } from './messages-store.ts'
import { type ChannelRow, well } from './store.ts'
import {
  day,
  longestLate,
  longestRefusal,
  longestWait,
  mostRefusals,
  pauseAfter,
  shortestWait,
} from './patience.ts'
import type { Tried } from './try-sending.ts'

export interface Outcome {
  /** What becomes of the message. */
  status: MessageRow['status']
  changes: Updateable<Tables['notifications']>
  /** Milliseconds until something is sent through the channel again. */
  pause: number
  /** Nothing is sent any more, until somebody has seen to it. */
  paused: boolean
}

type Standing = Pick<ChannelRow, 'failures' | 'refusals' | 'failing_since' | 'refused_since' | 'next_try_at'>
type Answered = Pick<Tried, 'went' | 'answer' | 'seconds'>
interface Chances {
  now: Date
  chance: number
}

/** What follows from an answer, for the message and for its channel. */
export function outcomeOf(
  channel: Standing,
  message: Pick<MessageRow, 'waits_since'>,
  tried: Answered,
  chances: Chances,
): Outcome {
  const { now } = chances
  if (tried.went === 'sent')
    return { status: 'sent', changes: { ...well, last_sent_at: now }, pause: 0, paused: false }
  if (tried.went !== 'refused') return failing(channel, message, tried, chances)
  const refusals = channel.refusals + 1
  // Whoever refuses one message is there for the others, unless it refuses them all.
  if (refusals >= mostRefusals)
    return failing(channel, message, { ...tried, went: 'channel_refused' }, chances)
  return { status: 'failed', changes: { ...well, refusals }, pause: 0, paused: false }
}

function failing(
  channel: Standing,
  message: Pick<MessageRow, 'waits_since'>,
  { went, answer, seconds }: Answered,
  { now, chance }: Chances,
): Outcome {
  const late = lateness(channel, now)
  const failing_since = since(channel.failing_since, late, now)
  const refused_since = went === 'channel_refused' ? since(channel.refused_since, late, now) : null
  // Who asks to be left alone has not failed, though it must not do so for ever.
  const failures = channel.failures + (went === 'later' ? 0 : 1)
  const isForADay = hasLasted(failing_since, day, now)
  const paused =
    went === 'gone' || isForADay || (refused_since !== null && hasLasted(refused_since, longestRefusal, now))
  const pause = paused ? 0 : went === 'later' ? waitFor(seconds) : pauseAfter(failures, chance)
  const changes = {
    failures,
    failing_since,
    refused_since,
    reason: answer,
    next_try_at: paused ? null : new Date(now.getTime() + pause),
    paused_at: paused ? now : null,
  }
  const status = isForADay && hasLasted(message.waits_since, day, now) ? 'failed' : 'waiting'
  return { status, changes, pause, paused }
}

/**
 * Milliseconds by which a try came much later than it was meant to: nobody tried meanwhile, as Slipway was not running, or
 * the clock was put forward. That says nothing of the receiver.
 */
function lateness({ next_try_at }: Standing, now: Date): number {
  const late = next_try_at ? now.getTime() - next_try_at.getTime() : 0
  return late > longestLate ? late : 0
}

/** Since when trouble lasts, without the time in which nobody tried; not from a future that a clock has come back from. */
const since = (began: Date | null, late: number, now: Date) =>
  new Date(Math.min((began ?? now).getTime() + late, now.getTime()))

const waitFor = (seconds = 0) => Math.min(Math.max(seconds * 1_000, shortestWait), longestWait)

const hasLasted = (began: Date, milliseconds: number, now: Date) =>
  now.getTime() - began.getTime() >= milliseconds
