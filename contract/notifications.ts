import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { givenId, id, limited, name, text, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'

/** What a channel can be told of: by group, each with the words for a form. */
export const notices = {
  alerts: { label: 'Alerts', events: { alert: 'An alert begins, lasts or is over' } },
  deployments: {
    label: 'Deployments',
    events: {
      deployment_started: 'A deployment started',
      deployment_succeeded: 'A deployment succeeded',
      deployment_failed: 'A deployment failed',
      application_died: 'An application died soon after its deployment',
    },
  },
  servers: {
    label: 'Servers',
    events: {
      server_added: 'A server was added or imported',
      server_set_up: 'A server was set up',
      server_set_up_failed: 'A server could not be set up',
      server_creation_failed: 'A server could not be made at a cloud',
      server_cloud_changed: 'A server was deleted, resized, moved or switched off at its cloud',
      server_deleted: 'A server was deleted',
    },
  },
  members: {
    label: 'Members',
    events: {
      member_invited: 'Somebody was invited',
      member_joined: 'Somebody joined',
      member_role_changed: 'Somebody got another role',
      member_removed: 'Somebody was removed or left',
    },
  },
  tokens: {
    label: 'Tokens',
    events: {
      token_expiring: 'An API token expires within a week',
      cloud_token_refused: 'A cloud no longer takes the token of its account',
    },
  },
  billing: {
    label: 'Plan',
    events: {
      trial_ending: 'The trial ends soon, or has ended',
      plan_changed: 'A plan was chosen, changed, cancelled or renewed, or has ended',
      plan_payment: 'A payment for the plan failed, or was made after all',
    },
  },
  channels: {
    label: 'Channels',
    events: { channel_paused: 'Another channel was paused, as nothing gets through' },
  },
} as const

type Notices = typeof notices
export type Notice = { [G in keyof Notices]: keyof Notices[G]['events'] }[keyof Notices]
export const noticeNames = Object.values(notices).flatMap(({ events }) => Object.keys(events)) as [
  Notice,
  ...Notice[],
]

/** One field of the settings of a type of channel, as a form shows it. */
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
  says: z.string().meta({ description: 'What it is, in a sentence.' }),
  help: z.string().meta({ description: 'How to get what its settings ask for.' }),
  link: z.string().nullable().meta({ description: 'Where its own documentation tells more.' }),
  available: z.boolean(),
  why_not: z.string().nullable(),
  fields: z.array(channelField),
})

export const channelStates = ['ok', 'failing', 'paused', 'off'] as const

export const notification = z.object({
  id: id('notification'),
  name: z.string(),
  type: z.string(),
  enabled: z.boolean(),
  state: z.enum(channelStates).meta({
    description:
      '`failing`: it is tried again and again; `paused`: it was given up, until somebody takes it up again; `off`: not enabled.',
  }),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Why it is failing or paused, in the words of the receiver.' }),
  failing_since: time.nullable(),
  next_try_at: time.nullable(),
  waiting: z.number().int().meta({ description: 'How many messages wait to be sent.' }),
  events: z.array(z.enum(noticeNames)),
  last_sent_at: time.nullable(),
  created_at: time,
  updated_at: time,
})

const detail = notification.extend({
  settings: z
    .record(z.string(), z.string().nullable())
    .meta({ description: 'Null for a secret that is set; an empty one is not.' }),
})

const settings = limited(50, z.record(text(64, 1), text(4000).nullable())).meta({
  description:
    'By the fields of its type (GET /v1/notifications/types). Null leaves one as it is, so that settings can be sent back as they came.',
})
const fields = {
  name: name(),
  enabled: z.boolean(),
  events: z.array(z.enum(noticeNames, { error: 'Must be something that a channel can be told of.' })).max(50),
}
const params = z.object({ id: givenId('notification') })
const reply = z.object({ notification: detail })

export const listNotificationTypes = endpoint('GET /v1/notifications/types', {
  access: 'notifications.read',
  summary: 'The types of channels, with the settings of each, and what a channel can be told of',
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
  summary: 'The channels that alerts and notifications are sent through',
  query: z.strictObject(pageQuery),
  reply: listOf('notifications', notification),
})

export const createNotification = endpoint('POST /v1/notifications', {
  access: 'notifications.manage',
  summary: 'Add a channel',
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
  summary: 'A channel, with its settings; never its secrets',
  params,
  reply,
})

export const updateNotification = endpoint('PUT /v1/notifications/{id}', {
  access: 'notifications.manage',
  summary: 'Change a channel; what is not given stays, secrets too',
  params,
  body: z.strictObject({ ...fields, settings }).partial(),
  reply,
  limit: 60,
})

export const deleteNotification = endpoint('DELETE /v1/notifications/{id}', {
  access: 'notifications.manage',
  summary: 'Delete a channel, with what still waits for it',
  params,
  reply: success,
})

export const testNotification = endpoint('POST /v1/notifications/{id}/test', {
  access: 'notifications.manage',
  summary: 'Send a test message now, and tell what the receiver answered',
  params,
  reply: z.object({ success: z.boolean(), answer: z.string() }),
  limit: 10,
})

export const resumeNotification = endpoint('POST /v1/notifications/{id}/resume', {
  access: 'notifications.manage',
  summary: 'Take up a channel again that was paused or waits for its next try: what waits is sent now',
  params,
  reply,
  limit: 30,
})

export const messageStatuses = ['waiting', 'sent', 'failed'] as const

export const message = z.object({
  id: id('message'),
  title: z.string(),
  event: z.string().meta({ description: 'What it tells of; `test` for a test.' }),
  kind: z.enum(['started', 'reminder', 'over', 'happened', 'test']),
  severity: z.enum(['info', 'good', 'warning', 'critical']),
  status: z.enum(messageStatuses),
  tries: z.number().int(),
  answers: z
    .array(z.object({ at: time, ok: z.boolean(), answer: z.string(), took_ms: z.number().int() }))
    .meta({ description: 'Of the latest tries, the newest last.' }),
  incident_id: id('incident').nullable(),
  created_at: time,
  sent_at: time.nullable(),
})

export const listMessages = endpoint('GET /v1/notifications/{id}/history', {
  access: 'notifications.read',
  summary: 'What was sent through a channel, newest first, with what the receiver answered each time',
  params,
  query: z.strictObject({ ...pageQuery, status: z.enum(messageStatuses).optional() }),
  reply: listOf('history', message),
})

export const resendMessage = endpoint('POST /v1/notifications/{id}/history/{mid}/send', {
  access: 'notifications.manage',
  summary: 'Send a message once more that was given up',
  params: params.extend({ mid: givenId('message') }),
  reply: z.object({ message }),
  status: 202,
  limit: 60,
})
