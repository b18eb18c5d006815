import { z } from 'zod'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'

/**
 * Time before expiry at which the owner is notified. Tokens valid for a few days notify only on their last day, and
 * shorter ones never.
 */
const noticePeriod = sql`case
  when expires_at - created_at > interval '8 days' then interval '7 days'
  when expires_at - created_at > interval '2 days' then interval '1 day'
end`
const batch = 100

interface Expiring {
  id: Id<'apiToken'>
  workspace_id: Id<'workspace'>
  name: string
  owner: string
  expires_at: Date
}

/**
 * Emits an event for tokens of all workspaces that expire soon: once per token, because its expiry cannot be extended.
 */
export async function notifyExpiringTokens(ctx: Context, signal: AbortSignal): Promise<void> {
  let done = batch
  while (done === batch) {
    signal.throwIfAborted()
    done = await transaction(ctx.db, async (trx) => {
      const { rows } = await sql<Expiring>`
        update api_tokens t set expiry_notified = true from users u
        where u.id = t.user_id and t.id in (
          select id from api_tokens
          where not expiry_notified and expires_at > now() and expires_at < now() + ${noticePeriod}
          order by expires_at limit ${batch} for update skip locked)
        returning t.id, t.workspace_id, t.name, u.name as owner, t.expires_at`.execute(trx)
      for (const { id, workspace_id, name, owner, expires_at } of rows)
        await emit(
          trx,
          'slipway',
          workspace_id,
          'api_token.expiring',
          { kind: 'api_token', id, name },
          `The token belongs to ${owner} and expires on ${expires_at.toISOString().slice(0, 16).replace('T', ' at ')} UTC.`,
        )
      return rows.length
    })
  }
}

const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof nothing>('notify-expiring-tokens', nothing, (ctx, _given, { signal }) =>
    notifyExpiringTokens(ctx, signal),
  ),
]

export const schedules = [
  {
    name: 'notify-expiring-tokens',
    everySeconds: 3_600,
    atStart: true,
    job: { kind: 'notify-expiring-tokens', payload: {}, lane: 'poll' as const },
  },
]
