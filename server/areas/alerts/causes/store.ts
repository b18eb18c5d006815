import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'

export const listTopContainers = (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  by: 'cpu' | 'memory_used',
) =>
  db
    .selectFrom('containers')
    .select(['name', 'cpu', 'memory_used'])
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .where('state', '=', 'running')
    .where(by, '>', 0)
    .orderBy(by, 'desc')
    .limit(5)
    .execute()

export const findLatestSample = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) =>
  db
    .selectFrom('server_samples')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findContainer = (
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
  containerId: string,
) =>
  db
    .selectFrom('containers')
    .select(['image', 'exit_code', 'cpu', 'memory_used', 'memory_limit'])
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .where('id', '=', containerId)
    .executeTakeFirst()

export async function listServerApplicationNames(
  db: Db,
  workspaceId: Id<'workspace'>,
  serverId: Id<'server'>,
) {
  const rows = await db
    .selectFrom('applications')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .where('deleting_at', 'is', null)
    .where('wanted', '=', 'running')
    .where('release_id', 'is not', null)
    .orderBy(sql`lower(name)`)
    .execute()
  return rows.map(({ name }) => name)
}

/** Lists unhealthy containers first, because they most likely explain the incident. */
export const listLiveContainers = (db: Db, workspaceId: Id<'workspace'>, applicationId: Id<'application'>) =>
  db
    .selectFrom('instances as i')
    .leftJoin('containers as c', (on) =>
      on
        .onRef('c.workspace_id', '=', 'i.workspace_id')
        .onRef('c.server_id', '=', 'i.server_id')
        .onRef('c.id', '=', 'i.container_id'),
    )
    .select(['c.id', 'c.name', 'c.state', 'c.health', 'c.exit_code'])
    .where('i.workspace_id', '=', workspaceId)
    .where('i.application_id', '=', applicationId)
    .where('i.state', '=', 'serving')
    .orderBy(sql`c.state = 'running' and coalesce(c.health, 'healthy') = 'healthy'`)
    .orderBy('c.name')
    .execute()

export const findLatestCheck = (
  db: Db,
  workspaceId: Id<'workspace'>,
  alertId: Id<'alert'>,
  applicationId: Id<'application'>,
) =>
  db
    .selectFrom('checks')
    .select(['url', 'status', 'latency_ms', 'error'])
    .where('workspace_id', '=', workspaceId)
    .where('alert_id', '=', alertId)
    .where('application_id', '=', applicationId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findCertificate = (db: Db, workspaceId: Id<'workspace'>, host: string) =>
  db
    .selectFrom('certificates')
    .select(['kind', 'issuer', 'expires_at', 'error', 'next_try_at'])
    .where('workspace_id', '=', workspaceId)
    .where('host', '=', host)
    .executeTakeFirst()
