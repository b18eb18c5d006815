import type { Context } from '../../context.ts'
import { serverChanged } from '../../errors.ts'
import { type Initiator, emit } from '../../events.ts'
import type { Trx } from '../../tables.ts'
import { requireServerRow } from './connect.ts'
import { finishCreation } from './creation.ts'
import { requestSetup } from './setup.ts'
import { lockServerRow, type ServerRow, updateServerRow } from './store.ts'

type Learned = Pick<ServerRow, 'address' | 'port' | 'username' | 'host_keys' | 'os' | 'architecture'>

/**
 * Pins the host keys of a server that reported itself, and starts its setup. `server` is the row before the
 * report.
 */
export async function admitServer(
  ctx: Context,
  trx: Trx,
  initiator: Initiator,
  server: ServerRow,
  learned: Learned,
): Promise<ServerRow> {
  const { workspace_id: workspaceId, id } = server
  const now = requireServerRow(await lockServerRow(trx, workspaceId, id))
  if (now.version !== server.version) throw serverChanged(now.name)
  const row = requireServerRow(
    await updateServerRow(trx, workspaceId, id, {
      ...learned,
      version: now.version + 1,
      offered_host_key: null,
      machine: null,
    }),
  )
  await emit(trx, initiator, workspaceId, 'server.imported', { kind: 'server', id, name: row.name })
  await finishCreation(ctx, trx, row)
  await requestSetup(ctx, trx, initiator, row)
  return row
}
