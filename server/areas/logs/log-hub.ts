import { setTimeout as sleep } from 'node:timers/promises'
import { LogBatch, type LogPosition, LogRing } from './log-batch.ts'
import { LineReader, readChunks } from './line-reader.ts'
import {
  dockerForLog,
  isRunningStatus,
  isTransientLogError,
  logEndReason,
  type LogSource,
  openLog,
  Reconnect,
} from './log-source.ts'
import { findLastPosition, readLog } from './read-log.ts'

const flushEvery = 50
const flushBytes = 65_536
const restartGrace = 3_000
const restartPoll = 250

/** Reads the log of a container once in this process, for all viewers. */
export class LogHub {
  readonly ring = new LogRing()
  isWanted = true
  over: string | undefined
  private readonly source: LogSource
  private readonly listeners = new Set<() => void>()
  private readonly leave = new AbortController()
  private readonly reconnect = new Reconnect()
  private last: LogPosition | undefined
  private waiting = new LogBatch()
  private timer: NodeJS.Timeout | undefined
  private flushedAt = 0

  constructor(source: LogSource) {
    this.source = source
    void this.run()
  }

  listen(handler: () => void): () => void {
    this.listeners.add(handler)
    return () => this.listeners.delete(handler)
  }

  tell(): void {
    for (const listener of this.listeners) listener()
  }

  close(): void {
    this.end('Slipway stopped reading this log.')
  }

  private end(why: string): void {
    this.leave.abort()
    this.flush()
    this.over ??= why
    this.tell()
  }

  private async run(): Promise<void> {
    const { signal } = this.leave
    while (!signal.aborted) {
      const before = this.last
      try {
        await this.follow()
        const reason = await this.endReason()
        if (reason !== undefined) return this.end(reason)
      } catch (error) {
        if (signal.aborted) return
        if (!this.isWanted) return this.close()
        if (!isTransientLogError(error) || this.reconnect.isOver) return this.end(await this.explain(error))
      }
      if (this.last !== before) this.reconnect.renew()
      await this.reconnect.pause(signal).catch(() => {})
    }
  }

  /** Follows the log. The stream starts with the last lines, which show where in the log it begins. */
  private async follow(): Promise<void> {
    const { signal } = this.leave
    if (!this.last) await this.begin()
    const reader = new LineReader(this.source.tty)
    const log = await openLog(this.source, { follow: true, tail: this.last && 2 }, signal)
    this.reconnect.answered()
    // Without earlier lines there is no position to resume from.
    let [joined, caughtUp] = [this.last === undefined, false]
    for await (const chunk of readChunks(log)) {
      let batch = reader.read(chunk)
      if (batch.size === 0) continue
      if (!joined) {
        let index = this.indexIn(batch, reader)
        // The hub catches up once, or again if the stream is past the known position and lines may be missing.
        if (index < 0 && (!caughtUp || batch.isBeyond(this.last?.stamp ?? ''))) {
          await this.catchUp(this.source)
          caughtUp = true
          index = this.indexIn(batch, reader)
        }
        // The hub has already read lines that this stream delivers later.
        if (index < 0) continue
        joined = true
        batch = batch.from(index + 1)
      }
      this.add(batch)
    }
  }

  private async begin(): Promise<void> {
    this.last = await findLastPosition(this.source, this.leave.signal)
    this.ring.before = this.last
    if (this.last) this.tell()
  }

  private indexIn(batch: LogBatch, { firstStamp }: LineReader): number {
    return this.last && this.last.stamp !== firstStamp ? batch.indexOf(this.last) : -1
  }

  private async catchUp(source: LogSource): Promise<void> {
    if (!this.last) return
    for await (const batch of readLog(source, { after: this.last }, this.leave.signal)) this.add(batch)
  }

  private add(batch: LogBatch): void {
    this.last = batch.last ?? this.last
    if (this.waiting.size === 0) this.waiting = batch
    else this.waiting.addAll(batch)
    const wait = this.flushedAt + flushEvery - Date.now()
    if (this.waiting.cost >= flushBytes || wait <= 0) this.flush()
    else this.timer ??= setTimeout(() => this.flush(), wait)
  }

  private flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.flushedAt = Date.now()
    if (this.waiting.size === 0) return
    this.ring.add(this.waiting)
    this.waiting = new LogBatch()
    this.tell()
  }

  /** Returns why the log ended, or undefined if it continues: Docker ends the stream with each run of the container. */
  private async endReason(): Promise<string | undefined> {
    for (const end = performance.now() + restartGrace; performance.now() < end;) {
      if (await this.isUp()) return undefined
      await sleep(restartPoll, undefined, { signal: this.leave.signal })
    }
    if (await this.isUp()) return undefined
    await this.catchUp({ ...this.source, isOver: true })
    return 'The container stopped.'
  }

  private async isUp(): Promise<boolean> {
    const docker = await dockerForLog(this.source)
    const path = `/containers/${this.source.container}/json`
    const { State } = await docker.json<{ State: { Status: string } }>({ path, signal: this.leave.signal })
    return isRunningStatus(State.Status)
  }

  private async explain(error: unknown): Promise<string> {
    return logEndReason(this.source, error).catch((unknown: unknown) => {
      this.source.ctx.log.error({ reason: String(unknown) }, 'Failed to follow a container log')
      return 'The log stream was interrupted by an internal error. Reopen the log.'
    })
  }
}
