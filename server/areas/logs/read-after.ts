import type { LogBatch } from './log-batch.ts'
import type { LineReader } from './line-reader.ts'
import { type LogPosition, toDockerSeconds, toStamp } from './log-position.ts'
import { type ReadBatches, readTail } from './log-tail.ts'

/**
 * How many of the last lines are looked through, in the order in which they stand: a clock may have been set back, and a
 * long line that is finished late has the time of its beginning. Docker finds its last lines fast, but a time only by
 * reading from the beginning.
 */
const looks = [1_000, 10_000]
/** Two streams are written down side by side, so that their times may be a little out of order. */
const slackSeconds = 1

/** What stands after this place; where that is not there, what was said after its time, and else the end. */
export async function* readAfter(
  ask: ReadBatches,
  after: LogPosition,
  until: string | undefined,
  newReader: () => LineReader,
): AsyncGenerator<LogBatch> {
  let isShort = false
  for (const tail of looks) {
    const reader = newReader()
    // Others of the first time may be missing before it, so that nobody knows which of them is which.
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

/** Whether it was found, and so all that follows told. It is not looked for beyond where it would have to be. */
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

/** Docker has thrown it away, and with it what is older; or it never was. */
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
