import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { accountServer, listAccountServers } from '../../../contract/providers.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { TokenRefused } from '../providers/cloud-errors.ts'
import type { CloudServer, Provider } from '../providers/provider.ts'
import { getProvider, resolveCloudToken, toProviderAccount } from './cloud-token.ts'
import { isTokenRejection, markTokenRejected } from './token-status.ts'
import { listMatchingServers } from './store.ts'

type AccountServersInput = z.output<(typeof listAccountServers)['body']>

export async function readAccountServers(
  ctx: Context,
  actor: Actor,
  p: string,
  given: AccountServersInput,
  signal: AbortSignal,
) {
  const provider = getProvider(p)
  if (given.provider !== undefined && given.provider !== p)
    throw new Invalid({ provider: [`Must be ${p}, as in the path, or omitted.`] })
  const there = await read(ctx, actor, provider, given, signal)
  const here = await findImportedServers(ctx, actor.workspace.id, p, there)
  return there
    .toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
    .map((server) => shown(server, here.get(server.id)))
}

/** Uses a saved token, or an API key that is not stored. */
async function read(
  ctx: Context,
  actor: Actor,
  provider: Provider,
  { api_key, cloud_token_id }: AccountServersInput,
  signal: AbortSignal,
): Promise<CloudServer[]> {
  if (api_key !== undefined) {
    if (cloud_token_id !== undefined)
      throw new Invalid({ api_key: ['Send api_key or cloud_token_id, not both.'] })
    return provider.listServers({ ctx, token: api_key, signal }).catch((error: unknown) => {
      throw isTokenRejection(error) ? new Invalid({ api_key: [error.message] }) : error
    })
  }
  const row = await resolveCloudToken(ctx, actor, provider.id, cloud_token_id)
  return provider.listServers(toProviderAccount(ctx, row, signal)).catch(async (error: unknown) => {
    if (error instanceof TokenRefused) await markTokenRejected(ctx, row, error.message)
    throw error
  })
}

interface Here {
  id: Id<'server'>
  name: string
}

/** Matches servers at the provider with servers of the workspace: by ID, tag or address. */
export async function findImportedServers(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  provider: string,
  there: CloudServer[],
): Promise<Map<string, Here>> {
  const alike = await listMatchingServers(ctx.db, workspaceId, provider, {
    ids: there.map(({ id }) => id),
    serverId: there.flatMap(({ serverId }) => serverId ?? []),
    addresses: there.flatMap(({ address }) => address ?? []),
  })
  return new Map(
    there.flatMap((server) => {
      const found =
        alike.find(({ cloud_id }) => cloud_id === server.id) ??
        alike.find(({ id }) => id === server.serverId) ??
        // Only servers without an ID match by address, because providers reuse addresses quickly.
        alike.find(
          ({ address, cloud_id }) => cloud_id === null && address !== null && address === server.address,
        )
      return found ? [[server.id, { id: found.id, name: found.name }] as const] : []
    }),
  )
}

const shown = (one: CloudServer, server: Here | undefined): z.input<typeof accountServer> => ({
  id: one.id,
  name: one.name,
  status: one.status,
  address: one.address,
  region: one.region,
  type: one.type,
  image: one.image,
  price: one.price,
  created_at: one.created_at?.toISOString() ?? null,
  server: server ?? null,
})
