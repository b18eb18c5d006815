import { emit } from '../../../events.ts'
import type { Trx } from '../../../tables.ts'
import type { ServerRow } from '../server.ts'
import { lockServerRow, updateServerRow } from '../store.ts'
import type { SetupRow } from './store.ts'
import type { Versions } from './verify.ts'

export async function markServerReady(trx: Trx, setup: SetupRow, versions: Versions): Promise<boolean> {
  const server = await lockServerRow(trx, setup.workspace_id, setup.server_id)
  if (!server) return false
  await updateServerRow(trx, server.workspace_id, server.id, {
    ...(isOurs(server) ? { status: 'ready', reason: null } : {}),
    docker_version: versions.docker,
    compose_version: versions.compose,
    last_seen_at: new Date(),
    http_port_used: server.http_port,
    https_port_used: server.https_port,
  })
  await emit(trx, 'slipway', server.workspace_id, 'server.setup_completed', targetOf(server))
  return true
}

export async function markServerFailed(trx: Trx, setup: SetupRow, reason: string): Promise<boolean> {
  const server = await lockServerRow(trx, setup.workspace_id, setup.server_id)
  if (!server) return false
  if (isOurs(server))
    await updateServerRow(trx, server.workspace_id, server.id, { status: 'failed', reason: reason })
  await emit(trx, 'slipway', server.workspace_id, 'server.setup_failed', targetOf(server), reason)
  return true
}

/** A server that is being deleted or was moved keeps its status. */
const isOurs = ({ status }: ServerRow) => status === 'setting_up'

const targetOf = ({ id, name }: ServerRow) => ({ kind: 'server', id, name })
