import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { getCloudTokenRow, presentCloudToken } from './cloud-token.ts'
import { recheckToken } from './token-status.ts'

export async function checkCloudToken(ctx: Context, actor: Actor, id: Id<'cloudToken'>, signal: AbortSignal) {
  await recheckToken(ctx, await getCloudTokenRow(ctx, actor, id), { doer: actor, signal })
  return presentCloudToken(ctx, await getCloudTokenRow(ctx, actor, id))
}
