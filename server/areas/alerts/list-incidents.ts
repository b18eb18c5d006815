import type { z } from 'zod'
import type { Id } from '../../../contract/ids.ts'
import type { listIncidents as endpoint } from '../../../contract/incidents.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { findIncident, presentIncident, readCause } from './incident.ts'
import { listIncidentRows, listMessagesOf } from './incidents-store.ts'

export async function listIncidents(ctx: Context, actor: Actor, query: z.output<typeof endpoint.query>) {
  const { rows, page } = await listIncidentRows(ctx.db, actor.workspace.id, query)
  return { incidents: rows.map(presentIncident), page }
}

/** With what it came from, and whom it was told to. */
export async function getIncident(ctx: Context, actor: Actor, id: Id<'incident'>) {
  const row = await findIncident(ctx.db, actor.workspace.id, id)
  if (!row) throw notFound('This incident')
  const messages = await listMessagesOf(ctx.db, actor.workspace.id, id)
  return {
    ...presentIncident(row),
    cause: readCause(ctx, row),
    messages: messages.flatMap(({ kind, notification_id, name, type, ...message }) =>
      kind === 'happened' || kind === 'test'
        ? []
        : [
            {
              id: message.id,
              notification: { id: notification_id, name, type },
              kind,
              status: message.status,
              created_at: message.created_at.toISOString(),
              sent_at: message.sent_at?.toISOString() ?? null,
            },
          ],
    ),
  }
}
