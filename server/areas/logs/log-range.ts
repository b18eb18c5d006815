import { LogBatch, type LogPosition, toDockerSeconds, toStamp } from './log-batch.ts'
import type { LineReader } from './line-reader.ts'
import type { DockerLogQuery } from './log-source.ts'

export type ReadBatches = (query: DockerLogQuery, reader?: LineReader) => AsyncGenerator<LogBatch>

const maxBuffered = 1_048_576

export async function* lastLines(
  readAll: () => AsyncGenerator<LogBatch>,
  count: number,
): AsyncGenerator<LogBatch> {
  let [held, all] = [new LogBatch(), 0]
  for await (const batch of readAll()) {
    all += batch.size
    held.addAll(batch)
    if (held.size > 2 * count + 1_000 || held.cost > 4 * maxBuffered)
      held = held.lastOf(count, 2 * maxBuffered)
  }
  held = held.lastOf(count, 2 * maxBuffered)
  if (held.size >= Math.min(count, all)) {
    yield held
    return
  }
  let before = all - Math.min(count, all)
  for await (const batch of readAll()) {
    // Omitted lines are not sent, because a reconnecting viewer would continue from them.
    if (before < batch.size) yield batch.from(before)
    before = Math.max(before - batch.size, 0)
  }
}

/**
 * Reads the last lines. Docker counts a long line as several, so more are requested, to see where the first complete
 * line begins.
 */
export async function* readTail(
  ask: ReadBatches,
  count: number,
  since: string | undefined,
  newReader: () => LineReader,
): AsyncGenerator<LogBatch> {
  // A tail of 0 also needs the position of the last line.
  const least = Math.max(count, 1)
  for (let pieces = least + 1; ; pieces *= 4) {
    const reader = newReader()
    const batches = ask({ since, tail: pieces }, reader)
    let [held, isFull] = [new LogBatch(), false]
    for (let next = await batches.next(); !next.done; next = await batches.next()) {
      held.addAll(next.value)
      if (held.cost <= maxBuffered) continue
      if (pieces === least + 1) {
        const isCut = await isCutAt(ask, { since, tail: least }, reader.firstStamp, newReader())
        yield isCut ? withoutFirst(held, reader) : held
        yield* batches
        return
      }
      if (held.cost <= 4 * maxBuffered) continue
      isFull = true
      held = held.lastOf(least, 2 * maxBuffered)
    }
    const isCut = reader.pieces >= pieces
    const whole = isCut ? withoutFirst(held, reader) : held
    if (isCut && !isFull && whole.size < least) continue
    yield whole.lastOf(count, 2 * maxBuffered)
    return
  }
}

/** Drops the lines with the first time: earlier lines of that time may be missing, so ordinals would be wrong. */
const withoutFirst = (held: LogBatch, { firstStamp }: LineReader) =>
  held.where((stamp) => stamp !== firstStamp)

/**
 * Returns whether Docker may have more lines. If a request for one line less changes the first line, Docker returned as
 * many as requested.
 */
async function isCutAt(
  ask: ReadBatches,
  query: DockerLogQuery,
  first: string | undefined,
  reader: LineReader,
): Promise<boolean> {
  for await (const _ of ask(query, reader)) if (reader.firstStamp) return reader.firstStamp !== first
  return false
}

/**
 * Tails that are searched before the whole log: Docker finds a tail fast, but a time only by scanning from the
 * beginning.
 */
const searchTails = [1_000, 10_000]
/** Docker writes both streams concurrently, so times may be slightly out of order. */
const slackSeconds = 1

export async function* readAfter(
  ask: ReadBatches,
  after: LogPosition,
  until: string | undefined,
  newReader: () => LineReader,
): AsyncGenerator<LogBatch> {
  let isShort = false
  for (const tail of searchTails) {
    const reader = newReader()
    const find = (batch: LogBatch) => (reader.firstStamp === after.stamp ? -1 : batch.indexOf(after))
    if (yield* goOn(ask({ tail, until }, reader), find)) return
    isShort = until === undefined && reader.pieces < tail
    if (isShort) break
  }
  const far = toStamp(toDockerSeconds(after.stamp, -slackSeconds))
  const query = isShort ? {} : { since: after.stamp, until, secondsBefore: slackSeconds }
  const isPassed = (batch: LogBatch) => !isShort && batch.isBeyond(far)
  if (yield* goOn(ask(query), (batch) => batch.indexOf(after), isPassed)) return
  yield* readNearest(ask, after, until, newReader)
}

async function* goOn(
  batches: AsyncGenerator<LogBatch>,
  find: (batch: LogBatch) => number,
  isPassed: (batch: LogBatch) => boolean = () => false,
): AsyncGenerator<LogBatch, boolean> {
  let isFound = false
  for await (const batch of batches) {
    const index: number = isFound ? -1 : find(batch)
    if (isFound) yield batch
    else if (index >= 0) yield batch.from(index + 1)
    else if (isPassed(batch)) return false
    isFound ||= index >= 0
  }
  return isFound
}

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
