import { sql } from 'kysely'
import {
  type PreviewQuery,
  type PreviewSubject,
  toHistory,
  type SubjectHistories,
  type ValueSpan,
} from './history.ts'

/** The condition was met, or not, from this time on. */
interface StateChange {
  at: number
  bad: boolean
}

export async function readReachabilityHistory(asked: PreviewQuery): Promise<SubjectHistories> {
  const { db, workspaceId, subjects, since } = asked
  const { rows } = await sql<{ key: string; turns: [number, boolean][] }>`
    select target_id as key,
      json_agg(json_build_array(extract(epoch from created_at)::float8, type = 'server.unreachable') order by id) as turns
    from events
    where workspace_id = ${workspaceId} and type in ('server.unreachable', 'server.ready')
      and created_at >= ${new Date(since)} and target_id = any(${subjects.map(({ key }) => key)})
    group by target_id`.execute(db)
  return toHistories(asked, rows, (subject, [first]) => {
    const isNew = subject.created_at !== null && subject.created_at.getTime() > since
    // The first event of a new server is its first connection, so it was not reachable before.
    return first ? !first.bad && !isNew : subject.status === 'unreachable'
  })
}

export async function readDeploymentHistory(asked: PreviewQuery): Promise<SubjectHistories> {
  const { db, workspaceId, subjects, since } = asked
  const { rows } = await sql<{ key: string; turns: [number, boolean][] }>`
    select application_id as key,
      json_agg(json_build_array(extract(epoch from finished_at)::float8, status = 'failed') order by finished_at) as turns
    from deployments
    where workspace_id = ${workspaceId} and status in ('completed', 'failed')
      and finished_at >= ${new Date(since)} and application_id = any(${subjects.map(({ key }) => key)})
    group by application_id`.execute(db)
  const pasts = toHistories(asked, rows, () => false)
  for (const past of pasts.values()) past.seen = past.seen.flatMap(separateFailures)
  return pasts
}

/** Consecutive failed deployments are separate incidents, so insert a healthy reading between them. */
const separateFailures = (seen: ValueSpan): ValueSpan[] =>
  seen.value === true ? [{ at: seen.at, lasts: 0, value: false }, seen] : [seen]

function toHistories(
  { subjects, since, until }: PreviewQuery,
  rows: { key: string; turns: [number, boolean][] }[],
  wasBad: (subject: PreviewSubject, turns: StateChange[]) => boolean,
): SubjectHistories {
  const known = new Map(rows.map(({ key, turns }) => [key, turns]))
  return new Map(
    subjects.map((subject) => {
      const turns = (known.get(subject.key) ?? []).map(([at, bad]) => ({ at: Math.round(at * 1_000), bad }))
      const before = wasBad(subject, turns)
      const badAt = (at: number) => turns.findLast((turn) => turn.at <= at)?.bad ?? before
      return [
        subject.key,
        toHistory(
          turns.map(({ at }) => at),
          badAt,
          { since, until },
        ),
      ]
    }),
  )
}
