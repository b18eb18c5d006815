import { z } from 'zod'
import { alertKindNames, severities } from './shared/alert-kinds.ts'
import { mute } from './alerts.ts'
import { endpoint } from './endpoint.ts'
import { idInput, id } from './shared/ids.ts'
import { text, time } from './shared/text-fields.ts'
import { pagedList, pageQuery } from './shared/replies.ts'

const incidentStates = ['pending', 'firing', 'resolved'] as const

export const cause = z.object({
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  lines: z.array(z.string()).describe('Last log lines of the container, with ANSI colors.'),
})

export const incident = z.object({
  id: id('incident'),
  alert_id: id('alert').nullable().describe('Alert of the incident; null if it was deleted.'),
  alert_name: z.string(),
  kind: z.enum(alertKindNames),
  severity: z.enum(severities),
  state: z.enum(incidentStates),
  summary: z.string().describe('The problem, as a sentence.'),
  subject: z.object({
    kind: z.enum(['server', 'container', 'application', 'certificate']),
    id: z.string(),
    name: z.string(),
    server_id: id('server').nullable(),
    application_id: id('application').nullable(),
    deployment_id: id('deployment').nullable(),
  }),
  value: z.number().nullable(),
  threshold: z.number().nullable(),
  started_at: time.describe('When the condition was first met.'),
  fired_at: time.nullable().describe('When the alert triggered.'),
  notified_at: time.nullable().describe('When the last notification was sent; null if none was sent.'),
  muted_until: time.nullable(),
  resolved_at: time.nullable(),
  resolved_reason: z.string().nullable(),
})

export const listIncidents = endpoint('GET /v1/incidents', {
  access: 'notifications.read',
  summary: 'List incidents, newest first',
  query: z.strictObject({
    ...pageQuery,
    state: z.enum(incidentStates).optional(),
    alert_id: idInput('alert').optional(),
    server_id: idInput('server').optional(),
    application_id: idInput('application').optional(),
    q: text(100).optional(),
  }),
  reply: pagedList('incidents', incident),
})

const incidentParams = z.object({ id: idInput('incident') })

export const getIncident = endpoint('GET /v1/incidents/{id}', {
  access: 'notifications.read',
  summary: 'Get an incident with its cause and notifications',
  params: incidentParams,
  reply: z.object({
    incident: incident.extend({
      cause,
      messages: z.array(
        z.object({
          id: id('message'),
          notification: z.object({ id: id('notification'), name: z.string(), type: z.string() }),
          kind: z.enum(['started', 'reminder', 'over']),
          status: z.enum(['waiting', 'sent', 'failed']),
          created_at: time,
          sent_at: time.nullable(),
        }),
      ),
    }),
  }),
})

export const muteIncident = endpoint('POST /v1/incidents/{id}/mute', {
  access: 'alerts.manage',
  open: true,
  summary: 'Mute the reminders of an incident',
  description: 'The resolution is still sent.',
  params: incidentParams,
  body: mute,
  reply: z.object({ incident }),
})
