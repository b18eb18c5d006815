import { type Selectable, sql } from 'kysely'
import type { z } from 'zod'
import type { server } from '../../../contract/servers.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { keyFingerprint } from '../../remote/ssh/key-pair.ts'
import type { Actor } from '../../route.ts'
import type { Db, Tables } from '../../tables.ts'
import { presentCloud } from './present-cloud.ts'
import { noUsage, readServerUsage, type ServerUsage } from './usage.ts'
import { type ServerRow, getServerRow } from './server.ts'

type ProjectOf = Awaited<ReturnType<typeof listServerProjects>>[number]

interface ServerDetails {
  projects: ProjectOf[]
  clouds: CloudRow[]
  usage: Map<Id<'server'>, ServerUsage>
}

export const toServerReply = (
  row: ServerRow,
  { projects, clouds, usage }: ServerDetails,
): z.input<typeof server> => ({
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

export const presentServer = async (ctx: Pick<Context, 'db'>, row: ServerRow) =>
  toServerReply(row, await readServerDetails(ctx, row.workspace_id, [row]))

export async function readServerDetails(
  { db }: Pick<Context, 'db'>,
  workspaceId: Id<'workspace'>,
  rows: ServerRow[],
): Promise<ServerDetails> {
  const ids = rows.map(({ id }) => id)
  return {
    projects: await listServerProjects(db, workspaceId, ids),
    clouds: await listServerClouds(db, workspaceId, ids),
    usage: await readServerUsage(db, workspaceId, ids),
  }
}

export const getServer = async (ctx: Context, actor: Actor, id: Id<'server'>) =>
  presentServer(ctx, await getServerRow(ctx, actor, id))

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
