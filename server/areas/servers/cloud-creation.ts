import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Trx } from '../../tables.ts'
import type { ServerRow } from './server.ts'

type ServerRef = Pick<ServerRow, 'id' | 'workspace_id'>

export const cloudJobKey = (id: Id<'server'>) => `cloud:${id}`

/** Retries after internal errors. Waiting for an unavailable provider does not count. */
export const provisionAttempts = 10

/** Enough attempts, with the backoff of jobs, to outlast an outage of the provider. */
const keyRemovalAttempts = 30

/** Limits concurrent creations of a workspace, so that one workspace does not delay the others. */
const provisionLimit = 16

export const enqueueProvision = (
  ctx: Context,
  trx: Trx,
  { id, workspace_id }: ServerRef,
  { tries, delay }: { tries: number; delay: number } = { tries: 0, delay: 0 },
) =>
  enqueue(ctx.secrets, trx, {
    kind: 'provision-server',
    payload: { workspace_id, server_id: id, tries },
    key: cloudJobKey(id),
    group: { name: `provision:${workspace_id}`, limit: provisionLimit },
    lane: 'creations',
    attempts: provisionAttempts,
    delay,
  })

export async function finishCreation(
  ctx: Context,
  trx: Trx,
  server: ServerRef & Pick<ServerRow, 'address'>,
): Promise<void> {
  const { id, workspace_id: workspaceId, address } = server
  await deleteServerImportTokens(trx, server)
  const cloud = await trx
    .selectFrom('cloud_servers')
    .select(['cloud_token_id', 'cloud_key_id'])
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', id)
    .where('step', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!cloud) return
  await trx
    .updateTable('cloud_servers')
    .set({
      step: null,
      waited_seconds: 0,
      cloud_key_id: null,
      // The server may connect before the next poll of the provider, so save its status and address here.
      status: 'running',
      address: sql<string | null>`coalesce(address, ${address})`,
    })
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', id)
    .execute()
  await enqueueKeyRemoval(ctx, trx, workspaceId, cloud)
}

/** Best effort: a leftover key costs nothing and is useless without its private key. */
export async function enqueueKeyRemoval(
  ctx: Context,
  trx: Trx,
  workspace_id: Id<'workspace'>,
  { cloud_token_id, cloud_key_id }: { cloud_token_id: Id<'cloudToken'> | null; cloud_key_id: string | null },
): Promise<void> {
  if (cloud_token_id === null || cloud_key_id === null) return
  await enqueue(ctx.secrets, trx, {
    kind: 'remove-cloud-key',
    payload: { workspace_id, cloud_token_id, cloud_key_id },
    lane: 'clouds',
    attempts: keyRemovalAttempts,
  })
}

export const deleteServerImportTokens = (trx: Trx, { id, workspace_id: workspaceId }: ServerRef) =>
  trx
    .deleteFrom('import_tokens')
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', id)
    .execute()
