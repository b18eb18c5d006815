import type { Insertable } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db, Tables } from '../../tables.ts'
import { insertApplicationSamples, insertContainerSamples, insertServerSamples } from './store.ts'

/** Milliseconds for which samples of all servers are collected into one statement. */
const PAUSE = 1_000
/** Milliseconds after a failure. */
const LONG_PAUSE = 5_000
const BATCH = 2_000
/** While the database is unreachable, samples wait this long; roll-ups would not include older ones. */
const MAX_AGE = 10 * 60_000

export interface SampleWriter<Row> {
  add(sample: Row): void
  /** Logs a failure and retries by itself. */
  flush(): Promise<void>
}

export interface SampleWriters {
  servers: SampleWriter<Insertable<Tables['server_samples']>>
  containers: SampleWriter<Insertable<Tables['container_samples']>>
  applications: SampleWriter<Insertable<Tables['application_samples']>>
}

/** Shared by all servers of this process. */
export const createSampleWriters = (ctx: Context): SampleWriters => ({
  servers: createWriter(ctx, insertServerSamples),
  containers: createWriter(ctx, insertContainerSamples),
  applications: createWriter(ctx, insertApplicationSamples),
})

function createWriter<Row extends { at: Date | string }>(
  ctx: Context,
  insert: (db: Db, samples: readonly Row[]) => Promise<void>,
): SampleWriter<Row> {
  let waiting: Row[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  async function write() {
    clearTimeout(timer)
    timer = undefined
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH)
        await insert(ctx.db, batch)
        waiting = waiting.slice(batch.length)
      }
    } catch (error) {
      const oldest = ctx.now().getTime() - MAX_AGE
      waiting = waiting.filter(({ at }) => new Date(at).getTime() > oldest)
      ctx.log.warn({ error, waiting: waiting.length }, 'Could not save metrics.')
      if (waiting.length > 0) schedule(LONG_PAUSE)
    }
  }

  function schedule(pause: number) {
    timer ??= setTimeout(() => void flush(), pause).unref()
  }

  async function flush() {
    // Samples added during a write go with the next batch.
    if (writing) await writing
    writing ??= write().finally(() => (writing = undefined))
    await writing
  }

  return {
    add(sample) {
      waiting.push(sample)
      schedule(PAUSE)
    },
    flush,
  }
}
