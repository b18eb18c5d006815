import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import { cause, type incident, type listIncidents as endpoint } from '../../../contract/incidents.ts'
import type { Context } from '../../context.ts'
import type { Target } from '../../events.ts'
import type { Db, Tables } from '../../tables.ts'
import { notFound } from '../../errors.ts'
import { type Actor, hasPermission } from '../../route.ts'
import { createActorRedactor } from '../applications/redactor.ts'
import { listIncidentMessages, listIncidentRows } from './store.ts'

export type IncidentRow = Selectable<Tables['incidents']>
export type Cause = z.output<typeof cause>

export const findIncident = (db: Db, workspaceId: Id<'workspace'>, id: Id<'incident'>) =>
  db
    .selectFrom('incidents')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

/** The event includes the alert's ID, because the alert may be deleted when a listener handles the event. */
export const incidentTarget = (row: Pick<IncidentRow, 'id' | 'subject_name' | 'alert_id'>): Target => ({
  kind: 'incident',
  id: row.id,
  name: row.subject_name,
  ...(row.alert_id !== null && { about: row.alert_id }),
})

export const presentIncident = (row: IncidentRow): z.input<typeof incident> => ({
  ...row,
  summary: row.summary,
  subject: {
    kind: row.subject_kind,
    id: row.subject_id,
    name: row.subject_name,
    server_id: row.server_id,
    application_id: row.application_id,
    deployment_id: row.deployment_id,
  },
  started_at: row.began_at.toISOString(),
  fired_at: row.fired_at?.toISOString() ?? null,
  notified_at: row.notified_at?.toISOString() ?? null,
  muted_until: row.muted_until?.toISOString() ?? null,
  resolved_at: row.resolved_at?.toISOString() ?? null,
  resolved_reason: row.resolved_reason,
})

const causeSealKey = (id: Id<'incident'>) => `incidents.cause_sealed:${id}`

/** Log lines may hold anything, so they are sealed at rest. */
export const sealCause = (
  { secrets }: Pick<Context, 'secrets'>,
  id: Id<'incident'>,
  content: Cause,
): string => secrets.seal(causeSealKey(id), JSON.stringify(content))

export const readCause = (
  { secrets }: Pick<Context, 'secrets'>,
  { id, cause_sealed }: Pick<IncidentRow, 'id' | 'cause_sealed'>,
): Cause =>
  cause_sealed === null
    ? { facts: [], lines: [] }
    : cause.parse(JSON.parse(secrets.open(causeSealKey(id), cause_sealed)))

export async function listIncidents(ctx: Context, actor: Actor, query: z.output<typeof endpoint.query>) {
  const { rows, page } = await listIncidentRows(ctx.db, actor.workspace.id, query)
  const redact = await createActorRedactor(
    ctx,
    actor,
    rows.map(({ application_id }) => application_id),
  )
  const incidents = rows.map((row) => ({
    ...presentIncident(row),
    summary: redact(row.application_id, row.summary),
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
    summary: redact(row.application_id, row.summary),
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

const quoting = new Set(['Error', 'Health check', 'Processes', 'Waiting for disk I/O'])

/** Hides program output from members without the permission to manage applications: it may contain secrets. */
function causeFor(actor: Actor, { facts, lines }: Cause): Cause {
  if (hasPermission(actor, 'applications.manage')) return { facts, lines }
  return { facts: facts.filter(({ label }) => !quoting.has(label)), lines: [] }
}
