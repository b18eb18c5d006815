import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Context } from '../context.ts'
import { conflict, StillRunning, Invalid } from '../errors.ts'
import {
  type IdempotencyClaim,
  claimIdempotencyKey,
  findStoredReply,
  storeReply,
  newClaimHolder,
  releaseIdempotencyKey,
} from '../platform/idempotency.ts'
import type { User, Anonymous } from '../route.ts'

const longest = 255

/** Runs `work` once per Idempotency-Key. A repeated request gets the first reply; a failure releases the key. */
export async function withIdempotencyKey(
  ctx: Context,
  endpoint: Endpoint,
  request: FastifyRequest,
  caller: Anonymous | User,
  work: () => Promise<unknown>,
): Promise<unknown> {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || !('user' in caller)) return work()
  if (key.length === 0 || key.length > longest)
    throw new Invalid({ 'Idempotency-Key': [`Must have 1 to ${longest} characters.`] })
  const hash = createHash('sha256').update(JSON.stringify([request.method, request.url, request.body]))
  // Endpoints without a workspace may change the current workspace, so the key must not include it.
  const person =
    endpoint.access === 'user' || endpoint.access === 'instance'
      ? caller.user.id
      : `${caller.user.id} ${caller.workspace?.id ?? ''}`
  // An API token may have fewer permissions than its owner, so it never gets the reply to a session or another token.
  const owner = caller.via.kind === 'api_token' ? `${person} ${caller.via.id}` : person
  const claim = { caller: owner, key, requestHash: hash.digest('hex'), holder: newClaimHolder() }
  if (!(await claimIdempotencyKey(ctx.db, claim))) return firstAnswer(ctx, claim)
  const reply = await work().catch(async (error: unknown) => {
    if (!(error instanceof StillRunning)) await releaseIdempotencyKey(ctx.db, claim)
    throw error
  })
  // The work is done. If storing the reply fails, a repeated request must wait instead of running the work again.
  await storeReply(ctx.db, claim, ctx.secrets.seal(replySealContext(claim), JSON.stringify(reply)))
  return reply
}

const replySealContext = ({ caller, key }: IdempotencyClaim) =>
  `idempotency_keys.reply_sealed:${caller}:${key}`

async function firstAnswer(ctx: Context, claim: IdempotencyClaim): Promise<unknown> {
  const first = await findStoredReply(ctx.db, claim)
  if (first && first.request_hash !== claim.requestHash)
    throw conflict('idempotency_key_reused', 'This Idempotency-Key was used for another request.')
  if (!first?.reply_sealed)
    throw conflict('in_progress', 'The same request is still in progress. Try again shortly.')
  return JSON.parse(ctx.secrets.open(replySealContext(claim), first.reply_sealed))
}
