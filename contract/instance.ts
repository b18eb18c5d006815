import { z } from 'zod'
import { auditEntry } from './audit.ts'
import { endpoint } from './endpoint.ts'
import { id, idInput, reference } from './shared/ids.ts'
import { text, time } from './shared/text-fields.ts'
import { instanceSettings } from './shared/instance-settings.ts'
import { pagedList, pageQuery, success } from './shared/replies.ts'
import { roles } from './shared/permissions.ts'
import { serverStatuses } from './servers.ts'

const health = z.object({
  ok: z.boolean(),
  problem: z.string().nullable().describe('Reason for the failure and what to do.'),
})

const settingSchema = <S extends z.ZodType>(value: S) =>
  z.object({
    value,
    source: z
      .enum(['environment', 'stored', 'default'])
      .describe('Source of the value. Environment variables take precedence over stored values.'),
    variable: z.string().nullable().describe('Environment variable of this setting; null if there is none.'),
  })

export const settings = z.object({
  signup: settingSchema(z.enum(['open', 'invite'])),
  smtp_url: settingSchema(
    z.string().nullable().describe('URL without the password; null if no email server is configured.'),
  ),
  mail_from: settingSchema(z.string()),
  acme_url: settingSchema(z.string()),
  private_servers: settingSchema(z.boolean()),
  allowed_networks: settingSchema(z.array(z.string())),
  workspaces_per_user: settingSchema(z.int()),
  invites_per_user_per_day: settingSchema(z.int()),
  invites_per_instance_per_day: settingSchema(z.int()),
  account_mails_per_instance_per_day: settingSchema(z.int()),
  certificate_orders_per_workspace_per_hour: settingSchema(z.int()),
})

export const getInstance = endpoint('GET /v1/instance', {
  access: 'instance',
  summary: 'Get the version, health and counts of this instance',
  reply: z.object({
    instance: z.object({
      version: z.string(),
      public_url: z.string(),
      started_at: time.describe('When the responding process started.'),
      health: z.object({ database: health, worker: health, mail: health }),
      counts: z.object({
        users: z.int(),
        workspaces: z.int(),
        servers: z.int(),
        applications: z.int(),
      }),
    }),
  }),
})

export const getInstanceSettings = endpoint('GET /v1/instance/settings', {
  access: 'instance',
  summary: 'Get the instance settings and their sources',
  reply: z.object({ settings }),
})

const optionalSettings = Object.fromEntries(
  Object.entries(instanceSettings).map(([name, schema]) => [name, schema.nullable().optional()]),
)

export const updateInstanceSettings = endpoint('PUT /v1/instance/settings', {
  access: 'instance',
  summary: 'Update instance settings',
  description: 'Null restores the default. Settings from environment variables cannot be changed.',
  // The assertion adds the names and types of the settings, which `fromEntries` loses.
  body: z.strictObject(
    optionalSettings as {
      [K in keyof typeof instanceSettings]: z.ZodOptional<z.ZodNullable<(typeof instanceSettings)[K]>>
    },
  ),
  reply: z.object({ settings }),
})

export const testInstanceMail = endpoint('POST /v1/instance/mail/test', {
  access: 'instance',
  summary: 'Send a test email to your own address',
  description: 'Errors include the response of the email server.',
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
  last_seen_at: time.nullable().describe('Last activity of an active session; null if there is none.'),
  sessions: z.int(),
  api_tokens: z.int(),
  workspaces: z.array(z.object({ id: id('workspace'), name: z.string(), role: z.enum(roles) })),
  created_at: time,
})

const searched = z.strictObject({ ...pageQuery, q: text(100).optional() })

export const listInstanceUsers = endpoint('GET /v1/instance/users', {
  access: 'instance',
  summary: 'List all users, sorted by email address',
  query: searched,
  reply: pagedList('users', instanceUser),
})

const ofUser = z.strictObject({ id: idInput('user') })

export const updateInstanceUser = endpoint('PUT /v1/instance/users/{id}', {
  access: 'instance',
  summary: 'Update a user',
  description: 'Grants or revokes instance ownership, or locks or unlocks the account.',
  params: ofUser,
  body: z.strictObject({ instance_owner: z.boolean().optional(), locked: z.boolean().optional() }),
  reply: z.object({ user: instanceUser }),
})

export const endInstanceUserAccess = endpoint('POST /v1/instance/users/{id}/end-access', {
  access: 'instance',
  summary: 'Revoke all sessions and API tokens of a user',
  params: ofUser,
  reply: z.object({ user: instanceUser }),
})

export const deleteInstanceUser = endpoint('DELETE /v1/instance/users/{id}', {
  access: 'instance',
  summary: 'Delete a user',
  description: 'The only owner of a workspace cannot be deleted.',
  params: ofUser,
  body: z.strictObject({
    email: text(254).describe('The email address of the user, as confirmation.'),
  }),
  reply: success,
})

export const instanceWorkspace = z.object({
  id: id('workspace'),
  name: z.string(),
  locked_at: time.nullable(),
  owners: z.array(z.object({ id: id('user'), name: z.string(), email: z.string() })),
  members: z.int(),
  servers: z.int(),
  applications: z.int(),
  created_at: time,
})

export const listInstanceWorkspaces = endpoint('GET /v1/instance/workspaces', {
  access: 'instance',
  summary: 'List all workspaces, sorted by name',
  query: searched,
  reply: pagedList('workspaces', instanceWorkspace),
})

const ofWorkspace = z.strictObject({ id: idInput('workspace') })

export const updateInstanceWorkspace = endpoint('PUT /v1/instance/workspaces/{id}', {
  access: 'instance',
  summary: 'Lock or unlock a workspace',
  description: 'Members of a locked workspace can only leave it. Its applications keep running.',
  params: ofWorkspace,
  body: z.strictObject({ locked: z.boolean() }),
  reply: z.object({ workspace: instanceWorkspace }),
})

export const deleteInstanceWorkspace = endpoint('DELETE /v1/instance/workspaces/{id}', {
  access: 'instance',
  summary: 'Delete a workspace and everything in it',
  description: 'A workspace with applications must be locked first; their containers then keep running.',
  params: ofWorkspace,
  body: z.strictObject({
    name: text(100).describe('The name of the workspace, as confirmation.'),
  }),
  reply: success,
})

export const thisMachine = z.object({
  offered: z.boolean().describe('Whether the machine that Slipway runs on can be added as a server.'),
  problem: z.string().nullable().describe('Why the machine cannot be added; null if it can.'),
  server: z
    .object({
      id: id('server'),
      name: z.string(),
      status: z.enum(serverStatuses),
      workspace: reference('workspace'),
    })
    .nullable()
    .describe('Server of this machine; null until an instance owner adds it.'),
  workspaces: z.array(reference('workspace')).describe('Workspaces that you can add the machine to.'),
})

export const getThisMachine = endpoint('GET /v1/instance/this-machine', {
  access: 'instance',
  summary: 'Get the state of This machine',
  description: 'Returns the server and workspace of this machine, or why it cannot be added.',
  reply: z.object({ this_machine: thisMachine }),
})

export const enableThisMachine = endpoint('POST /v1/instance/this-machine', {
  access: 'instance',
  summary: 'Add the machine that Slipway runs on to a workspace that you own',
  body: z.strictObject({ workspace_id: idInput('workspace') }),
  reply: z.object({ this_machine: thisMachine }),
  status: 201,
})

export const disableThisMachine = endpoint('DELETE /v1/instance/this-machine', {
  access: 'instance',
  summary: 'Remove the machine that Slipway runs on from its workspace',
  description: 'Not possible while the machine has applications.',
  reply: z.object({ this_machine: thisMachine }),
})

export const listInstanceAudit = endpoint('GET /v1/instance/audit', {
  access: 'instance',
  summary: 'List the audit log of the instance, newest first',
  query: searched,
  reply: pagedList('entries', auditEntry),
})

const hostName = z.object({
  host: z.string(),
  workspace: reference('workspace'),
  verified_at: time.nullable().describe('When the workspace proved ownership; null until then.'),
  created_at: time,
})

export const listHostNames = endpoint('GET /v1/instance/host-names', {
  access: 'instance',
  summary: 'List the host names of all workspaces',
  query: z.strictObject({ ...pageQuery, q: text(253).optional() }),
  reply: pagedList('host_names', hostName),
})

export const releaseHostName = endpoint('DELETE /v1/instance/host-names/{host}', {
  access: 'instance',
  summary: 'Release a host name from its workspace',
  description:
    'Stops routing its domains and deletes its certificate. The next workspace must prove ownership.',
  params: z.object({ host: text(255, 1).trim().toLowerCase() }),
  reply: success,
})
