import type { z } from 'zod'
import type { cloudToken } from '../../../contract/cloud-tokens.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid, notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import type { Account, Provider } from '../providers/provider.ts'
import { findProvider } from '../providers/providers.ts'
import {
  type CloudTokenQuery,
  type CloudTokenRow,
  countTokenServers,
  findCloudTokenRow,
  findDefaultToken,
  listCloudTokenRows,
  lockCloudTokenRow,
} from './store.ts'

export type { CloudTokenRow }
export { orphanJobKey } from './store.ts'

const shown = (row: CloudTokenRow, servers: number): z.input<typeof cloudToken> => ({
  id: row.id,
  name: row.name,
  provider: row.provider,
  account: row.account,
  error: row.error,
  checked_at: row.checked_at?.toISOString() ?? null,
  servers,
  created_at: row.created_at.toISOString(),
})

export async function presentCloudToken({ db }: Pick<Context, 'db'>, row: CloudTokenRow) {
  const servers = await countTokenServers(db, row.workspace_id, [row.id])
  return shown(row, servers.get(row.id) ?? 0)
}

export const cloudTokenTarget = ({ id, name }: Pick<CloudTokenRow, 'id' | 'name'>) => ({
  kind: 'cloud_token',
  id,
  name,
})

export async function listCloudTokens({ db }: Context, { workspace }: Actor, query: CloudTokenQuery) {
  const { rows, page } = await listCloudTokenRows(db, workspace.id, query)
  const ids = rows.map(({ id }) => id)
  const servers = await countTokenServers(db, workspace.id, ids)
  return { cloud_tokens: rows.map((row) => shown(row, servers.get(row.id) ?? 0)), page }
}

export async function getCloudTokenRow(
  ctx: Context,
  actor: Pick<Actor, 'workspace'>,
  id: Id<'cloudToken'>,
): Promise<CloudTokenRow> {
  const row = await findCloudTokenRow(ctx.db, actor.workspace.id, id)
  if (!row) throw notFound('This cloud token')
  return row
}

export const findCloudToken = (ctx: Context, workspaceId: Id<'workspace'>, id: Id<'cloudToken'>) =>
  findCloudTokenRow(ctx.db, workspaceId, id)

/** Locks the token, so that it is not deleted until the transaction ends. */
export const lockCloudToken = lockCloudTokenRow

/** Checks that the token was not replaced. Stays true while a server row of the token is locked. */
export async function isCurrentToken(
  trx: Trx,
  { workspace_id, id, token_sealed }: CloudTokenRow,
): Promise<boolean> {
  const now = await findCloudTokenRow(trx, workspace_id, id)
  return now?.token_sealed === token_sealed
}

export const cloudTokenSealContext = (id: Id<'cloudToken'>) => `cloud_tokens.token_sealed:${id}`

export const toProviderAccount = (
  ctx: Context,
  { id, token_sealed }: CloudTokenRow,
  signal?: AbortSignal,
): Account => ({
  ctx,
  token: ctx.secrets.open(cloudTokenSealContext(id), token_sealed),
  signal,
})

export function getProvider(id: string): Provider {
  const provider = findProvider(id)
  if (!provider) throw notFound('This provider')
  return provider
}

export async function resolveCloudToken(
  ctx: Context,
  actor: Actor,
  p: string,
  id: Id<'cloudToken'> | undefined,
): Promise<CloudTokenRow> {
  const provider = getProvider(p)
  if (id !== undefined) {
    const row = await getCloudTokenRow(ctx, actor, id)
    if (row.provider === p) return row
    throw new Invalid({
      cloud_token_id: [`${row.name} is not a ${provider.name} token. Choose another.`],
    })
  }
  const row = await findDefaultToken(ctx.db, actor.workspace.id, p)
  if (row) return row
  throw conflict(
    'no_cloud_token',
    `The workspace has no ${provider.name} token. Add one under Settings → Cloud tokens.`,
  )
}
