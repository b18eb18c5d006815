import type { Context } from '../context.ts'
import { type Listeners, lockPendingEvents, markRelayed } from '../events.ts'
import { transaction } from '../platform/transaction.ts'

const batchSize = 100
/** Milliseconds between polls, which find events whose notification was lost. */
const POLL_EVERY = 5_000

/**
 * Relays events from the outbox to the listeners of the areas, in order. Every worker process tries; the database lets
 * one at a time do it.
 */
export function startEventRelay(
  ctx: Context,
  listeners: Listeners[],
  pollEvery = POLL_EVERY,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let again = false
  let isFailing = false
  let running: Promise<void> | undefined

  function wake() {
    again = true
    if (!stopping.signal.aborted) running ??= relayAll().finally(() => (running = undefined))
  }

  async function relayAll() {
    while (again && !stopping.signal.aborted) {
      again = false
      try {
        if ((await relaySome(ctx, listeners)) === batchSize) again = true
        isFailing = false
      } catch (error) {
        if (!isFailing) ctx.log.warn({ reason: String(error) }, 'Failed to relay events; retrying')
        isFailing = true
      }
    }
  }

  const timer = setInterval(wake, pollEvery)
  // A nudge has no row to relay.
  const isEvent = (payload: string) => !payload.includes('"id":""')
  const off = [ctx.bus.on('events', (payload) => isEvent(payload) && wake()), ctx.bus.onReconnect(wake)]
  wake()
  return {
    async stop() {
      stopping.abort()
      clearInterval(timer)
      for (const end of off) end()
      await running
    },
  }
}

const relaySome = (ctx: Context, listeners: Listeners[]): Promise<number> =>
  transaction(ctx.db, async (trx) => {
    const events = await lockPendingEvents(trx, batchSize)
    for (const event of events) for (const of of listeners) await of[event.type]?.(ctx, trx, event)
    if (events.length > 0) await markRelayed(trx, events)
    return events.length
  })
