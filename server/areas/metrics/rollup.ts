import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { deleteInBatches } from '../../platform/db.ts'
import type { Db } from '../../tables.ts'
import { listRetentions } from '../workspaces/plan-access.ts'
import {
  timeBucket,
  seriesColumns,
  joinOwners,
  type MetricKind,
  columnList,
  averages,
  applicationSeries,
  containerSeries,
  serverSeries,
  type Series,
} from './series.ts'

export async function rollUpMetrics(db: Db): Promise<void> {
  await rollUpSeries(db, serverSeries)
  await rollUpSeries(db, containerSeries)
  await rollUpSeries(db, applicationSeries)
}

/** Repeats the last 15 minutes to include late samples, which is idempotent. */
async function rollUpSeries<K extends MetricKind>(db: Db, series: Series<K>): Promise<void> {
  const names = Object.keys(series.figures)
  const ownerColumns = ['workspace_id', ...series.of]
  await sql`
    insert into ${sql.table(series.rollups)} (${columnList(seriesColumns(series).map(({ name }) => name))})
    select made.* from (
      select ${columnList(ownerColumns)}, ${timeBucket(300)} as at, ${averages(series)} from ${sql.table(series.samples)}
      where at >= coalesce((select max(at) - interval '15 minutes' from ${sql.table(series.rollups)}), '-infinity')
        and at < date_bin('5 minutes', now(), timestamptz 'epoch')
      group by ${columnList(ownerColumns)}, ${timeBucket(300)}
    ) as made
    ${joinOwners(series, 'made')}
    on conflict (${columnList([...series.of, 'at'])}) do update set
      ${sql.join(names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))}`.execute(db)
}

export async function deleteOldMetrics(db: Db, signal: AbortSignal): Promise<void> {
  for (const { samples, rollups } of [serverSeries, containerSeries, applicationSeries]) {
    await deleteInBatches(db, samples, sql`at < now() - interval '1 day'`, signal)
    await deleteInBatches(db, rollups, sql`at < now() - interval '30 days'`, signal)
  }
}

export async function deleteMetricsByPlan(ctx: Context, signal: AbortSignal): Promise<void> {
  for (const { workspaceId, since, days } of await listRetentions(ctx)) {
    const until = new Date(ctx.now().getTime() - days * 86_400_000)
    for (const { rollups, owners, of } of [serverSeries, containerSeries, applicationSeries])
      await deleteInBatches(
        ctx.db,
        rollups,
        sql`${sql.ref(of[0] ?? '')} in (select id from ${sql.table(owners)} where workspace_id = ${workspaceId})
          and workspace_id = ${workspaceId} and at >= ${since} and at < ${until}`,
        signal,
      )
  }
}
