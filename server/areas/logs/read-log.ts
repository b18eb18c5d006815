import type { LogBatch } from './log-batch.ts'
import { LineReader } from './line-reader.ts'
import { Reconnect } from './reconnect.ts'
import type { LogPosition } from './log-position.ts'
import {
  type DockerLogQuery,
  readChunks,
  isTransientLogError,
  openLog,
  type LogSource,
} from './log-source.ts'
import { readAfter } from './read-after.ts'
import { type ReadBatches, lastLines, readTail } from './log-tail.ts'
import { ReadLease } from './read-lease.ts'

export interface ReadStart {
  /** Resumes after this position; otherwise reads the tail of the range. */
  after?: LogPosition | undefined
  tail?: number | undefined
  since?: string | undefined
  until?: string | undefined
}

/** Waits for a lost connection after the first lines; before them only if the caller has read some (`wasRead`). */
export async function* readLog(
  source: LogSource,
  start: ReadStart,
  signal: AbortSignal,
  wasRead = false,
): AsyncGenerator<LogBatch> {
  const patience = new Reconnect()
  let [from, begun] = [start, wasRead]
  for (;;) {
    const turn = new ReadLease(source, signal)
    try {
      for await (const batch of read(source, from, turn)) {
        begun = true
        patience.renew()
        if (batch.last) from = { ...start, after: batch.last }
        turn.offer()
        yield batch
        turn.taken()
      }
      return
    } catch (error) {
      signal.throwIfAborted()
      if (turn.isGivenUp) continue
      if (!begun || !isTransientLogError(error) || patience.isOver) throw error
      await patience.pause(signal)
    } finally {
      turn.end()
    }
  }
}

export async function findLastPosition(
  source: LogSource,
  signal: AbortSignal,
): Promise<LogPosition | undefined> {
  let last: LogPosition | undefined
  for await (const batch of readLog(source, { tail: 0 }, signal)) last = batch.last ?? last
  return last
}

function read(source: LogSource, from: ReadStart, turn: ReadLease): AsyncGenerator<LogBatch> {
  const { after, since, until, tail } = from
  const newReader = () => new LineReader(source.tty)
  const ask: ReadBatches = (asked, reader = newReader()) => readOnce(source, asked, reader, turn)
  if (after) return readAfter(ask, after, until, newReader)
  if (tail === undefined) return ask({ since, until })
  if (until !== undefined) return lastLines(() => ask({ since, until }), tail)
  return readTail(ask, tail, since, newReader)
}

async function* readOnce(
  source: LogSource,
  asked: DockerLogQuery,
  reader: LineReader,
  turn: ReadLease,
): AsyncGenerator<LogBatch> {
  const log = await openLog(source, asked, await turn.begin())
  for await (const chunk of readChunks(log)) yield reader.read(chunk)
  yield reader.end(source.isOver)
}
