import { setTimeout as sleep } from 'node:timers/promises'
import { LogBatch } from './log-batch.ts'
import { LineReader } from './line-reader.ts'
import { Reconnect } from './reconnect.ts'
import type { LogPosition } from './log-position.ts'
import { findLastPosition, readLog } from './read-log.ts'
import { LogRing } from './log-ring.ts'
import {
  readChunks,
  dockerForLog,
  isRunningStatus,
  isTransientLogError,
  openLog,
  type LogSource,
  logEndReason,
} from './log-source.ts'

/** Milliseconds between two pieces of news; what comes in between is told together. */
const tellEvery = 50
/** Bytes that are told at once all the same. */
const mostWaiting = 65_536
/** Milliseconds in which a container that is restarted is up again. */
const restartTakes = 1_000

/** The one stream of a container's log in this process, for all who follow it. */
export class LogHub {
  readonly ring = new LogRing()
  /** Whether somebody reads along. */
  isWanted = true
  /** Why nothing more comes, as a sentence. */
  over: string | undefined
  private readonly source: LogSource
  private readonly listeners = new Set<() => void>()
  private readonly leave = new AbortController()
  private readonly patience = new Reconnect()
  private last: LogPosition | undefined
  private waiting = new LogBatch()
  private timer: NodeJS.Timeout | undefined
  private told = 0

  constructor(source: LogSource) {
    this.source = source
    void this.run()
  }

  /** Called whenever there are new lines, or it is over. */
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
        const why = await this.whyOver()
        if (why !== undefined) return this.end(why)
      } catch (error) {
        if (signal.aborted) return
        if (!this.isWanted) return this.close()
        if (!isTransientLogError(error) || this.patience.isOver) return this.end(await this.explain(error))
      }
      if (this.last !== before) this.patience.renew()
      await this.patience.pause(signal).catch(() => {})
    }
  }

  /** One stream, until it ends. It begins with the last lines there are, which show where in the log it begins. */
  private async follow(): Promise<void> {
    const { signal } = this.leave
    if (!this.last) await this.begin()
    const reader = new LineReader(this.source.tty)
    const log = await openLog(this.source, { follow: true, tail: this.last && 2 }, signal)
    this.patience.answered()
    // With nothing said before there is nothing to go on from.
    let [joined, caughtUp] = [this.last === undefined, false]
    for await (const chunk of readChunks(log)) {
      let batch = reader.read(chunk)
      if (batch.size === 0) continue
      if (!joined) {
        let index = this.indexIn(batch, reader)
        // Once is enough, unless the stream is past what was read by then and nobody saw where.
        if (index < 0 && (!caughtUp || batch.isBeyond(this.last?.stamp ?? ''))) {
          await this.catchUp(this.source)
          caughtUp = true
          index = this.indexIn(batch, reader)
        }
        // All of it was read already, and more: that will come here, too.
        if (index < 0) continue
        joined = true
        batch = batch.from(index + 1)
      }
      this.add(batch)
    }
  }

  /** From the last line on; those who have read it go on in the ring. */
  private async begin(): Promise<void> {
    this.last = await findLastPosition(this.source, this.leave.signal)
    this.ring.before = this.last
    if (this.last) this.tell()
  }

  /** Where the last line is, or -1. The stream may begin in the midst of a line, or of several of one time. */
  private indexIn(batch: LogBatch, { firstStamp }: LineReader): number {
    return this.last && this.last.stamp !== firstStamp ? batch.indexOf(this.last) : -1
  }

  /** What was said since. */
  private async catchUp(source: LogSource): Promise<void> {
    if (!this.last) return
    for await (const batch of readLog(source, { after: this.last }, this.leave.signal)) this.add(batch)
  }

  private add(batch: LogBatch): void {
    this.last = batch.last ?? this.last
    if (this.waiting.size === 0) this.waiting = batch
    else this.waiting.addAll(batch)
    const wait = this.told + tellEvery - Date.now()
    if (this.waiting.cost >= mostWaiting || wait <= 0) this.flush()
    else this.timer ??= setTimeout(() => this.flush(), wait)
  }

  private flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.told = Date.now()
    if (this.waiting.size === 0) return
    this.ring.add(this.waiting)
    this.waiting = new LogBatch()
    this.tell()
  }

  /** Nothing, when it goes on: Docker ends the stream with each run of the container. */
  private async whyOver(): Promise<string | undefined> {
    if (await this.isUp()) return undefined
    await sleep(restartTakes, undefined, { signal: this.leave.signal })
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
      this.source.ctx.log.error({ why: String(unknown) }, 'Could not follow a container log.')
      return 'Slipway could not continue reading. Reopen the log.'
    })
  }
}
