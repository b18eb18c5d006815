import { createSemaphore } from '../../platform/async.ts'
import type { LogSource } from './log-source.ts'

/** Limits readers per server, because a server accepts about a hundred connections in total. */
const maxReaders = 16

function readSlotsOf({ ctx, server }: LogSource) {
  const slots = ctx.logReadSlots.get(server) ?? createSemaphore(maxReaders)
  ctx.logReadSlots.set(server, slots)
  return slots
}

/** Milliseconds that a lease may wait in total for a consumer, and that a reader waits for a lease. */
const defaultTimeouts = { offers: 10_000, wait: 30_000 }

/** Slow readers occupy all leases of the server. */
export class TooManyReaders extends Error {}

/** The right to read from a server, while the lines are consumed. */
export class ReadLease {
  private readonly source: LogSource
  private readonly signal: AbortSignal
  private readonly leave = new AbortController()
  private giveBack: (() => void) | undefined
  private readonly longestWait: number
  private offersLeft: number
  private offeredAt = 0
  private timer: NodeJS.Timeout | undefined
  isGivenUp = false

  constructor(source: LogSource, signal: AbortSignal, longest = defaultTimeouts) {
    this.source = source
    this.signal = AbortSignal.any([signal, this.leave.signal])
    this.offersLeft = longest.offers
    this.longestWait = longest.wait
  }

  async begin(): Promise<AbortSignal> {
    const late = AbortSignal.timeout(this.longestWait)
    try {
      this.giveBack ??= await readSlotsOf(this.source).acquire(AbortSignal.any([this.signal, late]))
    } catch (error) {
      this.signal.throwIfAborted()
      throw new TooManyReaders('No read slot became free in time.', { cause: error })
    }
    return this.signal
  }

  offer(): void {
    this.offeredAt = Date.now()
    this.timer = setTimeout(() => {
      this.isGivenUp = true
      this.end()
    }, this.offersLeft)
  }

  taken(): void {
    if (this.timer) this.offersLeft -= Date.now() - this.offeredAt
    clearTimeout(this.timer)
    this.timer = undefined
  }

  end(): void {
    this.taken()
    this.leave.abort()
    this.giveBack?.()
  }
}
