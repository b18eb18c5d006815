import type { LogBatch, LogEvent } from './log-batch.ts'
import type { LogHub } from './log-hub.ts'
import { formatPosition, type LogPosition } from './log-position.ts'
import { findLastPosition, readLog } from './read-log.ts'
import type { LogSource } from './log-source.ts'

export interface LogRequest {
  /** Goes on from here, whatever else is wanted. */
  after: LogPosition | undefined
  tail: number | undefined
  since: string | undefined
  until: string | undefined
  timestamps: boolean
}

/** Something to tell, or nothing: then it has only begun, or time has passed. */
type ViewerEvent = LogEvent | undefined

/** Milliseconds by which the clock of a server may be behind. */
const clockSlack = 2_000
const minute = 60_000

/** One who reads a log: first what was said, by themselves; then along with all others, at their own pace. */
export class LogViewer {
  private readonly source: LogSource
  private readonly wanted: LogRequest
  private readonly signal: AbortSignal
  /** How far they have read. */
  private at: LogPosition | undefined
  /** The number of their next line in the ring, once they have found their place there. */
  private number: number | undefined
  private isPast = false

  constructor(source: LogSource, wanted: LogRequest, signal: AbortSignal) {
    this.source = source
    this.wanted = wanted
    this.signal = signal
    this.at = wanted.after
  }

  /** What was said until now. */
  async *history(goesOn: boolean): AsyncGenerator<ViewerEvent> {
    // With a time there may be nothing to tell: where to go on from has to be known all the same, and from before.
    const last =
      goesOn && this.wanted.since && !this.at ? await findLastPosition(this.source, this.signal) : undefined
    yield* this.readOn(this.source, false)
    // Nothing is there, whatever place was given: all that comes is new.
    if (this.at === this.wanted.after) this.at = undefined
    this.at ??= last
  }

  /** What is said from now on, until the hub or the time that was asked for is over. */
  async *follow(hub: LogHub): AsyncGenerator<ViewerEvent> {
    const news = new News(hub, this.signal)
    try {
      for (let pause = 500; !this.signal.aborted; pause = Math.min(pause * 2, 5_000)) {
        if (this.number === undefined) yield* this.findPlace(hub, news, pause)
        yield* this.readRing(hub)
        if (this.isThrough(hub)) return
        if (this.number !== undefined) await news.next(this.timeLeft())
        yield undefined
      }
    } finally {
      news.stop()
    }
  }

  end(reason: string): LogEvent {
    return { id: this.at ? formatPosition(this.at) : '', data: { type: 'end', reason } }
  }

  private async *readOn(source: LogSource, wasRead: boolean): AsyncGenerator<ViewerEvent> {
    const { timestamps, since, until } = this.wanted
    // Whatever comes after the history is new, however much it is.
    const tail = wasRead ? undefined : this.wanted.tail
    const start = { after: this.at, tail, since, until }
    for await (const batch of readLog(source, start, this.signal, wasRead)) {
      this.at = batch.last ?? this.at
      const told = this.ofTheTime(batch)
      yield told.size > 0 ? told.event(timestamps) : undefined
    }
  }

  /** Reads what the hub has not, until both have the same line. */
  private async *findPlace(hub: LogHub, news: News, pause: number): AsyncGenerator<ViewerEvent> {
    if (this.seek(hub)) return
    if (hub.over === undefined) {
      await news.next(Math.min(this.at ? pause : minute, this.timeLeft()))
      if (this.seek(hub) || (!this.at && hub.ring.isNew)) return
    }
    yield* this.readOn({ ...this.source, isOver: hub.over !== undefined }, true)
    this.seek(hub)
  }

  private seek(hub: LogHub): boolean {
    this.number = this.at && hub.ring.after(this.at)
    return this.number !== undefined
  }

  private async *readRing({ ring }: LogHub): AsyncGenerator<ViewerEvent> {
    while (this.number !== undefined && !this.isPast) {
      const missed = ring.oldest - this.number
      if (missed > 0) {
        this.at = ring.before
        this.number = ring.oldest
        yield { id: this.at ? formatPosition(this.at) : '', data: { type: 'missed', lines: missed } }
      }
      const batch = ring.from(this.number)
      if (!batch) return
      this.number += batch.size
      this.at = batch.last
      const told = this.ofTheTime(batch)
      if (told.size > 0) yield told.event(this.wanted.timestamps)
    }
  }

  private ofTheTime(batch: LogBatch): LogBatch {
    const { since, until } = this.wanted
    if (until !== undefined) this.isPast = batch.isBeyond(until)
    return batch.within(since, until)
  }

  private isThrough(hub: LogHub): boolean {
    if (this.isPast || this.timeLeft() <= 0) return true
    return hub.over !== undefined && (this.number === undefined || this.number >= hub.ring.next)
  }

  private timeLeft(): number {
    const { until } = this.wanted
    const left = until === undefined ? minute : Date.parse(until) + clockSlack - Date.now()
    // A timer takes no more than some weeks.
    return Math.min(left, minute)
  }
}

/** Waits for something new of a hub. Many pieces of news are one. */
class News {
  private readonly signal: AbortSignal
  private readonly deaf: () => void
  private told = false
  private wake: (() => void) | undefined

  constructor(hub: LogHub, signal: AbortSignal) {
    this.signal = signal
    const tell = () => {
      this.told = true
      this.wake?.()
    }
    const stop = hub.listen(tell)
    signal.addEventListener('abort', tell)
    this.deaf = () => {
      stop()
      signal.removeEventListener('abort', tell)
    }
  }

  /** Resolves when there may be something new, or at the latest after so many milliseconds. */
  async next(atMost = 60_000): Promise<void> {
    if (!this.told && !this.signal.aborted)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(atMost, 0))
        this.wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    this.wake = undefined
    this.told = false
  }

  stop(): void {
    this.deaf()
  }
}
