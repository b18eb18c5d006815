import { sql } from 'kysely'
import { containerSeries, serverSeries } from '../../metrics/series.ts'
import { type PreviewQuery, toAveragesHistory, type SubjectHistories } from './history.ts'

const servers = { series: serverSeries, key: sql`server_id` }
const containers = { series: containerSeries, key: sql`server_id || ' ' || container_id` }

/** Values are in the unit of the threshold. Load counts all cores together. */
const figures = {
  cpu: { ...servers, value: sql`cpu * 100` },
  memory: { ...servers, value: sql`memory_used * 100.0::float8 / nullif(memory_total, 0)` },
  disk: { ...servers, value: sql`disk_used * 100.0::float8 / nullif(disk_total, 0)` },
  load: { ...servers, value: sql`load_5` },
  container_cpu: { ...containers, value: sql`cpu * 100` },
  container_memory: { ...containers, value: sql`memory_used * 100.0::float8 / nullif(memory_limit, 0)` },
}

type Figure = keyof typeof figures

export const readMetricHistory =
  (figure: Figure) =>
  async ({ db, workspaceId, subjects, since }: PreviewQuery): Promise<SubjectHistories> => {
    const { series, key, value } = figures[figure]
    const places = [...new Set(subjects.flatMap(({ server_id }) => server_id ?? []))]
    const owned = sql`workspace_id = ${workspaceId} and server_id = any(${places})`
    const from = new Date(since)
    // Returns one array per subject, in hundredths: decoding tens of thousands of rows would take longer than the
    // query.
    const { rows } = await sql<{ key: string; times: number[]; hundredths: number[] }>`
      with rolled as (
        select ${key} as key, at, ${value} as value from ${sql.table(series.rollups)}
        where ${owned} and at >= ${from}
      ), fresh as (
        select ${key} as key, date_bin('5 minutes', at, timestamptz 'epoch') as at, avg(${value}) as value
        from ${sql.table(series.samples)}
        where ${owned} and at >= greatest(${from}, (select max(at) + interval '5 minutes' from rolled))
        group by 1, 2
      )
      select key, array_to_json(array_agg(extract(epoch from at)::integer)) as times,
        array_to_json(array_agg((value * 100)::integer)) as hundredths
      from (select * from rolled union all select * from fresh) as both_kinds
      where value is not null and key = any(${subjects.map((subject) => subject.key)})
      group by key`.execute(db)
    const cores = new Map(subjects.map((subject) => [subject.key, subject.cpus ?? 1]))
    return new Map(
      rows.map(({ key: name, times, hundredths }) => {
        const each = figure === 'load' ? 100 * Math.max(1, cores.get(name) ?? 1) : 100
        const points = times.map((at, index) => ({ at: at * 1_000, value: (hundredths[index] ?? 0) / each }))
        return [name, toAveragesHistory(points.toSorted((a, b) => a.at - b.at))]
      }),
    )
  }
