import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { hashToken } from '../../platform/tokens.ts'
import type { Visitor } from '../../route.ts'
import { recordInBackground } from '../auth/account-events.ts'

/** When a token was last recorded, in this process: a program that goes on with an expired one costs no row for each call. */
const recorded = new Map<string, number>()
const pauseMs = 60_000
const mostRemembered = 1_000

/** Records that an expired API token was used, after the call was refused. */
export async function recordExpiredUse(ctx: Context, token: string, from: Visitor): Promise<void> {
  const hash = hashToken(token)
  if (!token.startsWith('slt_') || Date.now() - (recorded.get(hash) ?? 0) < pauseMs) return
  // Set before the query: several calls can arrive while it runs.
  const [oldest] = recorded.keys()
  if (recorded.size >= mostRemembered && oldest) recorded.delete(oldest)
  recorded.set(hash, Date.now())
  // The secret token is what names its owner.
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
