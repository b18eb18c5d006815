import type { Insertable } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db, Tables } from '../../tables.ts'
import { insertApplicationSamples, insertContainerSamples, insertServerSamples } from './store.ts'

const PAUSE = 1_000
const BATCH = 2_000

export interface SampleWriter<Row> {
  add(sample: Row): void
  flush(): Promise<void>
}

export interface SampleWriters {
  servers: SampleWriter<Insertable<Tables['server_samples']>>
  containers: SampleWriter<Insertable<Tables['container_samples']>>
  applications: SampleWriter<Insertable<Tables['application_samples']>>
}

export const createSampleWriters = (ctx: Context): SampleWriters => ({
  servers: createWriter(ctx, insertServerSamples),
  containers: createWriter(ctx, insertContainerSamples),
  applications: createWriter(ctx, insertApplicationSamples),
})

function createWriter<Row>(
  ctx: Context,
  insert: (db: Db, samples: readonly Row[]) => Promise<void>,
): SampleWriter<Row> {
  let waiting: Row[] = []
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  async function write() {
    clearTimeout(timer)
    timer = undefined
    const samples = waiting
    waiting = []
    try {
      for (let from = 0; from < samples.length; from += BATCH)
        await insert(ctx.db, samples.slice(from, from + BATCH))
    } catch (error) {
      ctx.log.warn({ error, lost: samples.length }, 'Could not save metrics.')
    }
  }

  const flush = () => (writing = writing.then(write))
  return {
    add(sample) {
      waiting.push(sample)
      timer ??= setTimeout(() => void flush(), PAUSE).unref()
    },
    flush,
  }
}
