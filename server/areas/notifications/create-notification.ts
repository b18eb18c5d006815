import type { z } from 'zod'
import type { createNotification as endpoint } from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { channelTypes, findChannelType } from './channel-types.ts'
import { showNotification, channelTarget } from './notification.ts'
import { readSettings, sealSettings } from './settings.ts'
import { insertNotification } from './store.ts'

export async function createNotification(
  ctx: Context,
  actor: Actor,
  { settings, events, ...given }: z.output<(typeof endpoint)['body']>,
) {
  const channel = findChannelType(given.type)
  if (!channel)
    throw new Invalid({ type: [`Must be one of: ${channelTypes.map(({ type }) => type).join(', ')}.`] })
  const unavailable = channel.unavailableReason?.(ctx)
  if (unavailable) throw new Invalid({ type: [unavailable] })
  const id = newId('notification')
  const sealed = sealSettings(ctx, id, await readSettings(ctx, channel, settings))
  return transaction(ctx.db, async (trx) => {
    await insertNotification(trx, {
      ...given,
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
      channelTarget({ id, name: given.name }),
      channel.name,
    )
    return showNotification(ctx, trx, actor, id)
  })
}
