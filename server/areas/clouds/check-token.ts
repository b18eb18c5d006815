import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { checkCloudToken } from '../cloud-tokens/check-cloud-token.ts'
import { requestAccountCheck } from './request-account-check.ts'

export async function checkTokenAndServers(
  ctx: Context,
  actor: Actor,
  id: Id<'cloudToken'>,
  signal: AbortSignal,
) {
  const token = await checkCloudToken(ctx, actor, id, signal)
  if (token.error === null)
    await transaction(ctx.db, (trx) => requestAccountCheck(ctx, trx, actor.workspace.id, id))
  return token
}
