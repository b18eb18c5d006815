import type { Insertable } from 'kysely'
import type { Context } from '../../context.ts'
import type { Tables } from '../../tables.ts'
import { insertSamples } from './store.ts'

type SampleRow = Insertable<Tables['server_samples']>

/** Samples of all servers wait so long for each other, and are then written at once. */
const PAUSE = 1_000
/** After a failure. */
const LONG_PAUSE = 5_000
/** In one statement. */
const BATCH = 2_000
/** While the database is away, samples wait for it; older ones the roll-ups would not take up any more. */
const OLDEST = 10 * 60_000

export interface Writer {
  add(sample: SampleRow): void
  /** Writes what waits; a failure is logged, and tried again by itself. */
  flush(): Promise<void>
}

const writers = new WeakMap<Context, Writer>()

/** One for all servers that this process collects from. */
export function writerOf(ctx: Context): Writer {
  const known = writers.get(ctx)
  if (known) return known
  const made = createWriter(ctx)
  writers.set(ctx, made)
  return made
}

function createWriter(ctx: Context): Writer {
  let waiting: SampleRow[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> | undefined

  async function write() {
    clearTimeout(timer)
    timer = undefined
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH)
        await insertSamples(ctx.db, batch)
        waiting = waiting.slice(batch.length)
      }
    } catch (error) {
      const oldest = ctx.now().getTime() - OLDEST
      waiting = waiting.filter(({ at }) => new Date(at).getTime() > oldest)
      ctx.log.warn({ error, waiting: waiting.length }, 'Figures of servers could not be written.')
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
