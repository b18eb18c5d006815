import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { hashToken } from '../../platform/tokens.ts'
import type { Anonymous } from '../../route.ts'
import { recordInBackground } from '../auth/account-events.ts'

/**
 * Milliseconds between records of one token, because a client that keeps using an expired token must not add a row per
 * request.
 */
const pauseMs = 60_000
const mostRemembered = 1_000

export async function recordExpiredUse(ctx: Context, token: string, from: Anonymous): Promise<void> {
  const { expiredTokenUses: recorded } = ctx
  const hash = hashToken(token)
  if (!token.startsWith('slt_') || Date.now() - (recorded.get(hash) ?? 0) < pauseMs) return
  // The time is set before the query, because several requests can arrive while it runs.
  const [oldest] = recorded.keys()
  if (recorded.size >= mostRemembered && oldest) recorded.delete(oldest)
  recorded.set(hash, Date.now())
  const found = await ctx.db
    .selectFrom('api_tokens')
    .select(['user_id', 'name'])
    .where('token_hash', '=', hash)
    .where('expires_at', '<=', sql<Date>`now()`)
    .executeTakeFirst()
  if (!found) return void recorded.delete(hash)
  const { user_id: user, name: detail } = found
  recordInBackground(ctx, { user, type: 'api_token.expired_use', by: from, detail })
}
