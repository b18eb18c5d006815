import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import {
  toProviderAccount,
  type CloudTokenRow,
  getCloudTokenRow,
  getProvider,
} from '../cloud-tokens/cloud-token.ts'
import { providerName } from '../servers/present-cloud.ts'
import { requireServerRow } from '../servers/connect-server.ts'
import { enqueueProvision } from '../servers/cloud-creation.ts'
import { changeServer, getServerRow, lockServer, type ServerRow } from '../servers/server.ts'
import { presentServer } from '../servers/present-server.ts'
import { requirePublicUrl, type ServerOrder, validateOrder } from './order-server.ts'
import { type CloudServerRow, findCloudServer, lockCloudServer, updateCloudServer } from './store.ts'

type Other = { [K in keyof ServerOrder | 'name']?: string | undefined }

/** Resumes a failed creation from its step, or with another configuration if no server exists yet. */
export async function retryCreation(ctx: Context, actor: Actor, id: Id<'server'>, other: Other) {
  const server = await getServerRow(ctx, actor, id)
  const cloud = mustHaveFailed(server, await findCloudServer(ctx.db, actor.workspace.id, id))
  requirePublicUrl(ctx)
  const { token, wanted } = await wantedNow(ctx, actor, server, cloud, other)
  const name = other.name ?? server.name
  const isOther =
    name !== server.name || [other.region, other.type, other.image].some((it) => it !== undefined)
  if (isOther) await mustBeUnmade(ctx, token, server, cloud)
  const offer = isOther ? await validateOrder(ctx, token, wanted) : undefined
  const row = await transaction(ctx.db, async (trx) => {
    const now = requireServerRow(await lockServer(trx, server.workspace_id, id))
    const atCloud = mustHaveFailed(now, await lockCloudServer(trx, server.workspace_id, id))
    if (isOther && atCloud.cloud_id !== null) throw made(now, atCloud)
    await updateCloudServer(trx, server.workspace_id, id, {
      waited_seconds: 0,
      // Upload the key again, because it may have been removed at the provider.
      ...(atCloud.cloud_id === null && { step: 'key' }),
      ...(offer && {
        image: wanted.image,
        image_name: offer.imageName,
        price_monthly: offer.price.monthly,
        currency: offer.price.currency,
      }),
    })
    await enqueueProvision(ctx, trx, now)
    await emit(trx, actor, now.workspace_id, 'server.creation_resumed', {
      kind: 'server',
      id,
      name: isOther ? name : now.name,
    })
    const { region, type } = wanted
    const what = { status: 'provisioning' as const, reason: null, ...(isOther && { name, region, type }) }
    return requireServerRow(await changeServer(trx, now.workspace_id, id, what))
  })
  return presentServer(ctx, row)
}

function mustHaveFailed(server: ServerRow, cloud: CloudServerRow | undefined): CloudServerRow {
  if (server.status === 'failed' && cloud && cloud.step !== null) return cloud
  throw conflict(
    'not_failed',
    `The creation of the server ${server.name} has not failed, so there is nothing to retry.`,
  )
}

async function wantedNow(ctx: Context, actor: Actor, server: ServerRow, cloud: CloudServerRow, other: Other) {
  if (cloud.cloud_token_id === null)
    throw conflict(
      'no_cloud_token',
      `The cloud token for ${server.name} was deleted. Delete the server and create another with a token for the account.`,
    )
  const token = await getCloudTokenRow(ctx, actor, cloud.cloud_token_id)
  const wanted = {
    region: other.region ?? server.region ?? '',
    type: other.type ?? server.type ?? '',
    image: other.image ?? cloud.image ?? '',
  }
  return { token, wanted }
}

/** Asks the provider, because a created server may not have been saved. */
async function mustBeUnmade(ctx: Context, token: CloudTokenRow, server: ServerRow, cloud: CloudServerRow) {
  const there = await getProvider(cloud.provider).listServers(toProviderAccount(ctx, token), server.id)
  if (there.some(({ status }) => status !== 'deleted')) throw made(server, cloud)
}

const made = ({ name }: ServerRow, cloud: CloudServerRow) =>
  conflict(
    'already_made',
    `The server ${name} already exists at ${providerName(cloud)}, so its configuration cannot change. Retry without changes, or delete it and create another.`,
  )
