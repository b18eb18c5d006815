import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Trx } from '../../tables.ts'
import type { ServerRow } from './store.ts'

type Named = Pick<ServerRow, 'id' | 'workspace_id'>

/** One thing at a time is done about a server at its cloud. */
export const cloudKey = (id: Id<'server'>) => `cloud:${id}`

/** How often it is tried again when the fault is ours. A cloud that is away is waited for, however long. */
export const provisionAttempts = 10

/** How many are made at a time for one workspace: the next one is not to wait for all of another's. */
const provisionLimit = 16

interface Waiting {
  /** How often the cloud did not answer so far, and milliseconds until it is asked again. */
  tries: number
  delay: number
}

/** Goes on with what a cloud has to do for it, from where that is. The job is that of the area of clouds. */
export const enqueueProvision = (
  ctx: Context,
  trx: Trx,
  { id, workspace_id }: Named,
  { tries, delay }: Waiting = { tries: 0, delay: 0 },
) =>
  enqueue(ctx.secrets, trx, {
    kind: 'provision-server',
    payload: { workspace_id, server_id: id, tries },
    key: cloudKey(id),
    group: { name: `provision:${workspace_id}`, limit: provisionLimit },
    lane: 'creations',
    attempts: provisionAttempts,
    delay,
  })

/** It was reached: it needs no other line to call with, and the cloud no longer has to know its key. */
export async function endCreation(
  ctx: Context,
  trx: Trx,
  server: Named & Pick<ServerRow, 'address'>,
): Promise<void> {
  const { id, workspace_id: workspaceId, address } = server
  await forgetLines(trx, server)
  const ended = await trx
    .updateTable('cloud_servers')
    .set({
      step: null,
      waited_seconds: 0,
      // It may have called before the cloud was looked at again.
      status: 'running',
      address: sql<string | null>`coalesce(address, ${address})`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', id)
    .where('step', 'is not', null)
    .returning('cloud_key_id')
    .executeTakeFirst()
  if (ended && ended.cloud_key_id !== null) await enqueueProvision(ctx, trx, server)
}

/** Whoever calls with one of its lines is told nothing any more. */
export const forgetLines = (trx: Trx, { id, workspace_id: workspaceId }: Named) =>
  trx
    .deleteFrom('import_tokens')
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', id)
    .execute()
