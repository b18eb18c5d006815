import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import type { AlertRow } from '../observation.ts'

const troubleKinds = { container_restarting: 'restart', container_oom: 'oom' } as const

/** Milliseconds after which all is counted anew, as what happened long ago no longer counts; the longer it does, the later. */
const recountAfter = (seconds: number) => Math.min(Math.max(10, seconds / 60), 300) * 1_000

/** Seconds that it may take until what happened is written. */
const LATE = 3

/** What is counted: what kind of trouble in which workspace, within how long. */
interface Asked {
  workspace_id: Id<'workspace'>
  kind: string
  seconds: number
}

interface Row extends Asked {
  server_id: Id<'server'>
  container_id: string
  times: number
}

interface Counted {
  at: number
  times: Map<string, number>
}

export interface Troubles {
  /** Those of which another number may be known than before. */
  changed: { server_id: Id<'server'>; container_id: string }[]
  /** How often it happened to a container within as long as an alert looks back. */
  count(alert: AlertRow, serverId: Id<'server'>, containerId: string): number
}

const keyOf = ({ workspace_id, kind, seconds }: Asked) => `${workspace_id} ${kind} ${seconds}`
const containerOf = (serverId: string, containerId: string) => `${serverId} ${containerId}`

function askedBy({ workspace_id, kind, window_seconds: seconds }: AlertRow): Asked | undefined {
  if (seconds === null || (kind !== 'container_restarting' && kind !== 'container_oom')) return undefined
  return { workspace_id, kind: troubleKinds[kind], seconds }
}

/**
 * What happened to containers within as long as alerts look back. All of it is counted now and then; in between that of
 * containers to which something happens. Should the look come to nothing after that, they are looked at with all others.
 */
export function createTroublesReader(db: Db) {
  let counted = new Map<string, Counted>()
  let last = -Infinity

  return async (alerts: readonly AlertRow[], at: number): Promise<Troubles> => {
    const asked = new Map(alerts.flatMap((alert) => askedBy(alert) ?? []).map((one) => [keyOf(one), one]))
    const due = new Set(
      [...asked].flatMap(([key, { seconds }]) => {
        const before = counted.get(key)
        return !before || at - before.at >= recountAfter(seconds) ? [key] : []
      }),
    )
    const [all, some] = [
      [...asked.values()].filter((one) => due.has(keyOf(one))),
      [...asked.values()].filter((one) => !due.has(keyOf(one))),
    ]
    const rows = [
      ...(await listTroubles(db, all)),
      ...(await listTroubles(db, some, (at - last) / 1_000 + LATE)),
    ]
    const next = new Map<string, Counted>()
    for (const key of asked.keys()) {
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

/** Of all containers, or of those to which something happened within so many seconds. */
async function listTroubles(db: Db, asked: readonly Asked[], within?: number): Promise<Row[]> {
  if (asked.length === 0) return []
  const longest = Math.max(...asked.map(({ seconds }) => seconds))
  const anew = sql`and (t.server_id, t.container_id) in (
    select server_id, container_id from container_troubles where at > now() - make_interval(secs => ${within}))`
  const { rows } = await sql<Row>`
    select t.workspace_id, t.kind, w.seconds, t.server_id, t.container_id, sum(t.times)::integer as times
    from unnest(${asked.map(({ workspace_id }) => workspace_id)}::text[], ${asked.map(({ kind }) => kind)}::text[],
      ${asked.map(({ seconds }) => seconds)}::integer[]) as w (workspace_id, kind, seconds)
    join container_troubles t on t.workspace_id = w.workspace_id and t.kind = w.kind
      and t.at > now() - make_interval(secs => w.seconds)
    where t.at > now() - make_interval(secs => ${longest}) ${within === undefined ? sql`` : anew}
    group by 1, 2, 3, 4, 5`.execute(db)
  return rows
}
