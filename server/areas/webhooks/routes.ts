import * as contract from '../../../contract/webhooks.ts'
import { successReply, route, type Actor, hasPermission } from '../../route.ts'
import { getHook, rotateHook } from './hook.ts'
import { receiveWebhook } from './receive-webhook.ts'
import { redeliver } from './redeliver.ts'
import type { z } from 'zod'
import type { delivery } from '../../../contract/webhooks.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { openPayload } from './payload.ts'
import { type DeliveryQuery, type DeliveryRow, findDeliveryRow, listDeliveryRows } from './store.ts'

export const presentDelivery = (row: DeliveryRow): z.input<typeof delivery> => ({
  id: row.id,
  hook: row.hook,
  event: row.event,
  repository: row.repository,
  ref: row.ref,
  is_tag: row.tagged_at !== null,
  sha: row.sha,
  message: row.message,
  sender: row.sender,
  status: row.status,
  outcomes: row.outcomes.map(({ application_id, application_name, says, ...outcome }) => ({
    application:
      application_id && application_name !== null ? { id: application_id, name: application_name } : null,
    ...outcome,
    summary: says,
  })),
  redelivery_of: row.redelivery_of,
  received_at: row.received_at.toISOString(),
  handled_at: row.handled_at?.toISOString() ?? null,
})

async function listDeliveries(ctx: Context, actor: Actor, query: DeliveryQuery) {
  const { rows, page } = await listDeliveryRows(ctx.db, actor.workspace.id, query)
  return { deliveries: rows.map(presentDelivery), page }
}

export async function getDeliveryRow(ctx: Context, actor: Actor, id: Id<'delivery'>) {
  const row = await findDeliveryRow(ctx.db, actor.workspace.id, id)
  if (!row) throw notFound('This delivery')
  return row
}

async function getDelivery(ctx: Context, actor: Actor, id: Id<'delivery'>) {
  const row = await getDeliveryRow(ctx, actor, id)
  const seesAll = hasPermission(actor, 'applications.manage')
  return {
    ...presentDelivery(row),
    headers: seesAll ? row.headers : null,
    payload: seesAll ? openPayload(ctx, row) : null,
  }
}

export const routes = [
  route(contract.receiveEvent, async (ctx, { caller, params, raw }) => {
    await receiveWebhook(ctx, params.hook, { ...raw, address: caller.address })
    return successReply
  }),
  route(contract.listDeliveries, (ctx, { caller, query }) => listDeliveries(ctx, caller, query)),
  route(contract.getDelivery, async (ctx, { caller, params }) => ({
    delivery: await getDelivery(ctx, caller, params.id),
  })),
  route(contract.redeliver, async (ctx, { caller, params }) => ({
    delivery: await redeliver(ctx, caller, params.id),
  })),
  route(contract.getHook, async (ctx, { caller, params }) => ({
    hook: await getHook(ctx, caller, params.id),
  })),
  route(contract.rotateHook, async (ctx, { caller, params }) => ({
    hook: await rotateHook(ctx, caller, params.id),
  })),
]
