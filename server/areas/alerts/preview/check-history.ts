import { sql } from 'kysely'
import { type PreviewQuery, toHistory, type SubjectHistories } from './history.ts'

interface Row {
  key: string
  slowest: [number, number][]
  /** Times at which the check changed, and whether it failed from then on. */
  turns: [number, boolean][]
}

/** Applies the new definition to recorded results of alerts that checked the same path. */
export async function readCheckHistory({
  db,
  workspaceId,
  watched,
  subjects,
  since,
  until,
}: PreviewQuery): Promise<SubjectHistories> {
  if (!watched.check) return new Map()
  const { path, status, contains, latency_ms } = watched.check
  const { rows } = await sql<Row>`
    with answers as materialized (
      select c.application_id as key, c.at, c.latency_ms,
        not coalesce(c.status = any(${statusesOf(status)}::integer[]), false)
          or coalesce(c.latency_ms > ${latency_ms}::integer, false) or (${contains !== ''} and not c.ok) as bad
      from checks c join alerts a on a.workspace_id = c.workspace_id and a.id = c.alert_id
      where c.workspace_id = ${workspaceId} and c.at >= ${new Date(since)}
        and c.application_id = any(${subjects.map(({ key }) => key)})
        and a.asked->>'path' = ${path} and (${contains === ''} or a.asked->>'contains' = ${contains})
    ), turns as (
      select key, json_agg(json_build_array(extract(epoch from at)::float8, bad) order by at) as turns
      from (select key, at, bad, lag(bad) over (partition by key order by at) as before from answers) as each
      where bad is distinct from before group by key
    ), steps as (
      select key, date_bin('5 minutes', at, timestamptz 'epoch') as at, max(latency_ms) as latency
      from answers where latency_ms is not null group by 1, 2
    ), slowest as (
      select key, json_agg(json_build_array(extract(epoch from at)::integer, latency) order by at) as slowest
      from steps group by key
    )
    select key, turns, coalesce(slowest, '[]') as slowest from turns left join slowest using (key)`.execute(
    db,
  )
  return new Map(
    rows.map(({ key, slowest, turns }) => {
      const changes = turns.map(([at, bad]) => ({ at: Math.round(at * 1_000), bad }))
      const badAt = (at: number) => changes.findLast((change) => change.at <= at)?.bad ?? false
      const { seen } = toHistory(
        changes.map(({ at }) => at),
        badAt,
        { since, until },
      )
      return [key, { points: slowest.map(([at, value]) => ({ at: at * 1_000, value })), seen }]
    }),
  )
}

const statusesOf = (wanted: string) =>
  wanted.split(',').flatMap((one) => {
    const first = Number(one.trim().replaceAll('x', '0'))
    return Array.from({ length: one.includes('x') ? 100 : 1 }, (_, index) => first + index)
  })
