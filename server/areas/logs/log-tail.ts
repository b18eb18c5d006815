import { LogBatch } from './log-batch.ts'
import type { LineReader } from './line-reader.ts'
import type { DockerLogQuery } from './log-source.ts'

/** Reads once what Docker has. */
export type ReadBatches = (asked: DockerLogQuery, reader?: LineReader) => AsyncGenerator<LogBatch>

/** Bytes that are held for somebody until it is known which lines are theirs. */
const mostHeld = 1_048_576

/** The last lines of all these; where they are too many to be held, they are read once more. */
export async function* lastLines(
  readAll: () => AsyncGenerator<LogBatch>,
  count: number,
): AsyncGenerator<LogBatch> {
  let [held, all] = [new LogBatch(), 0]
  for await (const batch of readAll()) {
    all += batch.size
    held.addAll(batch)
    if (held.size > 2 * count + 1_000 || held.cost > 4 * mostHeld) held = held.lastOf(count, 2 * mostHeld)
  }
  held = held.lastOf(count, 2 * mostHeld)
  if (held.size >= Math.min(count, all)) {
    yield held
    return
  }
  let before = all - Math.min(count, all)
  for await (const batch of readAll()) {
    // Of those that are left out nothing is told: whoever is cut off would go on from there.
    if (before < batch.size) yield batch.from(before)
    before = Math.max(before - batch.size, 0)
  }
}

/**
 * The last lines of a log. Docker counts a long line as several: so it is asked for one more than wanted, which shows
 * where the first whole line begins, and for more when there are too few whole ones.
 */
export async function* readTail(
  ask: ReadBatches,
  count: number,
  since: string | undefined,
  newReader: () => LineReader,
): AsyncGenerator<LogBatch> {
  // Also where none is wanted the place of the last has to be known.
  const least = Math.max(count, 1)
  for (let pieces = least + 1; ; pieces *= 4) {
    const reader = newReader()
    const batches = ask({ since, tail: pieces }, reader)
    let [held, isFull] = [new LogBatch(), false]
    for (let next = await batches.next(); !next.done; next = await batches.next()) {
      held.addAll(next.value)
      if (held.cost <= mostHeld) continue
      if (pieces === least + 1) {
        // Too many to be held, so they are passed on as they come.
        const isCut = await isCutAt(ask, { since, tail: least }, reader.firstStamp, newReader())
        yield isCut ? withoutFirst(held, reader) : held
        yield* batches
        return
      }
      if (held.cost <= 4 * mostHeld) continue
      isFull = true
      // Enough for the longest line and as much beside it.
      held = held.lastOf(least, 2 * mostHeld)
    }
    const isCut = reader.pieces >= pieces
    const whole = isCut ? withoutFirst(held, reader) : held
    if (isCut && !isFull && whole.size < least) continue
    yield whole.lastOf(count, 2 * mostHeld)
    return
  }
}

/** Others of its time may be missing before it, so that nobody knows which of them is which. */
const withoutFirst = (held: LogBatch, { firstStamp }: LineReader) =>
  held.where((stamp) => stamp !== firstStamp)

/** Whether with one less another would be the first: then there are as many as were asked for, and perhaps more. */
async function isCutAt(
  ask: ReadBatches,
  asked: DockerLogQuery,
  first: string | undefined,
  reader: LineReader,
): Promise<boolean> {
  for await (const _ of ask(asked, reader)) if (reader.firstStamp) return reader.firstStamp !== first
  return false
}
