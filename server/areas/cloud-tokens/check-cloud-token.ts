import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { getCloudTokenRow, present } from './cloud-token.ts'
import { checkAgain } from './noted.ts'

export async function checkCloudToken(ctx: Context, actor: Actor, id: Id<'cloudToken'>, signal: AbortSignal) {
  await checkAgain(ctx, await getCloudTokenRow(ctx, actor, id), { doer: actor, signal })
  return present(ctx, await getCloudTokenRow(ctx, actor, id))
}
