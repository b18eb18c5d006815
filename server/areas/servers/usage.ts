import { sql } from 'kysely'
import type { z } from 'zod'
import type { server } from '../../../contract/servers.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'

export type ServerUsage = Pick<z.input<typeof server>, 'usage' | 'applications' | 'containers'>

export const noUsage: ServerUsage = { usage: null, applications: 0, containers: { running: 0, total: 0 } }

interface UsageRow {
  id: Id<'server'>
  applications: number
  running: number
  containers: number
  at: Date | null
  cpu: number
  memory_used: number
  memory_total: number
  disk_used: number
  disk_total: number
}

export async function readServerUsage(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'server'>[],
): Promise<Map<Id<'server'>, ServerUsage>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<UsageRow>`
    select s.id, latest.*,
      (select count(*) from applications a where a.workspace_id = s.workspace_id and a.server_id = s.id
        and a.deleting_at is null)::integer as applications,
      c.running, c.containers
    from servers s
    cross join lateral (
      select count(*)::integer as containers, (count(*) filter (where c.state = 'running'))::integer as running
      from containers c where c.workspace_id = s.workspace_id and c.server_id = s.id) c
    left join lateral (
      select m.at, m.cpu, m.memory_used, m.memory_total, m.disk_used, m.disk_total from server_samples m
      where m.workspace_id = s.workspace_id and m.server_id = s.id and m.at > now() - interval '1 day'
      order by m.at desc limit 1) latest on true
    where s.workspace_id = ${workspaceId} and s.id = any(${[...ids]})`.execute(db)
  return new Map(rows.map((row) => [row.id, toUsage(row)]))
}

const toUsage = ({ applications, running, containers, ...sample }: UsageRow): ServerUsage => ({
  usage: sample.at && {
    at: sample.at.toISOString(),
    cpu: sample.cpu,
    memory_used: sample.memory_used,
    memory_total: sample.memory_total,
    disk_used: sample.disk_used,
    disk_total: sample.disk_total,
  },
  applications,
  containers: { running, total: containers },
})
