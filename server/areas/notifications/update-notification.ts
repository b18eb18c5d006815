import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { updateNotification as endpoint } from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { findChannelType } from './channel-types.ts'
import { lockNotification, showNotification, channelTarget } from './notification.ts'
import { openSettings, readChannelSettings, sealSettings } from './settings.ts'
import { updateChannel } from './store.ts'
import { resetAndSend } from './reset-and-send.ts'

type Changes = z.output<(typeof endpoint)['body']>

/** Keeps omitted settings. Retries immediately, because the change may fix the channel. */
export const updateNotification = (
  ctx: Context,
  actor: Actor,
  id: Id<'notification'>,
  { settings: given, events, ...changes }: Changes,
) =>
  transaction(ctx.db, async (trx) => {
    const row = await lockNotification(trx, actor, id)
    const sealed = given && (await resealed(ctx, row, given))
    const { name = row.name, enabled = row.enabled } = changes
    await updateChannel(trx, actor.workspace.id, id, {
      name,
      enabled,
      ...(events && { events: [...new Set(events)] }),
      ...(sealed && { settings_sealed: sealed }),
      updated_at: ctx.now(),
    })
    if (sealed || (enabled && !row.enabled)) await resetAndSend(ctx, trx, actor.workspace.id, id)
    await emit(trx, actor, actor.workspace.id, 'notification.updated', channelTarget({ id, name }))
    return showNotification(ctx, trx, actor, id)
  })

async function resealed(
  ctx: Context,
  row: Awaited<ReturnType<typeof lockNotification>>,
  given: NonNullable<Changes['settings']>,
): Promise<string> {
  const channel = findChannelType(row.type)
  if (!channel)
    throw conflict(
      'channel_unknown',
      `The channel type ${row.type} is not supported. Delete the channel and create a new one.`,
    )
  return sealSettings(ctx, row.id, await readChannelSettings(ctx, channel, given, openSettings(ctx, row)))
}
