import { z } from 'zod'
import { alertKindNames, alertScopes, severities } from './shared/alert-kinds.ts'
import { endpoint } from './endpoint.ts'
import { givenId, givenTime, id, name, text, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'
import { DAY, seconds } from './shared/seconds.ts'

const clock = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'Must be a time of day, such as 02:30.' })

const wrongDay = { error: 'Must be a day of the week: 0 for Sunday, 6 for Saturday.' }
const day = z.number(wrongDay).int(wrongDay).min(0, wrongDay).max(6, wrongDay)

/** When an alert stays quiet. */
export const maintenanceWindow = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('weekly'),
    days: z
      .array(day, { error: 'Must be days of the week, 0 for Sunday.' })
      .min(1, { error: 'Needs a day at least.' })
      .max(7, { error: 'Must be at most 7 days.' }),
    from: clock,
    to: clock.meta({ description: 'Before `from` means: on the day after.' }),
    timezone: text(64, 1).meta({ description: 'Such as Europe/Berlin.' }),
  }),
  z.strictObject({ kind: z.literal('once'), from: givenTime, to: givenTime }),
])

/** What the answer of an address has to be. */
export const httpCheck = z.strictObject({
  path: text(500).regex(/^\//, { error: 'Must begin with a slash.' }).default('/'),
  status: text(200)
    .regex(/^(?:[1-5](?:\d\d|xx))(?:, ?[1-5](?:\d\d|xx))*$/, {
      error: 'Must be statuses, such as 200 or 2xx, 3xx.',
    })
    .default('2xx, 3xx'),
  latency_ms: z
    .number({ error: 'Must be a number of milliseconds.' })
    .int({ error: 'Must be a whole number of milliseconds.' })
    .min(1, { error: 'Must be at least 1.' })
    .max(30_000, { error: 'Must be at most 30000.' })
    .nullable()
    .default(null)
    .meta({ description: 'An answer that takes longer is a bad one.' }),
  contains: text(500).default('').meta({ description: 'Text that the answer must hold.' }),
  every_seconds: seconds(10, 3600).default(30),
})

/** What of a workspace an alert looks at. A container is named: its id changes whenever it is made anew. */
const scope = z.object({
  kind: z.enum(alertScopes),
  id: z.string().nullable(),
  name: z.string().nullable().meta({ description: 'Of what it is narrowed to; null when that is gone.' }),
  container: z
    .string()
    .nullable()
    .meta({ description: 'The name of the container, on the server of the id.' }),
})

export const alert = z.object({
  id: id('alert'),
  name: z.string(),
  kind: z.enum(alertKindNames),
  enabled: z.boolean(),
  severity: z.enum(severities),
  state: z.enum(['ok', 'pending', 'firing', 'muted', 'off']).meta({
    description:
      'The worst of its incidents; muted while it is quiet, and off while it is, whatever they are.',
  }),
  firing: z.number().int().meta({ description: 'How many incidents of it fire now.' }),
  comparison: z.enum(['above', 'below']).nullable(),
  threshold: z.number().nullable(),
  clear_threshold: z
    .number()
    .nullable()
    .meta({ description: 'It is over only beyond this: so a value around the threshold does not flap.' }),
  for_seconds: z.number().int().meta({ description: 'How long it must be so before anybody is told.' }),
  clear_seconds: z.number().int().meta({ description: 'How long it must be well again before it is over.' }),
  window_seconds: z.number().int().nullable().meta({ description: 'How far back it counts.' }),
  cooldown_seconds: z
    .number()
    .int()
    .meta({ description: 'When the same begins again within so long, nobody is told again.' }),
  repeat_seconds: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'While it lasts it is told again after so long; null for never.' }),
  check: httpCheck.nullable(),
  scope,
  channels: z
    .array(id('notification'))
    .nullable()
    .meta({ description: 'Null for all channels that take alerts, those to come too.' }),
  muted_until: time.nullable(),
  windows: z.array(maintenanceWindow),
  quiet_until: time
    .nullable()
    .meta({ description: 'Muted or in a maintenance window until then; null when it is not quiet.' }),
  created_at: time,
  updated_at: time,
})

const givenScope = z.strictObject({
  kind: z.enum(alertScopes, { error: 'Must be all, server, project, application or container.' }),
  id: text(64).nullable().default(null).meta({ description: 'Of a container: that of its server.' }),
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
  channels: z.array(givenId('notification')).max(50, { error: 'Must be at most 50 channels.' }).nullable(),
  windows: z.array(maintenanceWindow).max(20, { error: 'Must be at most 20 windows.' }),
}

const params = z.object({ id: givenId('alert') })
const reply = z.object({ alert })

export const listAlerts = endpoint('GET /v1/alerts', {
  access: 'notifications.read',
  summary: 'The alerts of the workspace: what is looked at, and how it is',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: listOf('alerts', alert),
})

export const createAlert = endpoint('POST /v1/alerts', {
  access: 'alerts.manage',
  summary: 'Make an alert; what is not given is as usual for its kind',
  body: z.strictObject({ kind, ...z.strictObject(fields).partial().shape, name: fields.name }),
  reply,
  status: 201,
  idempotent: true,
})

export const getAlert = endpoint('GET /v1/alerts/{id}', {
  access: 'notifications.read',
  summary: 'An alert',
  params,
  reply,
})

export const updateAlert = endpoint('PUT /v1/alerts/{id}', {
  access: 'alerts.manage',
  summary: 'Change an alert; what is not given stays. Its kind stays as well',
  params,
  body: z.strictObject(fields).partial(),
  reply,
})

export const deleteAlert = endpoint('DELETE /v1/alerts/{id}', {
  access: 'alerts.manage',
  summary: 'Delete an alert; what fires of it is over, its history stays',
  params,
  reply: success,
})

export const mute = z.strictObject({
  seconds: seconds(60, 30 * DAY)
    .nullable()
    .meta({ description: 'From now on; null to be told again.' }),
})

export const muteAlert = endpoint('POST /v1/alerts/{id}/mute', {
  access: 'alerts.manage',
  open: true,
  summary: 'Begin nothing and repeat nothing for a while; what was begun is still told to be over',
  params,
  body: mute,
  reply,
})

export const previewAlert = endpoint('POST /v1/alerts/preview', {
  access: 'notifications.read',
  open: true,
  summary: 'What the last day looked like to an alert: its values, and when it would have begun',
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
      step_seconds: z.number().int(),
      subjects: z.number().int().meta({ description: 'How many things the alert would look at.' }),
      begins: z
        .number()
        .int()
        .nullable()
        .meta({ description: 'How often it would have begun; null if nobody knows.' }),
      series: z
        .array(
          z.object({
            id: z.string(),
            name: z.string(),
            points: z.array(z.object({ at: time, value: z.number() })),
            begins: z.array(time).meta({ description: 'When it would have begun.' }),
          }),
        )
        .meta({ description: 'At most five, those nearest to the threshold first.' }),
    }),
  }),
  limit: 120,
})
