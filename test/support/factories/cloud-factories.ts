import type { Insertable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { cloudTokenSealContext } from '../../../server/areas/cloud-tokens/cloud-token.ts'
import type { Context } from '../../../server/context.ts'
import { newId } from '../../../server/platform/ids.ts'
import type { Db, Tables } from '../../../server/tables.ts'
import { makeServer, nowhere, unique } from './factories.ts'

type FactoryContext = Pick<Context, 'db' | 'secrets'>

/** An accepted Hetzner token by default. */
export async function makeCloudToken(
  { db, secrets }: FactoryContext,
  workspace_id: Id<'workspace'>,
  token: string,
  given: Partial<Insertable<Tables['cloud_tokens']>> = {},
): Promise<Id<'cloudToken'>> {
  const id = newId('cloudToken')
  await db
    .insertInto('cloud_tokens')
    .values({
      id,
      workspace_id,
      name: unique('Cloud'),
      provider: 'hetzner',
      token_sealed: secrets.seal(cloudTokenSealContext(id), token),
      checked_at: new Date(),
      ...given,
    })
    .execute()
  return id
}

/** A cloud server without a connection. */
export async function makeCloudServer(
  ctx: FactoryContext,
  workspace_id: Id<'workspace'>,
  cloud_token_id: Id<'cloudToken'>,
  cloud: Partial<Insertable<Tables['cloud_servers']>> = {},
  given: Partial<Insertable<Tables['servers']>> = {},
): Promise<Id<'server'>> {
  const provider = cloud.provider ?? 'hetzner'
  const server_id = await makeServer(ctx, workspace_id, nowhere(), { provider, ...given })
  await ctx.db
    .insertInto('cloud_servers')
    .values({
      server_id,
      workspace_id,
      cloud_token_id,
      provider,
      origin: 'created',
      price_monthly: 4.51,
      currency: 'EUR',
      status: 'running',
      ...cloud,
    })
    .execute()
  return server_id
}

export const orderedServers = (db: Db, workspace: Id<'workspace'>) =>
  db
    .selectFrom('servers')
    .innerJoin('cloud_servers', 'cloud_servers.server_id', 'servers.id')
    .select(['servers.name', 'servers.status', 'servers.region', 'servers.type', 'cloud_servers.image'])
    .where('servers.workspace_id', '=', workspace)
    .execute()
