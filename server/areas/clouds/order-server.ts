import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid, notFound } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { type CloudTokenRow, getCloudTokenRow, lockCloudToken } from '../cloud-tokens/cloud-token.ts'
import { publicUrlProblem } from '../providers/providers.ts'
import { addServer } from '../servers/create-server.ts'
import { enqueueProvision } from '../servers/cloud-creation.ts'
import { newServerKeys } from '../servers/server-host.ts'
import { presentServer } from '../servers/present-server.ts'
import { assertPlanLimit } from '../workspaces/plan-limits.ts'
import { insertCloudServer } from './store.ts'
import { listCloudImages, listCloudRegions, listCloudTypes } from '../cloud-tokens/catalog.ts'
import type { ServerType } from '../providers/provider.ts'

interface Order {
  name: string
  labels: string[]
  cloud: ServerOrder & { cloud_token_id: Id<'cloudToken'> }
}

/** Orders a server. The row exists before anything at the provider, and until nothing is left there. */
export async function orderServer(ctx: Context, actor: Actor, { name, labels, cloud }: Order) {
  const { cloud_token_id: tokenId, image, region, type } = cloud
  const token = await getCloudTokenRow(ctx, actor, tokenId)
  requirePublicUrl(ctx)
  const { price, imageName } = await validateOrder(ctx, token, { image, region, type }, 'cloud.')
  const [workspace_id, id, provider] = [actor.workspace.id, newId('server'), token.provider]
  const row = await transaction(ctx.db, async (trx) => {
    if (!(await lockCloudToken(trx, workspace_id, tokenId))) throw notFound('This cloud token')
    await assertPlanLimit(ctx, trx, workspace_id, 'servers')
    const server = await addServer(trx, actor, 'server.ordered', {
      id,
      workspace_id,
      name,
      labels,
      status: 'provisioning',
      ...newServerKeys(ctx, id),
      provider,
      region,
      type,
    })
    await insertCloudServer(trx, {
      server_id: id,
      workspace_id,
      cloud_token_id: tokenId,
      provider,
      origin: 'created',
      image,
      image_name: imageName,
      step: 'key',
      price_monthly: price.monthly,
      currency: price.currency,
    })
    await enqueueProvision(ctx, trx, server)
    return server
  })
  return presentServer(ctx, row)
}

/** Throws if new servers could not reach PUBLIC_URL, to which they connect after boot. */
export function requirePublicUrl({ config }: Context): void {
  const obstacle = publicUrlProblem(config)
  if (obstacle !== null) throw conflict('public_url_local', obstacle)
}

export interface ServerOrder {
  region: string
  type: string
  image: string
}

/** Returns the price, or throws 422 with a message per field that the provider does not offer. */
export async function validateOrder(
  ctx: Context,
  token: CloudTokenRow,
  ordered: ServerOrder,
  place = '',
): Promise<{ price: ServerType['regions'][number]['price']; imageName: string }> {
  const [regions, types, images] = await Promise.all([
    listCloudRegions(ctx, token),
    listCloudTypes(ctx, token),
    listCloudImages(ctx, token),
  ])
  const region = regions.find(({ id }) => id === ordered.region)
  const type = types.find(({ id }) => id === ordered.type)
  const image = images.find(({ id }) => id === ordered.image)
  const offer = type?.regions.find(({ id }) => id === ordered.region)
  const problems: Record<string, string[]> = {}
  const say = (field: keyof ServerOrder, sentence: string) => (problems[place + field] ??= [sentence])
  if (!region) say('region', `The region ${ordered.region} does not exist. Choose another.`)
  else if (!region.available)
    say('region', `Servers cannot currently be created in ${region.name}. Choose another region.`)
  if (!type) say('type', `The server type ${ordered.type} does not exist. Choose another.`)
  else if (region && !offer)
    say('type', `${type.name} is not offered in ${region.name}. Choose another type or region.`)
  else if (region && !offer?.available)
    say('type', `${type.name} is sold out in ${region.name}. Choose another type or region.`)
  if (!image) say('image', `The image ${ordered.image} does not exist or is not supported. Choose another.`)
  else if (type && !image.architectures.includes(type.architecture))
    say(
      'image',
      `${image.name} does not run on ${type.name}, which is ${type.architecture}. Choose another image or type.`,
    )
  if (!offer || !image || Object.keys(problems).length > 0) throw new Invalid(problems)
  return { price: offer.price, imageName: image.name }
}
