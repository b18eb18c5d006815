import type { LogBatch } from './log-batch.ts'
import type { LineReader } from './line-reader.ts'
import { type LogPosition, toDockerSeconds, toStamp } from './log-position.ts'
import { type ReadBatches, readTail } from './log-tail.ts'

/**
 * Searches the last lines in order, because the clock may have been set back and a long line has the time of its
 * start. Docker finds the tail fast, but a time only by scanning from the beginning.
 */
const searchTails = [1_000, 10_000]
/** Docker writes both streams concurrently, so times may be slightly out of order. */
const slackSeconds = 1

/** Falls back to lines after the time, and then to the end, when the position no longer exists. */
export async function* readAfter(
  ask: ReadBatches,
  after: LogPosition,
  until: string | undefined,
  newReader: () => LineReader,
): AsyncGenerator<LogBatch> {
  let isShort = false
  for (const tail of searchTails) {
    const reader = newReader()
    // Earlier lines of the first time may be missing, so ordinals would be wrong.
    const find = (batch: LogBatch) => (reader.firstStamp === after.stamp ? -1 : batch.indexOf(after))
    if (yield* goOn(ask({ tail, until }, reader), find)) return
    isShort = until === undefined && reader.pieces < tail
    if (isShort) break
  }
  const far = toStamp(toDockerSeconds(after.stamp, -slackSeconds))
  const asked = isShort ? {} : { since: after.stamp, until, secondsBefore: slackSeconds }
  const isPassed = (batch: LogBatch) => !isShort && batch.isBeyond(far)
  if (yield* goOn(ask(asked), (batch) => batch.indexOf(after), isPassed)) return
  yield* readNearest(ask, after, until, newReader)
}

/** Returns whether the position was found. Stops searching past its time. */
async function* goOn(
  batches: AsyncGenerator<LogBatch>,
  find: (batch: LogBatch) => number,
  isPassed: (batch: LogBatch) => boolean = () => false,
): AsyncGenerator<LogBatch, boolean> {
  let found = false
  for await (const batch of batches) {
    const index: number = found ? -1 : find(batch)
    if (found) yield batch
    else if (index >= 0) yield batch.from(index + 1)
    else if (isPassed(batch)) return false
    found ||= index >= 0
  }
  return found
}

/** Docker has rotated the position away, or it never existed. */
async function* readNearest(
  ask: ReadBatches,
  after: LogPosition,
  until: string | undefined,
  newReader: () => LineReader,
): AsyncGenerator<LogBatch> {
  let last: LogPosition | undefined
  for await (const batch of ask({ since: after.stamp, until })) {
    last = batch.last ?? last
    yield batch.where((stamp) => stamp > after.stamp)
  }
  if (!last) yield* readTail(ask, 0, undefined, newReader)
}
