import type { z } from 'zod'
import type { server } from '../../../contract/servers.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { keyFingerprint } from '../../remote/ssh/key-pair.ts'
import type { Actor } from '../../route.ts'
import { presentCloud } from './cloud.ts'
import {
  type CloudRow,
  findServerRow,
  listServerClouds,
  listServerProjects,
  listServerRows,
  lockServerRow,
  type ServerQuery,
  type ServerRow,
  updateServerRow,
} from './store.ts'

export type { ServerRow }

export const serverTarget = ({ id, name }: Pick<ServerRow, 'id' | 'name'>) => ({ kind: 'server', id, name })

type ProjectOf = Awaited<ReturnType<typeof listServerProjects>>[number]

interface Beside {
  projects: ProjectOf[]
  clouds: CloudRow[]
}

const shown = (row: ServerRow, { projects, clouds }: Beside): z.input<typeof server> => ({
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
  compose_version: row.compose_version,
  last_seen_at: row.last_seen_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
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
  }
}

export const getServer = async (ctx: Context, actor: Actor, id: Id<'server'>) =>
  presentServer(ctx, await getServerRow(ctx, actor, id))

export async function getServerRow(
  ctx: Context,
  actor: Pick<Actor, 'workspace'>,
  id: Id<'server'>,
): Promise<ServerRow> {
  const row = await findServerRow(ctx.db, actor.workspace.id, id)
  if (!row) throw notFound('This server')
  return row
}

export const findServer = (ctx: Pick<Context, 'db'>, workspaceId: Id<'workspace'>, id: Id<'server'>) =>
  findServerRow(ctx.db, workspaceId, id)

export const lockServer = lockServerRow
export const changeServer = updateServerRow

type WebPorts = Pick<ServerRow, 'http_port' | 'https_port'>

/** Returns the ports in use; configured ports apply on the next setup. */
export const getWebPorts = (
  server: WebPorts & Pick<ServerRow, 'http_port_used' | 'https_port_used'>,
): WebPorts => ({
  http_port: server.http_port_used ?? server.http_port,
  https_port: server.https_port_used ?? server.https_port,
})
