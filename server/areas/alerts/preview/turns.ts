import { sql } from 'kysely'
import { type Asked, type Looked, pastOf, type Pasts, type Seen } from './past.ts'

/** From this moment on it was bad, or well. */
interface Turn {
  at: number
  bad: boolean
}

/** When servers were lost and reached again, as was noted then. */
export async function readReach(asked: Asked): Promise<Pasts> {
  const { db, workspaceId, subjects, since } = asked
  const { rows } = await sql<{ key: string; turns: [number, boolean][] }>`
    select target_id as key,
      json_agg(json_build_array(extract(epoch from created_at)::float8, type = 'server.unreachable') order by id) as turns
    from events
    where workspace_id = ${workspaceId} and type in ('server.unreachable', 'server.ready')
      and created_at >= ${new Date(since)} and target_id = any(${subjects.map(({ key }) => key)})
    group by target_id`.execute(db)
  return pastsOf(asked, rows, (subject, [first]) => {
    const isNew = subject.created_at !== null && subject.created_at.getTime() > since
    // Whoever was reached first of all was not reached before.
    return first ? !first.bad && !isNew : subject.status === 'unreachable'
  })
}

/** How the deployments of applications ended. */
export async function readFailures(asked: Asked): Promise<Pasts> {
  const { db, workspaceId, subjects, since } = asked
  const { rows } = await sql<{ key: string; turns: [number, boolean][] }>`
    select application_id as key,
      json_agg(json_build_array(extract(epoch from finished_at)::float8, status = 'failed') order by finished_at) as turns
    from deployments
    where workspace_id = ${workspaceId} and status in ('completed', 'failed')
      and finished_at >= ${new Date(since)} and application_id = any(${subjects.map(({ key }) => key)})
    group by application_id`.execute(db)
  const pasts = pastsOf(asked, rows, () => false)
  for (const past of pasts.values()) past.seen = past.seen.flatMap(anew)
  return pasts
}

/** Each that fails is a thing of its own, also after another that has. */
const anew = (seen: Seen): Seen[] =>
  seen.value === true ? [{ at: seen.at, lasts: 0, value: false }, seen] : [seen]

function pastsOf(
  { subjects, since, until }: Asked,
  rows: { key: string; turns: [number, boolean][] }[],
  wasBad: (subject: Looked, turns: Turn[]) => boolean,
): Pasts {
  const known = new Map(rows.map(({ key, turns }) => [key, turns]))
  return new Map(
    subjects.map((subject) => {
      const turns = (known.get(subject.key) ?? []).map(([at, bad]) => ({ at: Math.round(at * 1_000), bad }))
      const before = wasBad(subject, turns)
      const badAt = (at: number) => turns.findLast((turn) => turn.at <= at)?.bad ?? before
      return [
        subject.key,
        pastOf(
          turns.map(({ at }) => at),
          badAt,
          { since, until },
        ),
      ]
    }),
  )
}
