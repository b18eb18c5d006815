import { randomUUID } from 'node:crypto'
import type { Id } from '../../../contract/shared/ids.ts'
import { receiveEvent } from '../../../contract/webhooks.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { newToken } from '../../platform/tokens.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { applicationTarget, findApplication, withLockedApplication } from '../applications/application.ts'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tables } from '../../tables.ts'
import {
  type Decision,
  type Delivery,
  deliveryQueueKey,
  ignoredDecision,
  insertDelivery,
  sealPayload,
} from './delivery.ts'
import { createSignatureCheck, presentsSecret, toPathSecret } from './hook-credentials.ts'
import {
  countHookCall,
  decodeStart,
  type IncomingWebhook,
  rejectWebhook,
  storedHeaders,
} from './receive-webhook.ts'

const hookSecretSealContext = (applicationId: string) => `hooks.secret_sealed:${applicationId}`

export const getHook = (ctx: Context, actor: Actor, id: Id<'application'>) =>
  withLockedApplication(ctx, actor, id, async (trx) => {
    const hook = newHook(ctx, actor, id)
    return presentHook(ctx, await upsertHook(trx, hook, { application_id: id }))
  })

/** Keeps the URL; the previous secret stops working. */
export const rotateHook = (ctx: Context, actor: Actor, id: Id<'application'>) =>
  withLockedApplication(ctx, actor, id, async (trx, application) => {
    const hook = newHook(ctx, actor, id)
    const { secret_sealed } = hook
    const row = await upsertHook(trx, hook, { secret_sealed, created_at: ctx.now() })
    await emit(trx, actor, actor.workspace.id, 'application.hook_rotated', applicationTarget(application))
    return presentHook(ctx, row)
  })

const newHook = (ctx: Context, actor: Actor, id: Id<'application'>) => ({
  workspace_id: actor.workspace.id,
  application_id: id,
  name: newToken('hook'),
  secret_sealed: ctx.secrets.seal(hookSecretSealContext(id), newToken('whs')),
})

/** Applies the changes when the application has a hook already. */
const upsertHook = (
  db: Db,
  row: Insertable<Tables['hooks']>,
  changes: Updateable<Tables['hooks']>,
): Promise<Hook> =>
  db
    .insertInto('hooks')
    .values(row)
    .onConflict((conflict) => conflict.column('application_id').doUpdateSet(changes))
    .returningAll()
    .executeTakeFirstOrThrow()

function presentHook(ctx: Context, { application_id, name, secret_sealed, created_at, used_at }: Hook) {
  const url = `${ctx.config.PUBLIC_URL}/v1/events/${name}`
  const secret = ctx.secrets.open(hookSecretSealContext(application_id), secret_sealed)
  return {
    url,
    secret,
    url_with_secret: `${url}/${toPathSecret(secret)}`,
    created_at: created_at.toISOString(),
    used_at: used_at?.toISOString() ?? null,
  }
}

type Hook = Selectable<Tables['hooks']>

/** Limits the stored part of a body to what is enough to show what was sent. */
const keptBytes = 65_536

/** Stands in for the secret of an unknown hook, to keep the timing constant. */
const unknownHookSecret = newToken('whs')

export async function receiveDeployHook(
  ctx: Context,
  name: string,
  webhook: IncomingWebhook,
  secretInPath?: string,
): Promise<void> {
  const hook = await findHook(ctx.db, name)
  const secret = hook
    ? ctx.secrets.open(hookSecretSealContext(hook.application_id), hook.secret_sealed)
    : unknownHookSecret
  const isKnown = presentsSecret(webhook, secretInPath, secret)
  const signature = isKnown ? undefined : createSignatureCheck(webhook, secret)
  if (!isKnown && !signature) throw rejectWebhook(ctx, webhook.address)
  // The signature covers the whole body, although only its start is stored.
  const start = await webhook.readStart(keptBytes, receiveEvent.mostBytes, signature?.update)
  if (!hook || signature?.matches() === false) throw rejectWebhook(ctx, webhook.address)
  countHookCall(ctx, name)
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
    payload_sealed: sealPayload(ctx, id, decodeStart(start).replaceAll('\0', '')),
    is_truncated: start.isTruncated,
    // The row has no body hash, because identical calls are allowed; clients can send an Idempotency-Key.
  }
  await transaction(ctx.db, (trx) => insertDelivery(trx, ctx.secrets, row))
}

/** Finds a hook by its URL name, which identifies the workspace. */
const findHook = (db: Db, name: string) =>
  db
    .selectFrom('hooks as h')
    .innerJoin('applications as a', (on) =>
      on.onRef('a.workspace_id', '=', 'h.workspace_id').onRef('a.id', '=', 'h.application_id'),
    )
    .selectAll('h')
    .where('h.name', '=', name)
    .where('a.deleting_at', 'is', null)
    .executeTakeFirst()

export async function decideDeployHook(ctx: Context, delivery: Delivery): Promise<Decision[]> {
  const { workspace_id, application_id, sender, headers } = delivery
  // GitHub sends a ping when a webhook is created, Bitbucket when a connection is tested.
  if (headers['x-github-event'] === 'ping' || headers['x-event-key'] === 'diagnostics:ping')
    return [ignoredDecision('The webhook works. A ping does not deploy anything.')]
  const application = application_id && (await findApplication(ctx.db, workspace_id, application_id))
  if (!application || application.deleting_at) return [ignoredDecision('The application is being deleted.')]
  return [
    {
      application: { id: application.id, name: application.name },
      status: 'deployed',
      summary: 'Deployment requested.',
      request: {
        initiator: { name: 'Deploy hook', via: 'webhook', address: sender },
        deployment: {
          type: application.source_type === 'github' ? 'build_application' : 'deploy_application',
        },
        label: 'a newer call',
      },
    },
  ]
}
