import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { JobStopped } from '../../platform/jobs.ts'
import { truncate, toSingleLine } from '../../platform/text/plain-text.ts'
import { type ChannelType, RetryLater, DeliveryRefused, type ChannelSettings } from './channel-type.ts'
import { findChannelType } from './channel-types.ts'
import type { MessageContent } from './message-content.ts'
import type { ChannelRow } from './store.ts'
import { shutdownGrace, sendTimeout } from './retry-policy.ts'
import { hideSecrets, openSettings } from './settings.ts'

/** How a try went, and what the receiver answered. */
export interface SendAttempt {
  went: 'sent' | 'again' | 'later' | 'refused' | 'channel_refused' | 'gone'
  answer: string
  tookMs: number
  /** How long the receiver wants to be left alone. */
  seconds?: number
}

const longestAnswer = 300

/** Sends once. It throws only when the signal says so. */
export async function trySending(
  ctx: Context,
  row: Pick<ChannelRow, 'id' | 'type' | 'settings_sealed'>,
  { id, content }: { id: Id<'message'>; content: MessageContent },
  signal: AbortSignal,
): Promise<SendAttempt> {
  signal.throwIfAborted()
  const began = performance.now()
  const type = findChannelType(row.type)
  const settings = openSettings(ctx, row)
  const said = await say(ctx, type, settings, { id, content }, signal)
  // What is cut first could be half a secret; and what the database would not keep must not keep us from noting the rest.
  const answer = truncate(hideSecrets(type, settings, toSingleLine(said.answer)), longestAnswer)
  return { ...said, answer, tookMs: Math.round(performance.now() - began) }
}

async function say(
  ctx: Context,
  channel: ChannelType | undefined,
  settings: ChannelSettings,
  sending: { id: Id<'message'>; content: MessageContent },
  signal: AbortSignal,
): Promise<Omit<SendAttempt, 'tookMs'>> {
  if (!channel) return { went: 'gone', answer: 'This channel type is not supported.' }
  const unavailable = channel.unavailableReason?.(ctx)
  if (unavailable) return { went: 'channel_refused', answer: unavailable }
  const limit = startLimit(signal)
  try {
    const sent = channel.send(ctx, settings, { ...sending, signal: limit.signal })
    return { went: 'sent', answer: await Promise.race([sent, limit.over]) }
  } catch (error) {
    if (limit.signal.aborted) signal.throwIfAborted()
    return limit.signal.aborted
      ? { went: 'again', answer: `Timed out after ${sendTimeout / 1_000} seconds.` }
      : judge(error)
  } finally {
    limit.end()
  }
}

function judge(error: unknown): Omit<SendAttempt, 'tookMs'> {
  const answer = error instanceof Error ? error.message : String(error)
  if (error instanceof RetryLater) return { went: 'later', answer, seconds: error.seconds }
  if (!(error instanceof DeliveryRefused)) return { went: 'again', answer }
  const went = { message: 'refused', channel: 'channel_refused', gone: 'gone' } as const
  return { went: went[error.what], answer }
}

/** Aborts when it takes too long, and when the signal does; it listens to that no longer than needed. */
function startLimit(signal: AbortSignal) {
  const controller = new AbortController()
  const timers = [setTimeout(() => controller.abort(), sendTimeout)]
  const stop = () => {
    // The receiver may have it already: if its answer still comes, it does not get the message again after the restart.
    const isLast = signal.reason instanceof JobStopped && signal.reason.reason === 'shutting_down'
    if (isLast) timers.push(setTimeout(() => controller.abort(signal.reason), shutdownGrace))
    else controller.abort(signal.reason)
  }
  signal.addEventListener('abort', stop, { once: true })
  const over = new Promise<never>((_resolve, reject) =>
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true }),
  )
  over.catch(() => {})
  return {
    signal: controller.signal,
    /** Also for a channel that does not heed the signal. */
    over,
    end() {
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    },
  }
}
