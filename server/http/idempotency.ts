import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Context } from '../context.ts'
import { conflict, Invalid } from '../errors.ts'
import type { Person, Visitor } from '../route.ts'

const longest = 255

interface Claim {
  caller: string
  key: string
  request_hash: string
}

/** Does the work once for a key; a repeat gets the first answer. A failure leaves nothing: it may be tried again. */
export async function once(
  ctx: Context,
  endpoint: Endpoint,
  request: FastifyRequest,
  caller: Visitor | Person,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || !('user' in caller)) return work()
  if (key.length === 0 || key.length > longest)
    throw new Invalid({ 'Idempotency-Key': [`Must have 1 to ${longest} characters.`] })
  const hash = createHash('sha256').update(JSON.stringify([request.method, request.url, request.body]))
  // What belongs to no workspace may itself change which one the caller works in.
  const claim = {
    caller: endpoint.access === 'user' ? caller.user.id : `${caller.user.id} ${caller.workspace?.id ?? ''}`,
    key,
    request_hash: hash.digest('hex'),
  }
  if (!(await take(ctx, claim))) return firstAnswer(ctx, claim)
  try {
    const reply = await work()
    const reply_sealed = ctx.secrets.seal(placeOf(claim), JSON.stringify(reply))
    await rowOf(ctx.db.updateTable('idempotency_keys').set({ reply_sealed }), claim)
    return reply
  } catch (error) {
    await rowOf(ctx.db.deleteFrom('idempotency_keys'), claim)
    throw error
  }
}

const placeOf = ({ caller, key }: Claim) => `idempotency_keys.reply_sealed:${caller}:${key}`

interface Narrowed<Q> {
  where(column: 'caller' | 'key', operator: '=', value: string): Q & Narrowed<Q>
  execute(): Promise<unknown>
}
const rowOf = <Q>(query: Narrowed<Q>, { caller, key }: Claim) =>
  query.where('caller', '=', caller).where('key', '=', key).execute()

/** A claim whose holder died is free again after a minute. */
const take = (ctx: Context, claim: Claim) =>
  ctx.db
    .insertInto('idempotency_keys')
    .values(claim)
    .onConflict((on) =>
      on
        .columns(['caller', 'key'])
        .doUpdateSet({ ...claim, created_at: sql`now()` })
        .where('idempotency_keys.reply_sealed', 'is', null)
        .where('idempotency_keys.created_at', '<', sql<Date>`now() - interval '1 minute'`),
    )
    .returning('key')
    .executeTakeFirst()

async function firstAnswer(ctx: Context, claim: Claim): Promise<unknown> {
  const first = await ctx.db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('caller', '=', claim.caller)
    .where('key', '=', claim.key)
    .executeTakeFirst()
  if (first && first.request_hash !== claim.request_hash)
    throw conflict('idempotency_key_reused', 'This Idempotency-Key was used for another request.')
  if (!first?.reply_sealed)
    throw conflict('in_progress', 'The first request with this Idempotency-Key is still under way.')
  return JSON.parse(ctx.secrets.open(placeOf(claim), first.reply_sealed))
}
