import { createStreamTicket } from '../../contract/live.ts'
import type { Context } from '../context.ts'
import { hashToken, newToken } from '../platform/tokens.ts'
import { route } from '../route.ts'

const lifeSeconds = 30

/** A ticket stands for the token of whoever asked for it, for half a minute and one use. */
export const ticketRoute = route(createStreamTicket, async (ctx, { caller }) => {
  const ticket = newToken('tkt')
  const expires = new Date(Date.now() + lifeSeconds * 1000)
  await ctx.db
    .insertInto('stream_tickets')
    .values({ ticket_hash: hashToken(ticket), token_hash: caller.tokenHash, expires_at: expires })
    .execute()
  return { ticket, expires_at: expires.toISOString() }
})

/** The hash of the token that the ticket stands for. */
export async function takeTicket(ctx: Context, ticket: string): Promise<string | undefined> {
  const { rows } = await ctx.pool.query<{ token_hash: string }>(
    'delete from stream_tickets where ticket_hash = $1 and expires_at > now() returning token_hash',
    [hashToken(ticket)],
  )
  return rows[0]?.token_hash
}
