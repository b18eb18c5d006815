import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type {
  getNotification,
  notification,
  updateNotification as endpoint,
} from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { PageQuery } from '../../platform/pagination.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Db, Trx } from '../../tables.ts'
import { findChannelType } from './channel-types.ts'
import { openSettings, sealSettings } from './channel-type.ts'
import { presentSettings, readChannelSettings } from './channel-settings.ts'
import {
  deleteNotificationRow,
  findNotificationRow,
  healthyChannel,
  listNotificationRows,
  lockNotificationRow,
  type NotificationRow,
  updateChannel,
} from './store.ts'
import { enqueueSending } from './send-messages.ts'
import { listUnsentIncidents } from './unsent-incidents.ts'

const presentChannel = (row: NotificationRow): z.input<typeof notification> => ({
  id: row.id,
  name: row.name,
  type: row.type,
  enabled: row.enabled,
  state: channelState(row),
  reason: row.reason,
  failing_since: row.failing_since?.toISOString() ?? null,
  next_attempt_at: row.next_try_at?.toISOString() ?? null,
  queued: row.waiting,
  events: row.events,
  last_sent_at: row.last_sent_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

function channelState({ enabled, paused_at, failing_since }: NotificationRow) {
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
  if (!row) throw channelNotFound()
  return row
}

export async function lockNotification(db: Db, actor: Actor, id: Id<'notification'>) {
  const row = await lockNotificationRow(db, actor.workspace.id, id)
  if (!row) throw channelNotFound()
  return row
}

const channelNotFound = () => notFound('This channel')

export async function showNotification(
  ctx: Pick<Context, 'secrets' | 'now'>,
  db: Db,
  actor: Actor,
  id: Id<'notification'>,
): Promise<z.input<(typeof getNotification)['reply']>> {
  const row = await getNotificationRow(db, actor, id)
  const channel = findChannelType(row.type)
  const settings = channel ? presentSettings(channel, openSettings(ctx, row)) : {}
  const unsent = await listUnsentIncidents(ctx, db, actor.workspace.id, id)
  return { notification: { ...presentChannel(row), settings, unsent_incidents: unsent.length } }
}

type Changes = z.output<(typeof endpoint)['body']>

export const updateNotification = (
  ctx: Context,
  actor: Actor,
  id: Id<'notification'>,
  { settings, events, ...changes }: Changes,
) =>
  transaction(ctx.db, async (trx) => {
    const row = await lockNotification(trx, actor, id)
    const sealed = settings && (await resealSettings(ctx, row, settings))
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

async function resealSettings(
  ctx: Context,
  row: Awaited<ReturnType<typeof lockNotification>>,
  changes: NonNullable<Changes['settings']>,
): Promise<string> {
  const channel = findChannelType(row.type)
  if (!channel)
    throw conflict(
      'channel_unknown',
      `The channel type ${row.type} is not supported. Delete the channel and create a new one.`,
    )
  return sealSettings(ctx, row.id, await readChannelSettings(ctx, channel, changes, openSettings(ctx, row)))
}

export const resumeNotification = (ctx: Context, actor: Actor, id: Id<'notification'>) =>
  transaction(ctx.db, async (trx) => {
    await resumeChannel(ctx, trx, actor, id)
    return showNotification(ctx, trx, actor, id)
  })

export async function resumeChannel(
  ctx: Context,
  trx: Trx,
  actor: Actor,
  id: Id<'notification'>,
): Promise<void> {
  const row = await lockNotification(trx, actor, id)
  await resetAndSend(ctx, trx, actor.workspace.id, id)
  if (row.paused_at) await emit(trx, actor, actor.workspace.id, 'notification.resumed', channelTarget(row))
}

/** Clears the failures, because a user has changed or resumed the channel. */
export async function resetAndSend(
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  workspaceId: Id<'workspace'>,
  notificationId: Id<'notification'>,
): Promise<void> {
  await updateChannel(trx, workspaceId, notificationId, { ...healthyChannel, paused_at: null })
  await enqueueSending(ctx, trx, workspaceId, notificationId)
}

/** Deletes queued messages as well; one that is being sent may still arrive. */
export const deleteNotification = (ctx: Context, actor: Actor, id: Id<'notification'>) =>
  transaction(ctx.db, async (trx) => {
    const deleted = await deleteNotificationRow(trx, actor.workspace.id, id)
    if (!deleted) throw channelNotFound()
    await emit(
      trx,
      actor,
      actor.workspace.id,
      'notification.deleted',
      channelTarget({ id, name: deleted.name }),
    )
  })
