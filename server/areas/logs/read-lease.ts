import { createSemaphore, type Semaphore } from '../../platform/async.ts'
import type { LogSource } from './log-source.ts'

/** How many read from one server at a time: it takes about a hundred connections, for everything. */
const most = 16
const turns = new WeakMap<object, Map<string, Semaphore>>()

function turnsOf({ ctx, server }: LogSource): Semaphore {
  const all = turns.get(ctx.hosts) ?? new Map<string, Semaphore>()
  turns.set(ctx.hosts, all)
  const known = all.get(server) ?? createSemaphore(most)
  all.set(server, known)
  return known
}

/** Milliseconds for which in all one turn waits until what was read is taken, and for which one waits for a turn. */
const usual = { offers: 10_000, wait: 30_000 }

/** So many read from this server, and so slowly, that nobody else has a turn. */
export class TooManyReaders extends Error {}

/** The right to read from a server, for as long as what is read is also taken. */
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

  constructor(source: LogSource, signal: AbortSignal, longest = usual) {
    this.source = source
    this.signal = AbortSignal.any([signal, this.leave.signal])
    this.offersLeft = longest.offers
    this.longestWait = longest.wait
  }

  async begin(): Promise<AbortSignal> {
    const late = AbortSignal.timeout(this.longestWait)
    try {
      this.giveBack ??= await turnsOf(this.source).acquire(AbortSignal.any([this.signal, late]))
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
