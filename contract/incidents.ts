import { z } from 'zod'
import { alertKindNames, severities } from './shared/alert-kinds.ts'
import { mute } from './alerts.ts'
import { endpoint } from './endpoint.ts'
import { givenId, id, text, time } from './shared/ids.ts'
import { listOf, pageQuery } from './shared/page.ts'

const incidentStates = ['pending', 'firing', 'resolved'] as const

export const cause = z.object({
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  lines: z.array(z.string()).meta({ description: 'The last lines of a log.' }),
})

export const incident = z.object({
  id: id('incident'),
  alert_id: id('alert').nullable().meta({ description: 'Null when the alert was deleted.' }),
  alert_name: z.string(),
  kind: z.enum(alertKindNames),
  severity: z.enum(severities),
  state: z.enum(incidentStates),
  says: z.string().meta({ description: 'What is the matter, as a sentence.' }),
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
  began_at: time.meta({ description: 'When it began to be so.' }),
  fired_at: time.nullable().meta({ description: 'When it had been so for long enough.' }),
  told_at: time.nullable().meta({ description: 'When somebody was last told; null while it was quiet.' }),
  muted_until: time.nullable(),
  resolved_at: time.nullable(),
  resolved_why: z.string().nullable(),
})

export const listIncidents = endpoint('GET /v1/incidents', {
  access: 'notifications.read',
  summary: 'What fires, and what did, newest first',
  query: z.strictObject({
    ...pageQuery,
    state: z.enum(incidentStates).optional(),
    alert_id: givenId('alert').optional(),
    server_id: givenId('server').optional(),
    application_id: givenId('application').optional(),
    q: text(100).optional(),
  }),
  reply: listOf('incidents', incident),
})

const incidentParams = z.object({ id: givenId('incident') })

export const getIncident = endpoint('GET /v1/incidents/{id}', {
  access: 'notifications.read',
  summary: 'An incident, with what it came from and whom it was told to',
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
  summary: 'Repeat nothing of this incident for a while; that it is over is still told',
  params: incidentParams,
  body: mute,
  reply: z.object({ incident }),
})
