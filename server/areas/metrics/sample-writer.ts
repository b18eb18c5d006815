import type { Insertable } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db, Tables } from '../../tables.ts'
import { insertApplicationSamples, insertContainerSamples, insertServerSamples } from './store.ts'

/** Samples of all servers wait so long for each other, and are then written at once. */
const PAUSE = 1_000
/** After a failure. */
const LONG_PAUSE = 5_000
/** In one statement. */
const BATCH = 2_000
/** While the database is away, samples wait for it; older ones the roll-ups would not take up any more. */
const OLDEST = 10 * 60_000

export interface SampleWriter<Row> {
  add(sample: Row): void
  /** Writes what waits; a failure is logged, and tried again by itself. */
  flush(): Promise<void>
}

export interface SampleWriters {
  servers: SampleWriter<Insertable<Tables['server_samples']>>
  containers: SampleWriter<Insertable<Tables['container_samples']>>
  applications: SampleWriter<Insertable<Tables['application_samples']>>
}

const writers = new WeakMap<Context, SampleWriters>()

/** The same for all servers that this process collects from. */
export function sampleWriters(ctx: Context): SampleWriters {
  const known = writers.get(ctx)
  if (known) return known
  const made = {
    servers: createWriter(ctx, insertServerSamples),
    containers: createWriter(ctx, insertContainerSamples),
    applications: createWriter(ctx, insertApplicationSamples),
  }
  writers.set(ctx, made)
  return made
}

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
      const oldest = ctx.now().getTime() - OLDEST
      waiting = waiting.filter(({ at }) => new Date(at).getTime() > oldest)
      ctx.log.warn({ error, waiting: waiting.length }, 'Could not save metrics.')
      if (waiting.length > 0) schedule(LONG_PAUSE)
    }
  }

  function schedule(pause: number) {
    timer ??= setTimeout(() => void flush(), pause).unref()
  }

  async function flush() {
    // What was added while one batch was written is not lost: it goes with the next.
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
