import { sql } from 'kysely'
import {
  type PreviewQuery,
  type PreviewSubject,
  toHistory,
  type SubjectHistories,
  type ValueSpan,
} from './history.ts'

/** From this moment on it was bad, or well. */
interface StateChange {
  at: number
  bad: boolean
}

/** When servers were lost and reached again, as was noted then. */
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
    // Whoever was reached first of all was not reached before.
    return first ? !first.bad && !isNew : subject.status === 'unreachable'
  })
}

/** How the deployments of applications ended. */
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
  for (const past of pasts.values()) past.seen = past.seen.flatMap(anew)
  return pasts
}

/** Each that fails is a thing of its own, also after another that has. */
const anew = (seen: ValueSpan): ValueSpan[] =>
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
