import { z } from 'zod'
import { alertKindNames, alertScopes, severities } from './shared/alert-kinds.ts'
import { endpoint } from './endpoint.ts'
import { idInput, id } from './shared/ids.ts'
import { timeInput, name, text, time } from './shared/text-fields.ts'
import { pagedList, pageQuery, success } from './shared/replies.ts'
import { DAY, seconds } from './shared/seconds.ts'

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'Must be a time of day, such as 02:30.' })

const wrongDay = { error: 'Must be a day of the week: 0 for Sunday, 6 for Saturday.' }
const day = z.number(wrongDay).int(wrongDay).min(0, wrongDay).max(6, wrongDay)

export const maintenanceWindow = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('weekly'),
    days: z
      .array(day, { error: 'Must be days of the week, 0 for Sunday.' })
      .min(1, { error: 'Select at least one day.' })
      .max(7, { error: 'Must have at most 7 days.' }),
    from: clock,
    to: clock.describe('A time before `from` is on the next day.'),
    timezone: text(64, 1).describe('IANA time zone, such as Europe/Berlin.'),
  }),
  z.strictObject({ kind: z.literal('once'), from: timeInput, to: timeInput }),
])

export const httpCheck = z.strictObject({
  path: text(500).regex(/^\//, { error: 'Must begin with a slash.' }).default('/'),
  status: text(200)
    .regex(/^(?:[1-5](?:\d\d|xx))(?:, ?[1-5](?:\d\d|xx))*$/, {
      error: 'Must be HTTP status codes or classes, such as 200 or 2xx, 3xx.',
    })
    .default('2xx, 3xx'),
  latency_ms: z
    .number({ error: 'Must be a number of milliseconds.' })
    .int({ error: 'Must be a whole number of milliseconds.' })
    .min(1, { error: 'Must be at least 1.' })
    .max(30_000, { error: 'Must be at most 30000.' })
    .nullable()
    .default(null)
    .describe('A slower response fails the check.'),
  contains: text(500).default('').describe('Text that the response must contain.'),
  every_seconds: seconds(10, 3600).default(30),
})

/** Alerts reference a container by name, because its ID changes when the container is recreated. */
const scope = z.object({
  kind: z.enum(alertScopes),
  id: z.string().nullable(),
  name: z.string().nullable().describe('Name of the resource; null if it was deleted.'),
  container: z.string().nullable().describe('Container name on the server `id`.'),
})

export const alert = z.object({
  id: id('alert'),
  name: z.string(),
  kind: z.enum(alertKindNames),
  enabled: z.boolean(),
  severity: z.enum(severities),
  state: z
    .enum(['ok', 'pending', 'firing', 'muted', 'off'])
    .describe(
      'State of the most severe incident. `muted`: muted or in a maintenance window. `off`: not enabled.',
    ),
  firing: z.int().describe('Number of firing incidents.'),
  comparison: z.enum(['above', 'below']).nullable(),
  threshold: z.number().nullable(),
  clear_threshold: z
    .number()
    .nullable()
    .describe(
      'Threshold at which the alert resolves. A gap between this and the trigger threshold prevents flapping.',
    ),
  for_seconds: z.int().describe('How long the condition must be met before the alert triggers.'),
  clear_seconds: z.int().describe('How long the condition must not be met before the alert resolves.'),
  window_seconds: z
    .int()
    .nullable()
    .describe('Period in which occurrences are counted; null for kinds without a period.'),
  cooldown_seconds: z
    .int()
    .describe(
      'Cooldown: no notification is sent if the alert triggers again for the same resource within this time.',
    ),
  repeat_seconds: z
    .int()
    .nullable()
    .describe('Interval of reminders while an incident is firing; null for no reminders.'),
  check: httpCheck.nullable(),
  scope,
  channels: z
    .array(id('notification'))
    .nullable()
    .describe('Channels to notify; null for all channels that receive alerts, including future ones.'),
  muted_until: time.nullable(),
  windows: z.array(maintenanceWindow),
  quiet_until: time
    .nullable()
    .describe('End of the current mute or maintenance window; null if there is none.'),
  created_at: time,
  updated_at: time,
})

const givenScope = z.strictObject({
  kind: z.enum(alertScopes, { error: 'Must be all, server, project, application or container.' }),
  id: text(64).nullable().default(null).describe('For a container: the ID of its server.'),
  container: text(255).nullable().default(null),
})

const figure = z
  .number({ error: 'Must be a number.' })
  .min(0, { error: 'Must be at least 0.' })
  .max(1_000_000, { error: 'Must be at most 1000000.' })

const kind = z.enum(alertKindNames)
const fields = {
  name: name(),
  enabled: z.boolean(),
  severity: z.enum(severities, { error: 'Must be info, warning or critical.' }),
  comparison: z.enum(['above', 'below'], { error: 'Must be above or below.' }).nullable(),
  threshold: figure.nullable(),
  clear_threshold: figure.nullable(),
  for_seconds: seconds(0, DAY),
  clear_seconds: seconds(0, DAY),
  window_seconds: seconds(60, DAY).nullable(),
  cooldown_seconds: seconds(0, 7 * DAY),
  repeat_seconds: seconds(300, 7 * DAY).nullable(),
  check: httpCheck,
  scope: givenScope,
  channels: z.array(idInput('notification')).max(50, { error: 'Must have at most 50 channels.' }).nullable(),
  windows: z.array(maintenanceWindow).max(20, { error: 'Must have at most 20 maintenance windows.' }),
}

const params = z.object({ id: idInput('alert') })
const reply = z.object({ alert })

export const listAlerts = endpoint('GET /v1/alerts', {
  access: 'notifications.read',
  summary: 'List alerts with their state',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: pagedList('alerts', alert),
})

export const createAlert = endpoint('POST /v1/alerts', {
  access: 'alerts.manage',
  summary: 'Create an alert',
  description: 'Omitted fields use the defaults of the kind.',
  body: z.strictObject({ kind, ...z.strictObject(fields).partial().shape, name: fields.name }),
  reply,
  status: 201,
  idempotent: true,
})

export const getAlert = endpoint('GET /v1/alerts/{id}', {
  access: 'notifications.read',
  summary: 'Get an alert',
  params,
  reply,
})

export const updateAlert = endpoint('PUT /v1/alerts/{id}', {
  access: 'alerts.manage',
  summary: 'Update an alert',
  description: 'Omitted fields do not change. The kind cannot change.',
  params,
  body: z.strictObject(fields).partial(),
  reply,
})

export const deleteAlert = endpoint('DELETE /v1/alerts/{id}', {
  access: 'alerts.manage',
  summary: 'Delete an alert',
  description: 'Active incidents are resolved. The history is kept.',
  params,
  reply: success,
})

export const mute = z.strictObject({
  seconds: seconds(60, 30 * DAY)
    .nullable()
    .describe('How long to mute, in seconds from now; null to unmute.'),
})

export const muteAlert = endpoint('POST /v1/alerts/{id}/mute', {
  access: 'alerts.manage',
  open: true,
  summary: 'Mute an alert',
  description: 'If a notification of an incident was already sent, its resolution is still sent.',
  params,
  body: mute,
  reply,
})

export const previewAlert = endpoint('POST /v1/alerts/preview', {
  access: 'notifications.read',
  open: true,
  summary: 'Preview an alert with data from the last 24 hours',
  body: z.strictObject({
    kind,
    ...z
      .strictObject({
        comparison: fields.comparison,
        threshold: fields.threshold,
        clear_threshold: fields.clear_threshold,
        for_seconds: fields.for_seconds,
        clear_seconds: fields.clear_seconds,
        window_seconds: fields.window_seconds,
        check: fields.check,
        scope: fields.scope,
      })
      .partial().shape,
  }),
  reply: z.object({
    preview: z.object({
      since: time,
      step_seconds: z.int(),
      subjects: z.int().describe('Number of resources in the scope of the alert.'),
      times_fired: z.int().nullable().describe('How often the alert would have triggered; null if unknown.'),
      series: z
        .array(
          z.object({
            id: z.string(),
            name: z.string(),
            points: z.array(z.object({ at: time, value: z.number() })),
            fired_at: z.array(time).describe('When the alert would have triggered.'),
          }),
        )
        .describe('The five resources closest to the threshold, closest first.'),
    }),
  }),
  limit: 120,
})
