import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { serverHasApplications } from '../../errors.ts'
import { emit, type Initiator, recordInstanceEvent } from '../../events.ts'
import { readScript } from '../../platform/read-script.ts'
import { command } from '../../remote/command.ts'
import type { Trx } from '../../tables.ts'
import { deleteOutput } from '../outputs/output.ts'
import { requireServerRow } from './connect-server.ts'
import { probeNetworkName, removeIfUnused } from './docker-networks.ts'
import { toHostTarget } from './server-host.ts'
import { lockServer, type ServerRow } from './server.ts'

export async function lockDeletableServer(
  trx: Trx,
  workspaceId: Id<'workspace'>,
  id: Id<'server'>,
): Promise<ServerRow> {
  const server = requireServerRow(await lockServer(trx, workspaceId, id))
  const { rows: applications } = await sql<{ name: string }>`
    select name from applications
    where workspace_id = ${workspaceId} and server_id = ${id} and deleting_at is null
    order by lower(name)`.execute(trx)
  const names = applications.map(({ name }) => name)
  if (names.length > 0) throw serverHasApplications(server.name, names)
  return server
}

export async function forgetServer(trx: Trx, initiator: Initiator, server: ServerRow): Promise<void> {
  const { workspace_id: workspaceId, id, name } = server
  const { rows: sources } = await sql<{ id: string }>`
    select id from setups where workspace_id = ${workspaceId} and server_id = ${id}
    union all
    select id from commands where workspace_id = ${workspaceId} and server_id = ${id}
    union all
    select id from deployments where workspace_id = ${workspaceId} and server_id = ${id}`.execute(trx)
  // Applications whose deletion is in progress are dropped: their cleanup can no longer reach the server.
  await sql`delete from applications
    where workspace_id = ${workspaceId} and server_id = ${id} and deleting_at is not null`.execute(trx)
  await trx.deleteFrom('servers').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
  await deleteOutput(
    trx,
    workspaceId,
    sources.map((row) => row.id),
  )
  const target = { kind: 'server', id, name }
  await emit(trx, initiator, workspaceId, 'server.deleted', target)
  if (server.kind === 'local') await recordInstanceEvent(trx, initiator, 'local_server.disabled', target)
}

export async function cleanUpDeletedServer(ctx: Context, server: ServerRow): Promise<void> {
  ctx.hosts.disconnect(server.id)
  if (server.status === 'ready' || server.status === 'failed') await removeKeyAndNetwork(ctx, server)
}

/** The timeout is short, because a user is waiting and the cleanup is optional. */
const LIMIT = 3_000

const removeKeyScript = readScript('remove-authorized-key.sh')

async function removeKeyAndNetwork(ctx: Context, server: ServerRow): Promise<void> {
  const key = server.public_key?.split(' ')[1]
  if (server.kind === 'ssh' && (key === undefined || server.host_keys.length === 0)) return
  // Uses a separate connection: the pooled one is closed in every process when the deletion is announced.
  const last = `${server.id}:last`
  const signal = AbortSignal.timeout(LIMIT)
  try {
    const host = ctx.hosts.get({ ...toHostTarget(ctx, server), id: last })
    await host.connect(signal)
    if (key !== undefined)
      await host.run(command('sh', '-c', removeKeyScript, 'sh', key), { signal, timeout: LIMIT })
    await removeIfUnused(host.docker, probeNetworkName(server.id), signal)
  } catch (error) {
    ctx.log.info(
      { server: server.id, reason: String(error) },
      'Failed to remove the network or SSH key from a deleted server',
    )
  } finally {
    ctx.hosts.disconnect(last)
  }
}
