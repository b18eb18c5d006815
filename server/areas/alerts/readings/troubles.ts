import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import type { AlertRow } from '../observation.ts'

const troubleKinds = { container_restarting: 'restart', container_oom: 'oom' } as const

/**
 * Milliseconds between complete counts, which drop events that left the window; longer windows tolerate longer
 * intervals.
 */
const recountAfter = (seconds: number) => Math.min(Math.max(10, seconds / 60), 300) * 1_000

/** Seconds until an event is visible in the table. */
const LATE = 3

/** The trouble, workspace and window to count. */
interface TroubleQuery {
  workspace_id: Id<'workspace'>
  kind: string
  seconds: number
}

interface Row extends TroubleQuery {
  server_id: Id<'server'>
  container_id: string
  times: number
}

interface Counted {
  at: number
  times: Map<string, number>
}

export interface Troubles {
  /** Containers whose count may have changed. */
  changed: { server_id: Id<'server'>; container_id: string }[]
  count(alert: AlertRow, serverId: Id<'server'>, containerId: string): number
}

const keyOf = ({ workspace_id, kind, seconds }: TroubleQuery) => `${workspace_id} ${kind} ${seconds}`
const containerOf = (serverId: string, containerId: string) => `${serverId} ${containerId}`

function askedBy({ workspace_id, kind, window_seconds: seconds }: AlertRow): TroubleQuery | undefined {
  if (seconds === null || (kind !== 'container_restarting' && kind !== 'container_oom')) return undefined
  return { workspace_id, kind: troubleKinds[kind], seconds }
}

/**
 * Counts the events of containers within the window of their alerts. Counts all of them now and then, and in between
 * only containers with new events. If the pass fails, the next complete count includes them.
 */
export function createTroublesReader(db: Db) {
  let counted = new Map<string, Counted>()
  let last = -Infinity

  return async (alerts: readonly AlertRow[], at: number): Promise<Troubles> => {
    const queries = new Map(alerts.flatMap((alert) => askedBy(alert) ?? []).map((one) => [keyOf(one), one]))
    const due = new Set(
      [...queries].flatMap(([key, { seconds }]) => {
        const before = counted.get(key)
        return !before || at - before.at >= recountAfter(seconds) ? [key] : []
      }),
    )
    const [all, some] = [
      [...queries.values()].filter((one) => due.has(keyOf(one))),
      [...queries.values()].filter((one) => !due.has(keyOf(one))),
    ]
    const rows = [
      ...(await listTroubles(db, all)),
      ...(await listTroubles(db, some, (at - last) / 1_000 + LATE)),
    ]
    const next = new Map<string, Counted>()
    for (const key of queries.keys()) {
      const before = due.has(key) ? undefined : counted.get(key)
      next.set(key, before ?? { at, times: new Map() })
    }
    for (const row of rows)
      next.get(keyOf(row))?.times.set(containerOf(row.server_id, row.container_id), row.times)
    counted = next
    last = at
    return {
      changed: rows,
      count(alert, serverId, containerId) {
        const one = askedBy(alert)
        return (one && next.get(keyOf(one))?.times.get(containerOf(serverId, containerId))) ?? 0
      },
    }
  }
}

/** Lists all containers, or only those with an event in the last `within` seconds. */
async function listTroubles(db: Db, queries: readonly TroubleQuery[], within?: number): Promise<Row[]> {
  if (queries.length === 0) return []
  const longest = Math.max(...queries.map(({ seconds }) => seconds))
  const anew = sql`and (t.server_id, t.container_id) in (
    select server_id, container_id from container_troubles where at > now() - make_interval(secs => ${within}))`
  const { rows } = await sql<Row>`
    select t.workspace_id, t.kind, w.seconds, t.server_id, t.container_id, sum(t.times)::integer as times
    from unnest(${queries.map(({ workspace_id }) => workspace_id)}::text[], ${queries.map(({ kind }) => kind)}::text[],
      ${queries.map(({ seconds }) => seconds)}::integer[]) as w (workspace_id, kind, seconds)
    join container_troubles t on t.workspace_id = w.workspace_id and t.kind = w.kind
      and t.at > now() - make_interval(secs => w.seconds)
    where t.at > now() - make_interval(secs => ${longest}) ${within === undefined ? sql`` : anew}
    group by 1, 2, 3, 4, 5`.execute(db)
  return rows
}
