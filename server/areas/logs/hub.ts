import { setTimeout as sleep } from 'node:timers/promises'
import { Batch } from './batch.ts'
import { LineReader } from './line-reader.ts'
import { Patience } from './patience.ts'
import type { Place } from './place.ts'
import { findEnd, readLog } from './read.ts'
import { Ring } from './ring.ts'
import { chunksOf, dockerOf, isUpIn, mayPass, openLog, type Source, whyEnded } from './source.ts'

/** Milliseconds between two pieces of news; what comes in between is told together. */
const tellEvery = 50
/** Bytes that are told at once all the same. */
const mostWaiting = 65_536
/** Milliseconds in which a container that is restarted is up again. */
const restartTakes = 1_000

/** The one stream of a container's log in this process, for all who follow it. */
export class Hub {
  readonly ring = new Ring()
  /** Whether somebody reads along. */
  isWanted = true
  /** Why nothing more comes, as a sentence. */
  over: string | undefined
  private readonly source: Source
  private readonly listeners = new Set<() => void>()
  private readonly leave = new AbortController()
  private readonly patience = new Patience()
  private last: Place | undefined
  private waiting = new Batch()
  private timer: NodeJS.Timeout | undefined
  private told = 0

  constructor(source: Source) {
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
        if (!mayPass(error) || this.patience.isOver) return this.end(await this.explain(error))
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
    for await (const chunk of chunksOf(log)) {
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
    this.last = await findEnd(this.source, this.leave.signal)
    this.ring.before = this.last
    if (this.last) this.tell()
  }

  /** Where the last line is, or -1. The stream may begin in the midst of a line, or of several of one time. */
  private indexIn(batch: Batch, { firstStamp }: LineReader): number {
    return this.last && this.last.stamp !== firstStamp ? batch.indexOf(this.last) : -1
  }

  /** What was said since. */
  private async catchUp(source: Source): Promise<void> {
    if (!this.last) return
    for await (const batch of readLog(source, { after: this.last }, this.leave.signal)) this.add(batch)
  }

  private add(batch: Batch): void {
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
    this.waiting = new Batch()
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
    const docker = await dockerOf(this.source)
    const path = `/containers/${this.source.container}/json`
    const { State } = await docker.json<{ State: { Status: string } }>({ path, signal: this.leave.signal })
    return isUpIn(State.Status)
  }

  private async explain(error: unknown): Promise<string> {
    return whyEnded(this.source, error).catch((unknown: unknown) => {
      this.source.ctx.log.error({ why: String(unknown) }, 'Could not follow a container log.')
      return 'Slipway could not continue reading. Reopen the log.'
    })
  }
}
