import { setTimeout as sleep } from 'node:timers/promises'
import type { Docker } from '../../../remote/host.ts'
import type { Instance } from '../../applications/instance.ts'
import type { Batch } from '../../logs/batch.ts'
import { LineReader } from '../../logs/line-reader.ts'
import { idOf, type Place, placeIn, secondsOf } from '../../logs/place.ts'
import { chunksOf } from '../../logs/source.ts'
import { type Attempt, hostFor, type Reader } from './attempt.ts'

/** Milliseconds until it is tried again where the connection went away. */
const pause = 500
/** Milliseconds for which a reader that is behind is waited for. */
const patience = 30_000

/** Puts what a container says into the log, until it ends or the signal says so. What was told is not told twice. */
export async function followWords(
  attempt: Attempt,
  instance: Instance,
  prefix: string,
  signal: AbortSignal,
): Promise<void> {
  let last = placeIn(instance.log_place ?? undefined)
  const reader: Reader = { instance, stamp: '', hasEnded: false }
  attempt.readers.push(reader)
  while (!signal.aborted && !reader.hasEnded) {
    try {
      for await (const batch of wordsOf(hostFor(attempt).docker, instance, last, signal)) {
        if (signal.aborted) break
        tell(attempt, instance, batch, prefix)
        last = batch.last ?? last
        await attempt.log.room()
        reader.stamp = last?.stamp ?? ''
      }
      reader.hasEnded = true
    } catch {
      // Whoever waits for the container says so.
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }
  reader.hasEnded = true
}

async function* wordsOf(
  docker: Docker,
  instance: Instance,
  after: Place | undefined,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const query = { follow: '1', ...(after && { since: secondsOf(after.stamp) }) }
  let skipping = after
  const news = (batch: Batch) => {
    if (!skipping) return batch
    const index = batch.indexOf(skipping)
    const { stamp } = skipping
    if (index < 0) return batch.where((one) => one > stamp)
    skipping = undefined
    return batch.from(index + 1)
  }
  // Docker before 23 tells a file again from its beginning that it began while it was behind.
  const told = new Map<number, Place>()
  for await (const batch of read(docker, instance, query, signal)) yield news(batch).behind(told)
}

async function* read(
  docker: Docker,
  { container_id }: Instance,
  asked: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const query = new URLSearchParams({ stdout: '1', stderr: '1', timestamps: '1', ...asked })
  const path = `/containers/${container_id ?? ''}/logs?${query.toString()}`
  const reader = new LineReader(false)
  for await (const chunk of chunksOf(await docker.stream({ path, signal }))) yield reader.read(chunk)
  yield reader.end(true)
}

function tell({ log }: Attempt, instance: Instance, batch: Batch, prefix: string): void {
  const { data } = batch.event(false)
  if (data.type !== 'lines' || !batch.last) return
  const from = { instance, place: idOf(batch.last) }
  for (const { stream, text } of data.lines) log.hear(stream, `${prefix}${text}\n`, from)
}

/** All that was said up to now is in the log. Nobody is kept waiting by one that says more than can be read. */
export async function catchUp(attempt: Attempt): Promise<void> {
  const { docker } = hostFor(attempt)
  const signal = AbortSignal.any([attempt.signal, AbortSignal.timeout(patience)])
  try {
    for (const reader of attempt.readers) {
      let end = ''
      for await (const batch of read(docker, reader.instance, { tail: '1' }, signal))
        end = batch.last?.stamp ?? end
      while (!reader.hasEnded && reader.stamp < end) await sleep(20, undefined, { signal })
    }
  } catch {
    attempt.signal.throwIfAborted()
  }
}
