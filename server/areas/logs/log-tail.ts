import { LogBatch } from './log-batch.ts'
import type { LineReader } from './line-reader.ts'
import type { DockerLogQuery } from './log-source.ts'

export type ReadBatches = (asked: DockerLogQuery, reader?: LineReader) => AsyncGenerator<LogBatch>

/** Maximum bytes to buffer before the first line is determined. */
const maxBuffered = 1_048_576

/** Reads the log a second time when there are too many lines to buffer. */
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
 * Docker counts a long line as several, so one more is requested to see where the first complete line begins, and more
 * when there are too few.
 */
export async function* readTail(
  ask: ReadBatches,
  count: number,
  since: string | undefined,
  newReader: () => LineReader,
): AsyncGenerator<LogBatch> {
  // Even a tail of 0 needs the last position.
  const least = Math.max(count, 1)
  for (let pieces = least + 1; ; pieces *= 4) {
    const reader = newReader()
    const batches = ask({ since, tail: pieces }, reader)
    let [held, isFull] = [new LogBatch(), false]
    for (let next = await batches.next(); !next.done; next = await batches.next()) {
      held.addAll(next.value)
      if (held.cost <= maxBuffered) continue
      if (pieces === least + 1) {
        // Too large to buffer, so lines are passed on as they arrive.
        const isCut = await isCutAt(ask, { since, tail: least }, reader.firstStamp, newReader())
        yield isCut ? withoutFirst(held, reader) : held
        yield* batches
        return
      }
      if (held.cost <= 4 * maxBuffered) continue
      isFull = true
      // Room for the longest line and as much besides.
      held = held.lastOf(least, 2 * maxBuffered)
    }
    const isCut = reader.pieces >= pieces
    const whole = isCut ? withoutFirst(held, reader) : held
    if (isCut && !isFull && whole.size < least) continue
    yield whole.lastOf(count, 2 * maxBuffered)
    return
  }
}

/** Earlier lines of the same time may be missing, so ordinals would be wrong. */
const withoutFirst = (held: LogBatch, { firstStamp }: LineReader) =>
  held.where((stamp) => stamp !== firstStamp)

/** If requesting one line less changes the first line, Docker returned as many as requested and may have more. */
async function isCutAt(
  ask: ReadBatches,
  asked: DockerLogQuery,
  first: string | undefined,
  reader: LineReader,
): Promise<boolean> {
  for await (const _ of ask(asked, reader)) if (reader.firstStamp) return reader.firstStamp !== first
  return false
}
