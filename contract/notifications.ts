import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, id } from './shared/ids.ts'
import { limitedRecord, name, text, time } from './shared/text-fields.ts'
import { pagedList, pageQuery, success } from './shared/replies.ts'

export const notices = {
  alerts: { label: 'Alerts', events: { alert: 'Alert triggered or resolved, and reminders' } },
  deployments: {
    label: 'Deployments',
    events: {
      deployment_started: 'Deployment started',
      deployment_succeeded: 'Deployment succeeded',
      deployment_failed: 'Deployment failed',
      application_crashed: 'Application crashed after deploying',
    },
  },
  servers: {
    label: 'Servers',
    events: {
      server_added: 'Server added or imported',
      server_set_up: 'Server set up',
      server_set_up_failed: 'Server setup failed',
      server_creation_failed: 'Server creation failed',
      server_cloud_changed: 'Server deleted, resized, moved or turned off at its cloud provider',
      server_deleted: 'Server deleted',
    },
  },
  members: {
    label: 'Members',
    events: {
      member_invited: 'Member invited',
      member_joined: 'Member joined',
      member_role_changed: 'Member role changed',
      member_removed: 'Member removed or left',
    },
  },
  tokens: {
    label: 'Tokens',
    events: {
      token_expiring: 'API token expires within a week',
      cloud_token_refused: 'Cloud token rejected',
    },
  },
  billing: {
    label: 'Plan',
    events: {
      trial_ending: 'Trial ends soon or has ended',
      plan_changed: 'Plan chosen, changed, canceled, renewed or ended',
      plan_payment: 'Plan payment failed or recovered',
    },
  },
  channels: {
    label: 'Channels',
    events: { channel_paused: 'Another channel was paused after repeated failures' },
  },
} as const

type Notices = typeof notices
export type Notice = { [G in keyof Notices]: keyof Notices[G]['events'] }[keyof Notices]
export const noticeNames = Object.values(notices).flatMap(({ events }) => Object.keys(events)) as [
  Notice,
  ...Notice[],
]

export const channelField = z.object({
  name: z.string(),
  label: z.string(),
  help: z.string(),
  type: z.enum(['text', 'url', 'emails', 'secret', 'choice']),
  required: z.boolean(),
  placeholder: z.string(),
  choices: z.array(z.object({ value: z.string(), label: z.string() })),
  default: z.string(),
})

export const channelType = z.object({
  type: z.string(),
  name: z.string(),
  description: z.string().describe('Description, as a sentence.'),
  help: z.string().describe('How to get the values of the settings.'),
  link: z.string().nullable().describe('Documentation of the service.'),
  available: z.boolean(),
  unavailable_reason: z.string().nullable(),
  fields: z.array(channelField),
})

export const channelStates = ['ok', 'failing', 'paused', 'off'] as const

export const notification = z.object({
  id: id('notification'),
  name: z.string(),
  type: z.string(),
  enabled: z.boolean(),
  state: z
    .enum(channelStates)
    .describe(
      '`failing`: messages are retried. `paused`: sending stopped after repeated failures until the channel is resumed. `off`: not enabled.',
    ),
  reason: z.string().nullable().describe('Why the channel is failing or paused; null if it is neither.'),
  failing_since: time.nullable(),
  next_attempt_at: time.nullable(),
  queued: z.int().describe('Number of queued messages.'),
  events: z.array(z.enum(noticeNames)),
  last_sent_at: time.nullable(),
  created_at: time,
  updated_at: time,
})

const detail = notification.extend({
  settings: z
    .record(z.string(), z.string().nullable())
    .describe('Values of the settings. Secrets are null if set and empty if not set.'),
  unsent_incidents: z.int().describe('Incidents already firing when the channel was added or turned on.'),
})

const settings = limitedRecord(50, z.record(text(64, 1), text(4000).nullable())).describe(
  'Values of the fields of the type (GET /v1/notifications/types). Null keeps the current value, so settings can be sent back as received.',
)
const fields = {
  name: name(),
  enabled: z.boolean(),
  events: z.array(z.enum(noticeNames, { error: 'Must be a supported event.' })).max(50),
}
const params = z.object({ id: idInput('notification') })
const reply = z.object({ notification: detail })

export const listNotificationTypes = endpoint('GET /v1/notifications/types', {
  access: 'notifications.read',
  summary: 'List channel types and events',
  description: 'Returns the settings of each channel type and the events that a channel can receive.',
  reply: z.object({
    types: z.array(channelType),
    events: z.array(
      z.object({
        group: z.string(),
        label: z.string(),
        events: z.array(z.object({ event: z.enum(noticeNames), label: z.string() })),
      }),
    ),
  }),
})

export const listNotifications = endpoint('GET /v1/notifications', {
  access: 'notifications.read',
  summary: 'List notification channels',
  query: z.strictObject(pageQuery),
  reply: pagedList('notifications', notification),
})

export const createNotification = endpoint('POST /v1/notifications', {
  access: 'notifications.manage',
  summary: 'Create a channel',
  body: z.strictObject({
    name: fields.name,
    type: text(64, 1),
    settings: settings.default({}),
    enabled: fields.enabled.default(true),
    events: fields.events.default(['alert']),
  }),
  reply,
  status: 201,
  idempotent: true,
  limit: 30,
})

export const getNotification = endpoint('GET /v1/notifications/{id}', {
  access: 'notifications.read',
  summary: 'Get a channel with its settings, without secrets',
  params,
  reply,
})

export const updateNotification = endpoint('PUT /v1/notifications/{id}', {
  access: 'notifications.manage',
  summary: 'Update a channel',
  description: 'Omitted fields and secrets do not change.',
  params,
  body: z.strictObject({ ...fields, settings }).partial(),
  reply,
  limit: 60,
})

export const deleteNotification = endpoint('DELETE /v1/notifications/{id}', {
  access: 'notifications.manage',
  summary: 'Delete a channel and its queued messages',
  params,
  reply: success,
})

export const testNotification = endpoint('POST /v1/notifications/{id}/test', {
  access: 'notifications.manage',
  summary: 'Send a test message and return the response',
  params,
  reply: z.object({ success: z.boolean(), response: z.string() }),
  limit: 10,
})

export const resumeNotification = endpoint('POST /v1/notifications/{id}/resume', {
  access: 'notifications.manage',
  summary: 'Resume a paused or failing channel',
  description: 'Queued messages are sent immediately.',
  params,
  reply,
  limit: 30,
})

export const sendFiring = endpoint('POST /v1/notifications/{id}/send-firing', {
  access: 'notifications.manage',
  summary: 'Send firing incidents that a new channel missed, up to 200, except muted ones',
  params,
  reply: z.object({ queued: z.int().describe('Number of queued messages.') }),
  status: 202,
  limit: 30,
})

export const messageStatuses = ['waiting', 'sent', 'failed'] as const

export const message = z.object({
  id: id('message'),
  title: z.string(),
  event: z.string().describe('Event of the message; `test` for a test message.'),
  kind: z.enum(['started', 'reminder', 'over', 'happened', 'test']),
  severity: z.enum(['info', 'good', 'warning', 'critical']),
  status: z.enum(messageStatuses),
  attempts: z.int(),
  responses: z
    .array(z.object({ at: time, ok: z.boolean(), response: z.string(), duration_ms: z.int() }))
    .describe('Responses to the latest attempts, newest last.'),
  incident_id: id('incident').nullable(),
  created_at: time,
  sent_at: time.nullable(),
})

export const listMessages = endpoint('GET /v1/notifications/{id}/history', {
  access: 'notifications.read',
  summary: 'List the messages of a channel with the responses, newest first',
  params,
  query: z.strictObject({ ...pageQuery, status: z.enum(messageStatuses).optional() }),
  reply: pagedList('history', message),
})

export const resendMessage = endpoint('POST /v1/notifications/{id}/history/{mid}/send', {
  access: 'notifications.manage',
  summary: 'Resend a failed message',
  params: params.extend({ mid: idInput('message') }),
  reply: z.object({ message }),
  status: 202,
  limit: 60,
})
