import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import type { AlertRow } from '../observer.ts'

const troubleKinds = { container_restarting: 'restart', container_oom: 'oom' } as const

interface CountRow {
  workspace_id: Id<'workspace'>
  kind: string
  seconds: number
  server_id: Id<'server'>
  container_id: string
  times: number
}

type TroubleWindow = Pick<CountRow, 'workspace_id' | 'kind' | 'seconds'>

export interface Troubles {
  containers: { server_id: Id<'server'>; container_id: string }[]
  count(alert: AlertRow, serverId: Id<'server'>, containerId: string): number
}

export async function countTroubles(db: Db, alerts: readonly AlertRow[]): Promise<Troubles> {
  const windows = new Map(
    alerts.flatMap((alert) => {
      const window = toTroubleWindow(alert)
      return window ? [[windowKey(window), window] as const] : []
    }),
  )
  const rows = windows.size > 0 ? await listCounts(db, [...windows.values()]) : []
  const counts = new Map(
    rows.map((row) => [`${windowKey(row)} ${row.server_id} ${row.container_id}`, row.times]),
  )
  return {
    containers: rows,
    count(alert, serverId, containerId) {
      const window = toTroubleWindow(alert)
      return (window && counts.get(`${windowKey(window)} ${serverId} ${containerId}`)) ?? 0
    },
  }
}

const windowKey = ({ workspace_id, kind, seconds }: TroubleWindow) => `${workspace_id} ${kind} ${seconds}`

function toTroubleWindow({
  workspace_id,
  kind,
  window_seconds: seconds,
}: AlertRow): TroubleWindow | undefined {
  if (seconds === null || (kind !== 'container_restarting' && kind !== 'container_oom')) return undefined
  return { workspace_id, kind: troubleKinds[kind], seconds }
}

async function listCounts(db: Db, windows: readonly TroubleWindow[]): Promise<CountRow[]> {
  const longest = Math.max(...windows.map(({ seconds }) => seconds))
  const { rows } = await sql<CountRow>`
    select t.workspace_id, t.kind, w.seconds, t.server_id, t.container_id, sum(t.times)::integer as times
    from unnest(${windows.map(({ workspace_id }) => workspace_id)}::text[], ${windows.map(({ kind }) => kind)}::text[],
      ${windows.map(({ seconds }) => seconds)}::integer[]) as w (workspace_id, kind, seconds)
    join container_troubles t on t.workspace_id = w.workspace_id and t.kind = w.kind
      and t.at > now() - make_interval(secs => w.seconds)
    where t.at > now() - make_interval(secs => ${longest})
    group by 1, 2, 3, 4, 5`.execute(db)
  return rows
}
