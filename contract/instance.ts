import { z } from 'zod'
import { auditEntry } from './audit.ts'
import { endpoint } from './endpoint.ts'
import { text, time } from './ids.ts'
import { instanceSettings } from './instance-settings.ts'
import { listOf, pageQuery } from './page.ts'

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

export const listInstanceAudit = endpoint('GET /v1/instance/audit', {
  access: 'instance',
  summary: 'What was changed about this Slipway itself, by whom, when and from where; newest first',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: listOf('entries', auditEntry),
})
