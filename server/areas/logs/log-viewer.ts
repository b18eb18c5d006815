import { exponentialBackoff } from '../../../contract/shared/backoff.ts'
import { createNotifier } from '../../platform/async.ts'
import { formatPosition, type LogBatch, type LogEvent, type LogPosition } from './log-batch.ts'
import type { LogHub } from './log-hub.ts'
import { findLastPosition, readLog } from './read-log.ts'
import type { LogSource } from './log-source.ts'

export interface LogRequest {
  after: LogPosition | undefined
  tail: number | undefined
  since: string | undefined
  until: string | undefined
  timestamps: boolean
}

type Notifier = ReturnType<typeof createNotifier>
type ViewerEvent = LogEvent | undefined

/** Milliseconds by which the clock of a server may be behind. */
const clockSlack = 2_000
const minute = 60_000

export class LogViewer {
  private readonly source: LogSource
  private readonly request: LogRequest
  private readonly signal: AbortSignal
  private at: LogPosition | undefined
  private number: number | undefined
  private isPast = false

  constructor(source: LogSource, request: LogRequest, signal: AbortSignal) {
    this.source = source
    this.request = request
    this.signal = signal
    this.at = request.after
  }

  async *history(goesOn: boolean): AsyncGenerator<ViewerEvent> {
    // Following needs a position from before the time range, because the range may contain no lines.
    const last =
      goesOn && this.request.since && !this.at ? await findLastPosition(this.source, this.signal) : undefined
    yield* this.readOn(this.source, false)
    if (this.at === this.request.after) this.at = undefined
    this.at ??= last
  }

  async *follow(hub: LogHub): AsyncGenerator<ViewerEvent> {
    const news = createNotifier()
    const stop = hub.listen(news.notify)
    this.signal.addEventListener('abort', news.notify)
    try {
      for (let tries = 0; !this.signal.aborted; tries++) {
        if (this.number === undefined) yield* this.findPlace(hub, news, exponentialBackoff(tries, 500, 5_000))
        yield* this.readRing(hub)
        if (this.isThrough(hub)) return
        if (this.number !== undefined) await news.next(this.timeLeft())
        yield undefined
      }
    } finally {
      stop()
      this.signal.removeEventListener('abort', news.notify)
    }
  }

  end(reason: string): LogEvent {
    return { id: this.at ? formatPosition(this.at) : '', data: { type: 'end', reason } }
  }

  private async *readOn(source: LogSource, wasRead: boolean): AsyncGenerator<ViewerEvent> {
    const { timestamps, since, until } = this.request
    // After the history, every line is new, so the number of lines is not limited.
    const tail = wasRead ? undefined : this.request.tail
    const start = { after: this.at, tail, since, until }
    for await (const batch of readLog(source, start, this.signal, wasRead)) {
      this.at = batch.last ?? this.at
      const lines = this.ofTheTime(batch)
      yield lines.size > 0 ? lines.event(timestamps) : undefined
    }
  }

  private async *findPlace(hub: LogHub, news: Notifier, pause: number): AsyncGenerator<ViewerEvent> {
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
      const lines = this.ofTheTime(batch)
      if (lines.size > 0) yield lines.event(this.request.timestamps)
    }
  }

  private ofTheTime(batch: LogBatch): LogBatch {
    const { since, until } = this.request
    if (until !== undefined) this.isPast = batch.isBeyond(until)
    return batch.within(since, until)
  }

  private isThrough(hub: LogHub): boolean {
    if (this.isPast || this.timeLeft() <= 0) return true
    return hub.over !== undefined && (this.number === undefined || this.number >= hub.ring.next)
  }

  private timeLeft(): number {
    const { until } = this.request
    const left = until === undefined ? minute : Date.parse(until) + clockSlack - Date.now()
    // The wait is at most a minute, because timers are limited to about 24 days.
    return Math.min(left, minute)
  }
}
