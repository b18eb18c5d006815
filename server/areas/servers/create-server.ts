import type { Insertable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { type Initiator, emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Tables, Trx } from '../../tables.ts'
import { assertPlanLimit } from '../workspaces/plan-limits.ts'
import { assertAddressAllowed } from './allowed-address.ts'
import { newServerKeys } from './server-host.ts'
import { keyNotAdded } from './status-reasons.ts'
import { insertServer, type ServerRow, serverTarget } from './server.ts'
import { presentServer } from './present-server.ts'

interface NewServer {
  name: string
  address: string
  port: number
  user: string
  labels: string[]
}

export async function createServer(ctx: Context, actor: Actor, input: NewServer) {
  const { name, address, port, user, labels } = input
  await assertAddressAllowed(ctx, address)
  const id = newId('server')
  const row = await transaction(ctx.db, async (trx) => {
    await assertPlanLimit(ctx, trx, actor.workspace.id, 'servers')
    return addServer(trx, actor, 'server.created', {
      id,
      workspace_id: actor.workspace.id,
      name,
      address,
      port,
      username: user,
      labels,
      status: 'pending',
      reason: keyNotAdded,
      ...newServerKeys(ctx, id),
    })
  })
  return presentServer(ctx, row)
}

export async function addServer(
  trx: Trx,
  initiator: Initiator,
  event: 'server.created' | 'server.imported' | 'server.ordered',
  row: Insertable<Tables['servers']> & { workspace_id: Id<'workspace'> },
): Promise<ServerRow> {
  const server = await insertServer(trx, row)
  await emit(trx, initiator, server.workspace_id, event, serverTarget(server))
  return server
}
