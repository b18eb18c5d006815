import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { getNotification, notification } from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { PageQuery } from '../../platform/page.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Db } from '../../tables.ts'
import { findChannelType } from './channel-types.ts'
import { openSettings, presentSettings } from './settings.ts'
import {
  deleteNotificationRow,
  findNotificationRow,
  listNotificationRows,
  lockNotificationRow,
  type NotificationRow,
} from './store.ts'

const presentChannel = (row: NotificationRow): z.input<typeof notification> => ({
  id: row.id,
  name: row.name,
  type: row.type,
  enabled: row.enabled,
  state: stateOf(row),
  reason: row.reason,
  failing_since: row.failing_since?.toISOString() ?? null,
  next_attempt_at: row.next_try_at?.toISOString() ?? null,
  queued: row.waiting,
  events: row.events,
  last_sent_at: row.last_sent_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

function stateOf({ enabled, paused_at, failing_since }: NotificationRow) {
  if (!enabled) return 'off'
  if (paused_at) return 'paused'
  return failing_since ? 'failing' : 'ok'
}

export const channelTarget = ({ id, name }: Pick<NotificationRow, 'id' | 'name'>) => ({
  kind: 'notification',
  id,
  name,
})

export async function listNotifications(ctx: Context, actor: Actor, query: PageQuery) {
  const { rows, page } = await listNotificationRows(ctx.db, actor.workspace.id, query)
  return { notifications: rows.map(presentChannel), page }
}

export async function getNotificationRow(
  db: Db,
  actor: Actor,
  id: Id<'notification'>,
): Promise<NotificationRow> {
  const row = await findNotificationRow(db, actor.workspace.id, id)
  if (!row) throw missing()
  return row
}

export async function lockNotification(db: Db, actor: Actor, id: Id<'notification'>) {
  const row = await lockNotificationRow(db, actor.workspace.id, id)
  if (!row) throw missing()
  return row
}

const missing = () => notFound('This channel')

export async function showNotification(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  actor: Actor,
  id: Id<'notification'>,
): Promise<z.input<(typeof getNotification)['reply']>> {
  const row = await getNotificationRow(db, actor, id)
  const channel = findChannelType(row.type)
  const settings = channel ? presentSettings(channel, openSettings(ctx, row)) : {}
  return { notification: { ...presentChannel(row), settings } }
}

/** Deletes queued messages as well; one that is being sent may still arrive. */
export const deleteNotification = (ctx: Context, actor: Actor, id: Id<'notification'>) =>
  transaction(ctx.db, async (trx) => {
    const gone = await deleteNotificationRow(trx, actor.workspace.id, id)
    if (!gone) throw missing()
    await emit(trx, actor, actor.workspace.id, 'notification.deleted', channelTarget({ id, name: gone.name }))
  })
