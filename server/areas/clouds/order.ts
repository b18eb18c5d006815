import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { getCloudTokenRow, lockCloudToken } from '../cloud-tokens/cloud-token.ts'
import { publicUrlProblem } from '../providers/public-url-problem.ts'
import { addServer } from '../servers/create.ts'
import { enqueueProvision } from '../servers/creation.ts'
import { newServerKeys } from '../servers/server-host.ts'
import { presentServer } from '../servers/server.ts'
import { assertPlanLimit } from '../workspaces/plan.ts'
import { insertCloudServer } from './store.ts'
import { validateOrder, type ServerOrder } from './validate-order.ts'

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

/** New servers connect to PUBLIC_URL after boot. */
export function requirePublicUrl({ config }: Context): void {
  const obstacle = publicUrlProblem(config)
  if (obstacle !== null) throw conflict('public_url_local', obstacle)
}
