import { createSemaphore } from '../../platform/async.ts'
import type { LogBatch, LogPosition } from './log-batch.ts'
import { LineReader, readChunks } from './line-reader.ts'
import {
  type DockerLogQuery,
  isTransientLogError,
  type LogSource,
  openLog,
  Reconnect,
  TooManyReaders,
} from './log-source.ts'
import { lastLines, readAfter, type ReadBatches, readTail } from './log-range.ts'

export interface ReadStart {
  after?: LogPosition | undefined
  tail?: number | undefined
  since?: string | undefined
  until?: string | undefined
}

/**
 * Reads a log, and waits for a lost connection after the first lines. Before them, it waits only if the caller has
 * already read some (`wasRead`).
 */
export async function* readLog(
  source: LogSource,
  start: ReadStart,
  signal: AbortSignal,
  wasRead = false,
): AsyncGenerator<LogBatch> {
  const reconnect = new Reconnect()
  let [from, begun] = [start, wasRead]
  for (;;) {
    const leave = new AbortController()
    let release = () => {}
    try {
      release = await acquireReadSlot(source, signal)
      for await (const batch of read(source, from, AbortSignal.any([signal, leave.signal]))) {
        begun = true
        reconnect.renew()
        if (batch.last) from = { ...start, after: batch.last }
        yield batch
      }
      return
    } catch (error) {
      signal.throwIfAborted()
      if (!begun || !isTransientLogError(error) || reconnect.isOver) throw error
      await reconnect.pause(signal)
    } finally {
      leave.abort()
      release()
    }
  }
}

/** Limits readers per server, because a server accepts about a hundred connections in total. */
const maxReaders = 16
const acquireTimeout = 30_000

async function acquireReadSlot({ ctx, server }: LogSource, signal: AbortSignal): Promise<() => void> {
  const slots = ctx.logReadSlots.get(server) ?? createSemaphore(maxReaders)
  ctx.logReadSlots.set(server, slots)
  try {
    return await slots.acquire(AbortSignal.any([signal, AbortSignal.timeout(acquireTimeout)]))
  } catch (error) {
    signal.throwIfAborted()
    throw new TooManyReaders('Timed out waiting for other logs to be read.', { cause: error })
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

function read(source: LogSource, start: ReadStart, signal: AbortSignal): AsyncGenerator<LogBatch> {
  const { after, since, until, tail } = start
  const newReader = () => new LineReader(source.tty)
  const ask: ReadBatches = (query, reader = newReader()) => readOnce(source, query, reader, signal)
  if (after) return readAfter(ask, after, until, newReader)
  if (tail === undefined) return ask({ since, until })
  if (until !== undefined) return lastLines(() => ask({ since, until }), tail)
  return readTail(ask, tail, since, newReader)
}

async function* readOnce(
  source: LogSource,
  query: DockerLogQuery,
  reader: LineReader,
  signal: AbortSignal,
): AsyncGenerator<LogBatch> {
  const log = await openLog(source, query, signal)
  for await (const chunk of readChunks(log)) yield reader.read(chunk)
  yield reader.end(source.isOver)
}
