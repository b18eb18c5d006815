import type { Context } from '../../context.ts'
import { receiveGitHub } from './receive-github.ts'
import { receiveStripe } from './receive-stripe.ts'
import { decodeBody, type IncomingWebhook, rejectWebhook, storedHeaders } from './incoming-webhook.ts'
import { randomUUID } from 'node:crypto'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import { timingSafeEquals, newToken } from '../../platform/tokens.ts'
import { findHook, hookSecretSealContext } from './hook.ts'
import { deliveryQueueKey, sealPayload } from './delivery.ts'
import { insertDelivery } from './store.ts'

export function receiveWebhook(ctx: Context, hook: string, webhook: IncomingWebhook): Promise<void> {
  if (hook === 'github') return receiveGitHub(ctx, webhook)
  return hook === 'stripe' ? receiveStripe(ctx, webhook) : receiveDeployHook(ctx, hook, webhook)
}

const maxBytes = 65_536

/** Compares for unknown hooks as well, to keep the timing constant. */
const unknownHookSecret = newToken('whs')

async function receiveDeployHook(ctx: Context, name: string, webhook: IncomingWebhook): Promise<void> {
  const hook = await findHook(ctx.db, name)
  const secret = hook
    ? ctx.secrets.open(hookSecretSealContext(hook.application_id), hook.secret_sealed)
    : unknownHookSecret
  const shown = webhook.header('secret') ?? webhook.header('x-hook-secret') ?? ''
  if (!timingSafeEquals(shown, secret) || !hook) throw rejectWebhook(ctx, webhook.address)
  const bytes = await webhook.read(maxBytes)
  const { workspace_id, application_id } = hook
  const queue = deliveryQueueKey({ application: application_id })
  const id = newId('delivery')
  const row = {
    id,
    workspace_id,
    hook: 'deploy' as const,
    delivery: `${application_id}:${webhook.header('idempotency-key')?.slice(0, 200) ?? randomUUID()}`,
    event: 'deploy',
    queue,
    application_id,
    sender: webhook.address,
    headers: JSON.stringify(storedHeaders(webhook)),
    payload_sealed: sealPayload(ctx, id, decodeBody(bytes).replaceAll('\0', '')),
    // Without a body hash, because identical calls are allowed; clients can send an Idempotency-Key.
  }
  await transaction(ctx.db, (trx) => insertDelivery(trx, ctx.secrets, row))
}
