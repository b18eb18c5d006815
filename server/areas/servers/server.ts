import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { z } from 'zod'
import { type server, serverStatuses } from '../../../contract/servers.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound, forbidden } from '../../errors.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/pagination.ts'
import { keyFingerprint } from '../../remote/ssh/key-pair.ts'
import { type Actor, hasPermission } from '../../route.ts'
import type { Db, Tables } from '../../tables.ts'
import { presentCloud } from './cloud.ts'
import { noUsage, readServerUsage, type ServerUsage } from './usage.ts'

export type ServerRow = Selectable<Tables['servers']>

export const serverTarget = ({ id, name }: Pick<ServerRow, 'id' | 'name'>) => ({ kind: 'server', id, name })

type ProjectOf = Awaited<ReturnType<typeof listServerProjects>>[number]

interface Beside {
  projects: ProjectOf[]
  clouds: CloudRow[]
  usage: Map<Id<'server'>, ServerUsage>
}

const shown = (row: ServerRow, { projects, clouds, usage }: Beside): z.input<typeof server> => ({
  id: row.id,
  name: row.name,
  status: row.status,
  reason: row.reason,
  kind: row.kind,
  address: row.address,
  port: row.port,
  user: row.username,
  host_key: hostKey(row.host_keys[0] ?? null),
  offered_host_key: hostKey(row.offered_host_key),
  http_port: row.http_port,
  https_port: row.https_port,
  labels: row.labels,
  projects: projects.flatMap(({ server_id, ...project }) => (server_id === row.id ? [project] : [])),
  provider: row.provider,
  region: row.region,
  type: row.type,
  cloud: presentCloud(
    row,
    clouds.find((cloud) => cloud.server_id === row.id),
  ),
  os: row.os,
  architecture: row.architecture,
  cpus: row.cpus,
  memory_bytes: row.memory_bytes,
  disk_bytes: row.disk_bytes,
  docker_version: row.docker_version,
  docker_api_version: row.docker_api_version,
  trusted_proxies: row.trusted_proxies,
  compose_version: row.compose_version,
  last_seen_at: row.last_seen_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  ...(usage.get(row.id) ?? noUsage),
})

const hostKey = (key: string | null) =>
  key === null ? null : { type: key.split(' ')[0] ?? '', fingerprint: keyFingerprint(key) }

export async function listServers(ctx: Context, actor: Actor, query: ServerQuery) {
  const { rows, page } = await listServerRows(ctx.db, actor.workspace.id, query)
  const beside = await readBeside(ctx, actor.workspace.id, rows)
  return { servers: rows.map((row) => shown(row, beside)), page }
}

export const presentServer = async (ctx: Pick<Context, 'db'>, row: ServerRow) =>
  shown(row, await readBeside(ctx, row.workspace_id, [row]))

async function readBeside(
  { db }: Pick<Context, 'db'>,
  workspaceId: Id<'workspace'>,
  rows: ServerRow[],
): Promise<Beside> {
  const ids = rows.map(({ id }) => id)
  return {
    projects: await listServerProjects(db, workspaceId, ids),
    clouds: await listServerClouds(db, workspaceId, ids),
    usage: await readServerUsage(db, workspaceId, ids),
  }
}

export const getServer = async (ctx: Context, actor: Actor, id: Id<'server'>) =>
  presentServer(ctx, await getServerRow(ctx, actor, id))

export async function getServerRow(
  ctx: Context,
  actor: Pick<Actor, 'workspace'>,
  id: Id<'server'>,
): Promise<ServerRow> {
  const row = await findServer(ctx, actor.workspace.id, id)
  if (!row) throw notFound('This server')
  return row
}

type WebPorts = Pick<ServerRow, 'http_port' | 'https_port'>

/** Returns the ports in use; configured ports apply on the next setup. */
export const getWebPorts = (
  server: WebPorts & Pick<ServerRow, 'http_port_used' | 'https_port_used'>,
): WebPorts => ({
  http_port: server.http_port_used ?? server.http_port,
  https_port: server.https_port_used ?? server.https_port,
})

export interface ServerQuery extends SearchQuery {
  project_id?: Id<'project'> | undefined
}

const inProject = (id: Id<'project'>) => sql`and exists (
  select from project_servers p
  where p.workspace_id = servers.workspace_id and p.server_id = servers.id and p.project_id = ${id})`

/** Servers that need attention come first, then by name. */
export const listServerRows = (db: Db, workspaceId: Id<'workspace'>, query: ServerQuery) =>
  readPage<ServerRow>(
    db,
    {
      from: sql`select *, lower(name) as sorted, array_position(${[...serverStatuses]}::text[], status)::text as urgency
        from servers where workspace_id = ${workspaceId} and name ilike ${containsPattern(query.q ?? '')}
        ${query.project_id ? inProject(query.project_id) : sql``}`,
      order: ['urgency', 'sorted', 'id'],
      direction: 'asc',
    },
    query,
  )

export const listServerProjects = (db: Db, workspaceId: Id<'workspace'>, ids: readonly Id<'server'>[]) =>
  db
    .selectFrom('project_servers as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .select(['s.server_id', 'p.id', 'p.name'])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.server_id', '=', sql<Id<'server'>>`any(${[...ids]})`)
    .orderBy(sql`lower(p.name)`)
    .orderBy('p.id')
    .execute()

export interface CloudRow extends Selectable<Tables['cloud_servers']> {
  resized_lately: boolean
  token_error: string | null
}

export async function listServerClouds(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'server'>[],
): Promise<CloudRow[]> {
  const { rows } = await sql<CloudRow>`
    select c.*, t.error as token_error, coalesce(c.resized_at > now() - interval '7 days', false) as resized_lately
    from cloud_servers c left join cloud_tokens t on t.workspace_id = c.workspace_id and t.id = c.cloud_token_id
    where c.workspace_id = ${workspaceId} and c.server_id = any(${[...ids]})`.execute(db)
  return rows
}

export const findServer = ({ db }: Pick<Context, 'db'>, workspaceId: Id<'workspace'>, id: Id<'server'>) =>
  db
    .selectFrom('servers')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const lockServer = (db: Db, workspaceId: Id<'workspace'>, id: Id<'server'>) =>
  db
    .selectFrom('servers')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const insertServer = (
  db: Db,
  row: Insertable<Tables['servers']> & { workspace_id: Id<'workspace'> },
) => db.insertInto('servers').values(row).returningAll().executeTakeFirstOrThrow()

export const changeServer = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'server'>,
  changes: Omit<Updateable<Tables['servers']>, 'id' | 'workspace_id'>,
) =>
  db
    .updateTable('servers')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Saves the result of a connection, unless the connection settings have changed since. */
export const updateIfSameVersion = (
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, version }: Pick<ServerRow, 'id' | 'version'>,
  changes: Pick<
    Updateable<Tables['servers']>,
    'offered_host_key' | 'status' | 'reason' | 'host_keys' | 'version'
  >,
) =>
  db
    .updateTable('servers')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst()

export const wakeWatcher = (db: Db, workspaceId: Id<'workspace'>, id: Id<'server'>) =>
  sql`select pg_notify('servers', id) from servers where workspace_id = ${workspaceId} and id = ${id}`.execute(
    db,
  )

type RootActor = Pick<Actor, 'workspace' | 'via' | 'isInstanceOwner'>

/**
 * Decides everything that equals root on a server: commands, terminals, host mounts, privileged options, the Docker
 * socket, and control of containers with host access or of others. On This machine, only instance owners may do this.
 */
export const canActAsRoot = (actor: RootActor, server: Pick<ServerRow, 'kind'>): boolean =>
  hasPermission(actor, 'servers.root') && (server.kind !== 'local' || isOperator(actor))

/** API tokens never have the rights of an instance owner. */
const isOperator = ({ isInstanceOwner, via }: RootActor) => isInstanceOwner && via.kind === 'session'

type Machine = Pick<ServerRow, 'kind' | 'name'>

export function assertCanActAsRoot(actor: RootActor, server: Machine, action: string): void {
  if (canActAsRoot(actor, server)) return
  throw forbidden(
    server.kind === 'local'
      ? `Only instance owners can ${action} on the machine that Slipway runs on. Log in to do this; API tokens cannot.`
      : `Only admins can ${action} on ${server.name}. Ask a workspace admin.`,
  )
}

export function assertCanOperate(actor: RootActor, server: Machine, action: string): void {
  if (server.kind === 'local') assertCanActAsRoot(actor, server, action)
}
