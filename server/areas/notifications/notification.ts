import type { z } from 'zod'
import type { notification } from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import type { PageQuery } from '../../platform/page.ts'
import type { Actor } from '../../route.ts'
import { listNotificationRows, type NotificationRow } from './store.ts'

const present = (row: NotificationRow): z.input<typeof notification> => ({
  id: row.id,
  name: row.name,
  type: row.type,
  created_at: row.created_at.toISOString(),
})

export async function listNotifications(ctx: Context, actor: Actor, query: PageQuery) {
  const { rows, page } = await listNotificationRows(ctx.db, actor.workspace.id, query)
  return { notifications: rows.map(present), page }
}
