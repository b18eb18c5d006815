import type { Context } from '../../context.ts'
import { receiveGitHub } from './receive-github.ts'
import { receiveStripe } from './receive-stripe.ts'
import { type Received, headersOf, textOf } from './received.ts'
import { randomUUID } from 'node:crypto'
import { newId } from '../../platform/ids.ts'
import { timingSafeEquals, newToken } from '../../platform/tokens.ts'
import { secretPlace } from './hook.ts'
import { findHook } from './hook-store.ts'
import { sealPayload } from './payload.ts'
import { handlingOf, queueOf } from './queue.ts'
import { insertDelivery } from './store.ts'
import { refuse } from './wrong-calls.ts'

/** Validates and stores the webhook; it is processed in the background. */
export function receive(ctx: Context, hook: string, given: Received): Promise<void> {
  if (hook === 'github') return receiveGitHub(ctx, given)
  return hook === 'stripe' ? receiveStripe(ctx, given) : receiveDeploy(ctx, hook, given)
}

/** Maximum body size: the body is only shown in the delivery. */
const mostBytes = 65_536

/** Compares for unknown hooks as well, to keep the timing constant. */
const nobody = newToken('whs')

async function receiveDeploy(ctx: Context, name: string, given: Received): Promise<void> {
  const hook = await findHook(ctx.db, name)
  const secret = hook ? ctx.secrets.open(secretPlace(hook.application_id), hook.secret_sealed) : nobody
  const shown = given.header('secret') ?? given.header('x-hook-secret') ?? ''
  if (!timingSafeEquals(shown, secret) || !hook) throw refuse(ctx, given.address)
  const bytes = await given.read(mostBytes)
  const { workspace_id, application_id } = hook
  const queue = queueOf({ application: application_id })
  const id = newId('delivery')
  const row = {
    id,
    workspace_id,
    hook: 'deploy' as const,
    delivery: `${application_id}:${given.header('idempotency-key')?.slice(0, 200) ?? randomUUID()}`,
    event: 'deploy',
    queue,
    application_id,
    installation_id: null,
    repository: null,
    ref: null,
    sha: null,
    message: null,
    sender: given.address,
    headers: JSON.stringify(headersOf(given)),
    payload_sealed: sealPayload(ctx, id, textOf(bytes).replaceAll('\0', '')),
    redelivery_of: null,
    tagged_at: null,
    // Identical calls are allowed; clients can send an Idempotency-Key.
    body_hash: null,
    pushed_at: null,
  }
  await insertDelivery(ctx.db, ctx.secrets, row, handlingOf(workspace_id, queue))
}
