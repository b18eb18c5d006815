import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import { containersAreLive } from '../../containers/live.ts'
import type { AlertRow, ObservedSubject, Reading } from '../observer.ts'

interface Row {
  id: Id<'server'>
  workspace_id: Id<'workspace'>
  name: string
  status: string
  reason: string | null
  cpus: number | null
  live: boolean
  watched: boolean
  projects: Id<'project'>[]
  at: Date | null
  cpu: number
  memory: number | null
  disk: number | null
  load: number
}

export interface ObservedServers {
  servers: ObservedSubject[]
  live: Id<'server'>[]
}

export function createServersReader(db: Db) {
  const isNew = createChangeFilter()

  return async (now: Date): Promise<ObservedServers> => {
    const { rows } = await sql<Row>`
      select s.id, s.workspace_id, s.name, s.status, s.reason, s.cpus, ${containersAreLive('s')} as live,
        coalesce(s.watched_until > now(), false) as watched,
        coalesce(p.projects, '{}') as projects,
        x.at, x.cpu, x.memory_used * 100.0::float8 / nullif(x.memory_total, 0) as memory,
        x.disk_used * 100.0::float8 / nullif(x.disk_total, 0) as disk, x.load_5 as load
      from servers s
      left join (
        select workspace_id, server_id, array_agg(project_id) as projects from project_servers group by 1, 2
      ) p on p.workspace_id = s.workspace_id and p.server_id = s.id
      left join lateral (
        select * from server_samples
        where server_id = s.id and at between ${now}::timestamptz - interval '30 seconds'
          and ${now}::timestamptz + interval '30 seconds'
        order by at desc limit 1
      ) x on true
      where s.status <> 'deleting'`.execute(db)
    const servers = rows.map((row) => toObservedServer(row, row.at !== null && isNew(row.id, row.at)))
    return { servers, live: rows.filter(({ live }) => live).map(({ id }) => id) }
  }
}

const toObservedServer = (row: Row, isNew: boolean): ObservedSubject => ({
  subject: {
    kind: 'server',
    id: row.id,
    name: row.name,
    workspace_id: row.workspace_id,
    server_id: row.id,
    server_name: row.name,
    application_id: null,
    projects: row.projects,
    container: null,
  },
  read({ kind }) {
    if (kind === 'server_unreachable') return readReachability(row)
    const value = isNew ? metricValue(kind, row) : null
    return value === null ? undefined : { value }
  },
})

/** The status is not evaluated during setup, after a failed setup, or while no worker watches the server. */
function readReachability({ status, reason, watched }: Row): Reading | undefined {
  if (!watched) return undefined
  if (status === 'ready') return { value: false }
  return status === 'unreachable' ? { value: true, detail: reason } : undefined
}

function metricValue(kind: AlertRow['kind'], { cpu, memory, disk, load, cpus }: Row): number | null {
  if (kind === 'cpu') return cpu * 100
  if (kind === 'memory') return memory
  if (kind === 'disk') return disk
  return kind === 'load' ? load / Math.max(1, cpus ?? 1) : null
}

/** Limits a plain map: an LRU cache of this size would take megabytes even while it is empty. */
const maxRemembered = 100_000

/** Tells whether the time of an entry changed. An earlier time counts as well, because the clock may be set back. */
export function createChangeFilter(): (key: string, at: Date) => boolean {
  const times = new Map<string, number>()
  return (key, at) => {
    const isNew = times.get(key) !== at.getTime()
    // Moves the entry to the end, so that the first is the least recently used one.
    times.delete(key)
    times.set(key, at.getTime())
    const [oldest] = times.size > maxRemembered ? times.keys() : []
    if (oldest !== undefined) times.delete(oldest)
    return isNew
  }
}
