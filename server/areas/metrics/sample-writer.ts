import { type Insertable, sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db, Tables } from '../../tables.ts'
import {
  applicationSeries,
  columnList,
  containerSeries,
  joinOwners,
  type MetricKind,
  type Series,
  seriesColumns,
  serverSeries,
} from './series.ts'

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
      ctx.log.warn({ reason: String(error), lost: samples.length }, 'Failed to save metrics')
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

export const insertServerSamples = (db: Db, samples: readonly Insertable<Tables['server_samples']>[]) =>
  insertSamples(db, serverSeries, samples)

export const insertContainerSamples = (db: Db, samples: readonly Insertable<Tables['container_samples']>[]) =>
  insertSamples(db, containerSeries, samples)

export const insertApplicationSamples = (
  db: Db,
  samples: readonly Insertable<Tables['application_samples']>[],
) => insertSamples(db, applicationSeries, samples)

/** Inserts many samples in one statement. Skips deleted owners, so that they do not fail the others. */
async function insertSamples<K extends MetricKind>(
  db: Db,
  series: Series<K>,
  samples: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const columns = seriesColumns(series)
  const names = columnList(columns.map(({ name }) => name))
  const arrays = columns.map(
    ({ name, type }) => sql`${samples.map((sample) => sample[name])}::${sql.raw(type)}[]`,
  )
  await sql`
    insert into ${sql.table(series.samples)} (${names})
    select given.* from unnest(${sql.join(arrays)}) as given (${names})
    ${joinOwners(series, 'given')}
    on conflict do nothing`.execute(db)
}
