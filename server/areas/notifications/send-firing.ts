import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { nudge } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { incidentStarted, incidentStartKey } from './contents/alert.ts'
import { getNotificationRow } from './notification.ts'
import { listUnsentIncidents } from './unsent-incidents.ts'
import { lockRecipients, writeMessages } from './write-messages.ts'

/** Notifies a channel of incidents that started before it could receive them, each at most once. */
export const sendFiring = (ctx: Context, actor: Actor, id: Id<'notification'>): Promise<{ queued: number }> =>
  transaction(ctx.db, async (trx) => {
    const workspaceId = actor.workspace.id
    await getNotificationRow(trx, actor, id)
    // The lock makes concurrent requests wait, so that the later one finds the messages of the first.
    const recipients = await lockRecipients(trx, workspaceId, 'alert', id)
    const incidents = recipients.length > 0 ? await listUnsentIncidents(ctx, trx, workspaceId, id) : []
    for (const incident of incidents) {
      const message = { ...(await incidentStarted(ctx, trx, incident)), key: incidentStartKey(incident) }
      await writeMessages(ctx, trx, recipients, message, { event: 'alert', at: ctx.now() })
    }
    if (incidents.length > 0) await nudge(trx, workspaceId, 'message.changed', id)
    return { queued: incidents.length }
  })
