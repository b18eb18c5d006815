import { z } from 'zod'
import { auditEntry } from './audit.ts'
import { endpoint } from './endpoint.ts'
import { givenId, id, text, time } from './shared/ids.ts'
import { instanceSettings } from './shared/instance-settings.ts'
import { listOf, pageQuery, success } from './shared/page.ts'
import { roles } from './shared/permissions.ts'
import { serverStatuses } from './servers.ts'

const health = z.object({
  ok: z.boolean(),
  problem: z.string().nullable().meta({ description: 'What is wrong, and what to do.' }),
})

const settingOf = <S extends z.ZodType>(value: S) =>
  z.object({
    value,
    source: z
      .enum(['environment', 'stored', 'default'])
      .meta({ description: 'The environment wins over what is stored.' }),
    variable: z
      .string()
      .nullable()
      .meta({ description: 'The environment variable by which it can be set, if there is one.' }),
  })

export const settings = z.object({
  signup: settingOf(z.enum(['open', 'invite'])),
  smtp_url: settingOf(
    z.string().nullable().meta({ description: 'Without its password. Null while no mail is sent.' }),
  ),
  mail_from: settingOf(z.string()),
  acme_url: settingOf(z.string()),
  private_servers: settingOf(z.boolean()),
  allowed_networks: settingOf(z.array(z.string())),
  workspaces_per_user: settingOf(z.number().int()),
  invites_per_user_per_day: settingOf(z.number().int()),
  invites_per_instance_per_day: settingOf(z.number().int()),
  account_mails_per_instance_per_day: settingOf(z.number().int()),
  certificate_orders_per_workspace_per_hour: settingOf(z.number().int()),
})

export const getInstance = endpoint('GET /v1/instance', {
  access: 'instance',
  summary: 'Version, health and size of this Slipway',
  reply: z.object({
    instance: z.object({
      version: z.string(),
      public_url: z.string(),
      started_at: time.meta({ description: 'When the process that answers was started.' }),
      health: z.object({ database: health, worker: health, mail: health }),
      counts: z.object({
        users: z.number().int(),
        workspaces: z.number().int(),
        servers: z.number().int(),
        applications: z.number().int(),
      }),
    }),
  }),
})

export const getInstanceSettings = endpoint('GET /v1/instance/settings', {
  access: 'instance',
  summary: 'The settings of this Slipway, and where each comes from',
  reply: z.object({ settings }),
})

const optionalSettings = Object.fromEntries(
  Object.entries(instanceSettings).map(([name, schema]) => [name, schema.nullable().optional()]),
)

export const updateInstanceSettings = endpoint('PUT /v1/instance/settings', {
  access: 'instance',
  summary:
    'Change settings; those that are left out stay, null restores the default. Settings from the environment cannot be changed here',
  // The same names, each optional: the compiler cannot see through `fromEntries`.
  body: z.strictObject(
    optionalSettings as {
      [K in keyof typeof instanceSettings]: z.ZodOptional<z.ZodNullable<(typeof instanceSettings)[K]>>
    },
  ),
  reply: z.object({ settings }),
})

export const testInstanceMail = endpoint('POST /v1/instance/mail/test', {
  access: 'instance',
  summary: 'Send a mail to your own address; a failure has the words of the mail server',
  reply: z.object({ success: z.literal(true), to: z.string() }),
  limit: 20,
})

export const instanceUser = z.object({
  id: id('user'),
  name: z.string(),
  email: z.string(),
  instance_owner: z.boolean(),
  locked_at: time.nullable(),
  two_factor: z.boolean(),
  last_seen_at: time.nullable().meta({ description: 'Of the latest session that has not ended.' }),
  sessions: z.number().int(),
  api_tokens: z.number().int(),
  workspaces: z.array(z.object({ id: id('workspace'), name: z.string(), role: z.enum(roles) })),
  created_at: time,
})

const searched = z.strictObject({ ...pageQuery, q: text(100).optional() })

export const listInstanceUsers = endpoint('GET /v1/instance/users', {
  access: 'instance',
  summary: 'Everybody with an account, by email address',
  query: searched,
  reply: listOf('users', instanceUser),
})

const ofUser = z.strictObject({ id: givenId('user') })

export const updateInstanceUser = endpoint('PUT /v1/instance/users/{id}', {
  access: 'instance',
  summary:
    'Make somebody an instance owner or take that from them; lock or unlock their account. Not your own, and not the last instance owner',
  params: ofUser,
  body: z.strictObject({ instance_owner: z.boolean().optional(), locked: z.boolean().optional() }),
  reply: z.object({ user: instanceUser }),
})

export const endInstanceUserAccess = endpoint('POST /v1/instance/users/{id}/end-access', {
  access: 'instance',
  summary: 'End all sessions of a person and revoke all their API tokens',
  params: ofUser,
  reply: z.object({ user: instanceUser }),
})

export const deleteInstanceUser = endpoint('DELETE /v1/instance/users/{id}', {
  access: 'instance',
  summary: 'Delete an account. Refused while it is the last owner of a workspace',
  params: ofUser,
  body: z.strictObject({ email: text(254).meta({ description: 'The email address, to be sure.' }) }),
  reply: success,
})

export const instanceWorkspace = z.object({
  id: id('workspace'),
  name: z.string(),
  locked_at: time.nullable(),
  owners: z.array(z.object({ id: id('user'), name: z.string(), email: z.string() })),
  members: z.number().int(),
  servers: z.number().int(),
  applications: z.number().int(),
  created_at: time,
})

export const listInstanceWorkspaces = endpoint('GET /v1/instance/workspaces', {
  access: 'instance',
  summary: 'All workspaces, by name',
  query: searched,
  reply: listOf('workspaces', instanceWorkspace),
})

const ofWorkspace = z.strictObject({ id: givenId('workspace') })

export const updateInstanceWorkspace = endpoint('PUT /v1/instance/workspaces/{id}', {
  access: 'instance',
  summary:
    'Lock or unlock a workspace. Members of a locked one can only leave it; its applications keep running',
  params: ofWorkspace,
  body: z.strictObject({ locked: z.boolean() }),
  reply: z.object({ workspace: instanceWorkspace }),
})

export const deleteInstanceWorkspace = endpoint('DELETE /v1/instance/workspaces/{id}', {
  access: 'instance',
  summary:
    'Delete a workspace and all that is in it. Refused while it has applications, unless it is locked: what runs on its servers keeps running then',
  params: ofWorkspace,
  body: z.strictObject({ name: text(100).meta({ description: "The workspace's name, to be sure." }) }),
  reply: success,
})

export const thisMachine = z.object({
  offered: z.boolean().meta({ description: 'Whether the machine that Slipway runs on can be added.' }),
  problem: z.string().nullable().meta({ description: 'Why it cannot be added.' }),
  server: z
    .object({
      id: id('server'),
      name: z.string(),
      status: z.enum(serverStatuses),
      workspace: z.object({ id: id('workspace'), name: z.string() }),
    })
    .nullable()
    .meta({ description: 'The server that it is, once an instance owner has turned it on.' }),
  workspaces: z
    .array(z.object({ id: id('workspace'), name: z.string() }))
    .meta({ description: 'Those that you own: it can be given to one of them.' }),
})

export const getThisMachine = endpoint('GET /v1/instance/this-machine', {
  access: 'instance',
  summary: 'Whether the machine that Slipway runs on is a server, and of which workspace',
  reply: z.object({ this_machine: thisMachine }),
})

export const enableThisMachine = endpoint('POST /v1/instance/this-machine', {
  access: 'instance',
  summary: 'Add the machine that Slipway runs on to a workspace that you own',
  body: z.strictObject({ workspace_id: givenId('workspace') }),
  reply: z.object({ this_machine: thisMachine }),
  status: 201,
})

export const disableThisMachine = endpoint('DELETE /v1/instance/this-machine', {
  access: 'instance',
  summary: 'Remove the machine that Slipway runs on from its workspace. Refused while applications run on it',
  reply: z.object({ this_machine: thisMachine }),
})

export const listInstanceAudit = endpoint('GET /v1/instance/audit', {
  access: 'instance',
  summary: 'What was changed about this Slipway itself, by whom, when and from where; newest first',
  query: searched,
  reply: listOf('entries', auditEntry),
})
