import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { listIncidents as endpoint } from '../../../contract/incidents.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { type Actor, hasPermission } from '../../route.ts'
import { createActorRedactor } from '../applications/redact-for.ts'
import { type Cause, findIncident, presentIncident, readCause } from './incident.ts'
import { listIncidentRows, listIncidentMessages } from './incidents-store.ts'

export async function listIncidents(ctx: Context, actor: Actor, query: z.output<typeof endpoint.query>) {
  const { rows, page } = await listIncidentRows(ctx.db, actor.workspace.id, query)
  const redact = await createActorRedactor(
    ctx,
    actor,
    rows.map(({ application_id }) => application_id),
  )
  const incidents = rows.map((row) => ({
    ...presentIncident(row),
    summary: redact(row.application_id, row.says),
  }))
  return { incidents, page }
}

export async function getIncident(ctx: Context, actor: Actor, id: Id<'incident'>) {
  const row = await findIncident(ctx.db, actor.workspace.id, id)
  if (!row) throw notFound('This incident')
  const messages = await listIncidentMessages(ctx.db, actor.workspace.id, id)
  const redact = await createActorRedactor(ctx, actor, [row.application_id])
  return {
    ...presentIncident(row),
    summary: redact(row.application_id, row.says),
    cause: causeFor(actor, readCause(ctx, row)),
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

/** These facts quote arguments, output or responses of programs. */
const quoting = new Set(['Error', 'Health check', 'Processes', 'Waiting for disk I/O'])

/** Hides program output from members without the permission to manage applications: it may contain secrets. */
function causeFor(actor: Actor, { facts, lines }: Cause): Cause {
  if (hasPermission(actor, 'applications.manage')) return { facts, lines }
  return { facts: facts.filter(({ label }) => !quoting.has(label)), lines: [] }
}
