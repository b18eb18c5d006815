import { sql } from 'kysely'
import { type PreviewQuery, toHistory, type SubjectHistories } from './history.ts'

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
          troubles.reduce((sum, one) => (one.at <= at && one.at > at - window ? sum + one.times : sum), 0)
        // Each occurrence counts until it leaves the window.
        const changes = troubles.flatMap(({ at }) => [at, at + window])
        return [key, toHistory(changes, within, { since, until })]
      }),
    )
  }
