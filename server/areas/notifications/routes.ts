import * as contract from '../../../contract/notifications.ts'
import { successReply, route, type Actor } from '../../route.ts'
import { listMessages, resendMessage } from './message.ts'
import {
  channelTarget,
  deleteNotification,
  listNotifications,
  resumeNotification,
  showNotification,
  updateNotification,
} from './notification.ts'
import { sendFiring } from './send-firing.ts'
import { testNotification } from './test-channel.ts'
import type { z } from 'zod'
import {
  type listNotificationTypes,
  type Notice,
  notices,
  type createNotification as endpoint,
} from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import { isBillingOn } from '../workspaces/plan-access.ts'
import { channelTypes, findChannelType } from './channel-types.ts'
import { Invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import { sealSettings } from './channel-type.ts'
import { readChannelSettings } from './channel-settings.ts'
import { insertNotification } from './store.ts'

async function createNotification(
  ctx: Context,
  actor: Actor,
  { settings, events, ...fields }: z.output<(typeof endpoint)['body']>,
) {
  const channel = findChannelType(fields.type)
  if (!channel)
    throw new Invalid({ type: [`Must be one of: ${channelTypes.map(({ type }) => type).join(', ')}.`] })
  const unavailable = channel.unavailableReason?.(ctx)
  if (unavailable) throw new Invalid({ type: [unavailable] })
  const id = newId('notification')
  const sealed = sealSettings(ctx, id, await readChannelSettings(ctx, channel, settings))
  return transaction(ctx.db, async (trx) => {
    await insertNotification(trx, {
      ...fields,
      id,
      workspace_id: actor.workspace.id,
      events: [...new Set(events)],
      settings_sealed: sealed,
    })
    await emit(
      trx,
      actor,
      actor.workspace.id,
      'notification.created',
      channelTarget({ id, name: fields.name }),
      channel.name,
    )
    return showNotification(ctx, trx, actor, id)
  })
}

const listChannelTypes = (ctx: Context): z.input<(typeof listNotificationTypes)['reply']> => ({
  types: channelTypes.map((channel) => {
    const reason = channel.unavailableReason?.(ctx)
    const { type, name, description, help, link, fields } = channel
    return {
      type,
      name,
      description,
      help,
      link,
      available: !reason,
      unavailable_reason: reason ?? null,
      fields: [...fields],
    }
  }),
  events: Object.entries(notices)
    .filter(([group]) => group !== 'billing' || isBillingOn(ctx.config))
    .map(([group, { label, events }]) => ({
      group,
      label,
      events: toEntries(events).map(([event, label]) => ({ event, label })),
    })),
})

const toEntries = (events: Partial<Record<Notice, string>>) => Object.entries(events) as [Notice, string][]

export const routes = [
  route(contract.listNotificationTypes, async (ctx) => listChannelTypes(ctx)),
  route(contract.listNotifications, (ctx, { caller, query }) => listNotifications(ctx, caller, query)),
  route(contract.createNotification, (ctx, { caller, body }) => createNotification(ctx, caller, body)),
  route(contract.getNotification, (ctx, { caller, params }) =>
    showNotification(ctx, ctx.db, caller, params.id),
  ),
  route(contract.updateNotification, (ctx, { caller, params, body }) =>
    updateNotification(ctx, caller, params.id, body),
  ),
  route(contract.deleteNotification, async (ctx, { caller, params }) => {
    await deleteNotification(ctx, caller, params.id)
    return successReply
  }),
  route(contract.testNotification, (ctx, { caller, params, signal }) =>
    testNotification(ctx, caller, params.id, signal),
  ),
  route(contract.resumeNotification, (ctx, { caller, params }) => resumeNotification(ctx, caller, params.id)),
  route(contract.sendFiring, (ctx, { caller, params }) => sendFiring(ctx, caller, params.id)),
  route(contract.listMessages, (ctx, { caller, params, query }) =>
    listMessages(ctx, caller, params.id, query),
  ),
  route(contract.resendMessage, async (ctx, { caller, params }) => ({
    message: await resendMessage(ctx, caller, params.id, params.mid),
  })),
]
