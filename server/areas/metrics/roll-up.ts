import { sql } from 'kysely'
import type { Db } from '../../tables.ts'
import {
  bucket,
  columnsOf,
  joinOwners,
  type Kind,
  listed,
  means,
  ofApplications,
  ofContainers,
  ofServers,
  type Series,
} from './series.ts'

/** For all servers, containers and applications: each row carries its workspace along. */
export async function rollUp(db: Db): Promise<void> {
  await rollUpSeries(db, ofServers)
  await rollUpSeries(db, ofContainers)
  await rollUpSeries(db, ofApplications)
}

/**
 * Makes five-minute means of what was sampled since the last ones. The last quarter of an hour is done again, for
 * samples that came late; doing it again changes nothing else.
 */
async function rollUpSeries<K extends Kind>(db: Db, series: Series<K>): Promise<void> {
  const names = Object.keys(series.figures)
  const whose = ['workspace_id', ...series.of]
  await sql`
    insert into ${sql.table(series.rollups)} (${listed(columnsOf(series).map(({ name }) => name))})
    select made.* from (
      select ${listed(whose)}, ${bucket(300)} as at, ${means(series)} from ${sql.table(series.samples)}
      where at >= coalesce((select max(at) - interval '15 minutes' from ${sql.table(series.rollups)}), '-infinity')
        and at < date_bin('5 minutes', now(), timestamptz 'epoch')
      group by ${listed(whose)}, ${bucket(300)}
    ) as made
    ${joinOwners(series, 'made')}
    on conflict (${listed([...series.of, 'at'])}) do update set
      ${sql.join(names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))}`.execute(db)
}

const BATCH = 10_000

/** Raw samples for a day, roll-ups for 30. */
export async function forgetOld(db: Db, signal: AbortSignal): Promise<void> {
  for (const { of, samples, rollups } of [ofServers, ofContainers, ofApplications]) {
    await forget(db, signal, { of, table: samples, age: '1 day' })
    await forget(db, signal, { of, table: rollups, age: '30 days' })
  }
}

/** A batch at a time, so that nobody waits for a long lock. */
async function forget(
  db: Db,
  signal: AbortSignal,
  { of, table, age }: { of: readonly string[]; table: string; age: string },
): Promise<void> {
  const row = listed([...of, 'at'])
  let deleted: bigint | undefined
  do {
    signal.throwIfAborted()
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where (${row}) in (
        select ${row} from ${sql.table(table)}
        where at < now() - ${age}::interval order by at limit ${BATCH}
      )`.execute(db)
    deleted = numAffectedRows
  } while (deleted === BigInt(BATCH))
}
