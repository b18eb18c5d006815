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

export interface SendAttempt {
  went: 'sent' | 'again' | 'later' | 'refused' | 'channel_refused' | 'gone'
  answer: string
  tookMs: number
  /** Delay that the receiver asked for. */
  seconds?: number
}

const longestAnswer = 300

/** Throws only when the signal is aborted. */
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
  const result = await say(ctx, type, settings, { id, content }, signal)
  // Mask before truncating, so that no part of a secret remains. The database does not accept every character, so only
  // plain text is kept.
  const answer = truncate(hideSecrets(type, settings, toSingleLine(result.answer)), longestAnswer)
  return { ...result, answer, tookMs: Math.round(performance.now() - began) }
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

/** Aborts on timeout and with the signal, and removes its listener afterwards. */
function startLimit(signal: AbortSignal) {
  const controller = new AbortController()
  const timers = [setTimeout(() => controller.abort(), sendTimeout)]
  const stop = () => {
    // The receiver may already have the message, so wait for its response to avoid a duplicate after the restart.
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
    /** Ends the wait even when a channel ignores the signal. */
    over,
    end() {
      for (const timer of timers) clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    },
  }
}
