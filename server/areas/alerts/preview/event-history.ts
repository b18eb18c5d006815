import { sql } from 'kysely'
import { isRenewalOverdue, wholeDaysLeft } from '../certificate-lifetime.ts'
import {
  type PreviewQuery,
  type PreviewSubject,
  STEP,
  type SubjectHistories,
  type SubjectHistory,
  toAveragesHistory,
  toHistory,
  type ValueSpan,
} from './history.ts'

/** Seconds since 1970, and whether the condition was met from then on. */
type Turn = [number, boolean]

export async function readReachabilityHistory(query: PreviewQuery): Promise<SubjectHistories> {
  const { db, workspaceId, subjects, since } = query
  const { rows } = await sql<{ key: string; turns: Turn[] }>`
    select target_id as key,
      json_agg(json_build_array(extract(epoch from created_at)::float8, type = 'server.unreachable') order by id) as turns
    from events
    where workspace_id = ${workspaceId} and type in ('server.unreachable', 'server.ready')
      and created_at >= ${new Date(since)} and target_id = any(${subjects.map(({ key }) => key)})
    group by target_id`.execute(db)
  return toHistories(query, rows, (subject, first) => {
    const isNew = subject.created_at !== null && subject.created_at.getTime() > since
    // The first event of a new server is its first connection, so it was not reachable before.
    return first ? !first[1] && !isNew : subject.status === 'unreachable'
  })
}

export async function readDeploymentHistory(query: PreviewQuery): Promise<SubjectHistories> {
  const { db, workspaceId, subjects, since } = query
  const { rows } = await sql<{ key: string; turns: Turn[] }>`
    select application_id as key,
      json_agg(json_build_array(extract(epoch from finished_at)::float8, status = 'failed') order by finished_at) as turns
    from deployments
    where workspace_id = ${workspaceId} and status in ('completed', 'failed')
      and finished_at >= ${new Date(since)} and application_id = any(${subjects.map(({ key }) => key)})
    group by application_id`.execute(db)
  const histories = toHistories(query, rows, () => false)
  for (const history of histories.values()) history.seen = history.seen.flatMap(separateFailures)
  return histories
}

/** Consecutive failed deployments are separate incidents, so insert a healthy reading between them. */
const separateFailures = (seen: ValueSpan): ValueSpan[] =>
  seen.value === true ? [{ at: seen.at, lasts: 0, value: false }, seen] : [seen]

function toHistories(
  { subjects, since, until }: PreviewQuery,
  rows: { key: string; turns: Turn[] }[],
  wasBad: (subject: PreviewSubject, first: Turn | undefined) => boolean,
): SubjectHistories {
  const known = new Map(rows.map(({ key, turns }) => [key, turns]))
  return new Map(
    subjects.map((subject) => {
      const turns = known.get(subject.key) ?? []
      return [subject.key, turnsToHistory(turns, wasBad(subject, turns[0]), { since, until })]
    }),
  )
}

function turnsToHistory(
  turns: Turn[],
  wasBad: boolean,
  span: Pick<PreviewQuery, 'since' | 'until'>,
): SubjectHistory {
  const changes = turns.map(([at, bad]) => ({ at: Math.round(at * 1_000), bad }))
  const times = changes.map(({ at }) => at)
  return toHistory(times, (at) => changes.findLast((change) => change.at <= at)?.bad ?? wasBad, span)
}

export const readCertificateHistory = ({
  watched,
  subjects,
  since,
  until,
}: PreviewQuery): Promise<SubjectHistories> =>
  Promise.resolve(
    new Map(
      subjects.flatMap(({ key, created_at, valid_from, expires_at }) => {
        if (!expires_at) return []
        const first = Math.max(since, Math.ceil((created_at?.getTime() ?? since) / STEP) * STEP)
        const steps = Array.from({ length: Math.max(0, Math.ceil((until - first) / STEP)) }, (_, index) => {
          const at = first + index * STEP
          return { at, value: wholeDaysLeft(expires_at, at) }
        })
        const { points, seen } = toAveragesHistory(steps)
        const judged = seen.map((span) => ({
          ...span,
          value: isRenewalOverdue(watched, { valid_from, expires_at }, span.at) ?? span.value,
        }))
        return [[key, { points, seen: judged }]]
      }),
    ),
  )

export const readTroubleHistory =
  (trouble: 'restart' | 'oom') =>
  async ({ db, workspaceId, watched, subjects, since, until }: PreviewQuery): Promise<SubjectHistories> => {
    const window = (watched.window_seconds ?? 0) * 1_000
    const { rows } = await sql<{ key: string; troubles: [number, number][] }>`
      select server_id || ' ' || container_id as key,
        json_agg(json_build_array(extract(epoch from at)::float8, times) order by at) as troubles
      from container_troubles
      where workspace_id = ${workspaceId} and kind = ${trouble} and at >= ${new Date(since - window)}
        and server_id || ' ' || container_id = any(${subjects.map(({ key }) => key)})
      group by 1`.execute(db)
    const known = new Map(rows.map(({ key, troubles }) => [key, troubles]))
    return new Map(
      subjects.map(({ key }) => {
        const troubles = (known.get(key) ?? []).map(([at, times]) => ({ at: Math.round(at * 1_000), times }))
        const within = (at: number) =>
          troubles.reduce(
            (sum, trouble) => (trouble.at <= at && trouble.at > at - window ? sum + trouble.times : sum),
            0,
          )
        const changes = troubles.flatMap(({ at }) => [at, at + window])
        return [key, toHistory(changes, within, { since, until })]
      }),
    )
  }

export async function readCheckHistory(query: PreviewQuery): Promise<SubjectHistories> {
  const { db, workspaceId, watched, subjects, since } = query
  if (!watched.check) return new Map()
  const { path, status, contains, latency_ms } = watched.check
  const { rows } = await sql<{ key: string; slowest: [number, number][]; turns: Turn[] }>`
    with answers as materialized (
      select c.application_id as key, c.at, c.latency_ms,
        not coalesce(c.status = any(${expandStatuses(status)}::integer[]), false)
          or coalesce(c.latency_ms > ${latency_ms}::integer, false) or (${contains !== ''} and not c.ok) as bad
      from checks c join alerts a on a.workspace_id = c.workspace_id and a.id = c.alert_id
      where c.workspace_id = ${workspaceId} and c.at >= ${new Date(since)}
        and c.application_id = any(${subjects.map(({ key }) => key)})
        and a.http_check->>'path' = ${path} and (${contains === ''} or a.http_check->>'contains' = ${contains})
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
      const { seen } = turnsToHistory(turns, false, query)
      return [key, { points: slowest.map(([at, value]) => ({ at: at * 1_000, value })), seen }]
    }),
  )
}

const expandStatuses = (patterns: string) =>
  patterns.split(',').flatMap((pattern) => {
    const first = Number(pattern.trim().replaceAll('x', '0'))
    return Array.from({ length: pattern.includes('x') ? 100 : 1 }, (_, index) => first + index)
  })
