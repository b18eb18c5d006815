import type { Batch } from './batch.ts'
import { LineReader } from './line-reader.ts'
import { Patience } from './patience.ts'
import type { Place } from './place.ts'
import { type Asked, chunksOf, mayPass, openLog, type Source } from './source.ts'
import { readAfter } from './read-after.ts'
import { type Ask, lastLines, readTail } from './tail.ts'
import { Turn } from './turn.ts'

export interface Start {
  /** Goes on from here; without it, with so many of the last lines, of that time. */
  after?: Place | undefined
  tail?: number | undefined
  since?: string | undefined
  until?: string | undefined
}

/**
 * What a container has said up to now, in its order. A lost connection is waited for once something has been read; before
 * that only if whoever reads `wasRead` it already.
 */
export async function* readLog(
  source: Source,
  start: Start,
  signal: AbortSignal,
  wasRead = false,
): AsyncGenerator<Batch> {
  const patience = new Patience()
  let [from, begun] = [start, wasRead]
  for (;;) {
    const turn = new Turn(source, signal)
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
      if (!begun || !mayPass(error) || patience.isOver) throw error
      await patience.pause(signal)
    } finally {
      turn.end()
    }
  }
}

/** The place of the last line there is. */
export async function findEnd(source: Source, signal: AbortSignal): Promise<Place | undefined> {
  let last: Place | undefined
  for await (const batch of readLog(source, { tail: 0 }, signal)) last = batch.last ?? last
  return last
}

function read(source: Source, from: Start, turn: Turn): AsyncGenerator<Batch> {
  const { after, since, until, tail } = from
  const newReader = () => new LineReader(source.tty)
  const ask: Ask = (asked, reader = newReader()) => readOnce(source, asked, reader, turn)
  if (after) return readAfter(ask, after, until, newReader)
  if (tail === undefined) return ask({ since, until })
  if (until !== undefined) return lastLines(() => ask({ since, until }), tail)
  return readTail(ask, tail, since, newReader)
}

async function* readOnce(
  source: Source,
  asked: Asked,
  reader: LineReader,
  turn: Turn,
): AsyncGenerator<Batch> {
  const log = await openLog(source, asked, await turn.begin())
  for await (const chunk of chunksOf(log)) yield reader.read(chunk)
  yield reader.end(source.isOver)
}
