import { sql } from 'kysely'
import { forget } from '../../platform/forget.ts'
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

/** Raw samples for a day, roll-ups for 30. */
export async function forgetOld(db: Db, signal: AbortSignal): Promise<void> {
  for (const { samples, rollups } of [ofServers, ofContainers, ofApplications]) {
    await forget(db, samples, sql`at < now() - interval '1 day'`, signal)
    await forget(db, rollups, sql`at < now() - interval '30 days'`, signal)
  }
}
