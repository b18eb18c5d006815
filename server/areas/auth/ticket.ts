import type { Context } from '../../context.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import type { User } from '../../route.ts'
import { insertTicket, consumeTicketRow } from './store.ts'

const lifeSeconds = 30

/** A ticket stands in for a token for 30 seconds and one use. */
export async function createTicket(ctx: Context, person: User, path: string | undefined) {
  const ticket = newToken('tkt')
  const expires = new Date(Date.now() + lifeSeconds * 1000)
  await insertTicket(ctx.db, {
    ticket_hash: hashToken(ticket),
    token_hash: person.tokenHash,
    expires_at: expires,
    path: path ?? null,
  })
  return { ticket, expires_at: expires.toISOString() }
}

/** Returns the hash of the token that the ticket stands for. */
export const consumeTicket = async (ctx: Context, ticket: string, path: string) =>
  (await consumeTicketRow(ctx.db, hashToken(ticket), path))?.token_hash
