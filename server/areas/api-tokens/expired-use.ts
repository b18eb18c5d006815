import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { hashToken } from '../../platform/tokens.ts'
import type { Anonymous } from '../../route.ts'
import { recordInBackground } from '../auth/account-events.ts'

/**
 * Last time each token was recorded by this process, so that a client that keeps using an expired token does not add a
 * row per request.
 */
const recorded = new Map<string, number>()
const pauseMs = 60_000
const mostRemembered = 1_000

/** Records the use of an expired API token after the request was rejected. */
export async function recordExpiredUse(ctx: Context, token: string, from: Anonymous): Promise<void> {
  const hash = hashToken(token)
  if (!token.startsWith('slt_') || Date.now() - (recorded.get(hash) ?? 0) < pauseMs) return
  // Set before the query, since several requests can arrive while it runs.
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
