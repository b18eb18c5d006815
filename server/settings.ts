import type { z } from 'zod'
import { instanceSettings as shapes, type SettingName } from '../contract/shared/instance-settings.ts'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import type { Bus } from './platform/bus.ts'
import { InvalidatedCache } from './platform/cache.ts'
import type { Db } from './tables.ts'

type Values = { [K in SettingName]: z.output<(typeof shapes)[K]> }

/** The effective settings: from the environment, otherwise as stored by instance owners, otherwise the default. */
export interface Settings {
  /** Who can sign up after the first account, which needs no invite. */
  signup: 'open' | 'invite'
  smtpUrl: string | undefined
  mailFrom: string
  acmeUrl: string
  privateServers: boolean
  /** Loopback, link-local or private ranges that Slipway may connect to on behalf of users. */
  allowedNetworks: string[]
  limits: Limits
}

export interface Limits {
  workspacesPerUser: number
  invitesPerUserPerDay: number
  invitesPerInstancePerDay: number
  accountMailsPerInstancePerDay: number
  certificateOrdersPerWorkspacePerHour: number
}

const fromEnvironment: { [K in SettingName]?: [keyof Config, (config: Config) => Values[K] | undefined] } = {
  signup: ['SIGNUP', (config) => config.SIGNUP],
  smtp_url: ['SMTP_URL', (config) => config.SMTP_URL],
  mail_from: ['MAIL_FROM', (config) => config.MAIL_FROM],
  acme_url: ['ACME_URL', (config) => config.ACME_URL],
  private_servers: [
    'PRIVATE_SERVERS',
    ({ PRIVATE_SERVERS }) => (PRIVATE_SERVERS === undefined ? undefined : PRIVATE_SERVERS === 'allow'),
  ],
  allowed_networks: ['OUTBOUND_NETWORKS', (config) => config.OUTBOUND_NETWORKS],
}

const defaults = ({ signup }: Partial<Values>): Partial<Values> => ({
  signup: 'invite',
  mail_from: 'Slipway <slipway@localhost>',
  acme_url: 'https://acme-v02.api.letsencrypt.org/directory',
  // Invited users may reach the network around Slipway. With open signup, strangers may not.
  private_servers: signup !== 'open',
  allowed_networks: [],
  workspaces_per_user: 5,
  invites_per_user_per_day: 50,
  invites_per_instance_per_day: 500,
  account_mails_per_instance_per_day: 500,
  certificate_orders_per_workspace_per_hour: 20,
})

type Scope = Pick<Context, 'settingsCache' | 'db' | 'config' | 'secrets'>

export async function getSettings(ctx: Scope): Promise<Settings> {
  const { value: all } = await readSettings(ctx)
  return {
    signup: all.signup,
    smtpUrl: all.smtp_url,
    mailFrom: all.mail_from,
    acmeUrl: all.acme_url,
    privateServers: all.private_servers,
    allowedNetworks: all.allowed_networks,
    limits: {
      workspacesPerUser: all.workspaces_per_user,
      invitesPerUserPerDay: all.invites_per_user_per_day,
      invitesPerInstancePerDay: all.invites_per_instance_per_day,
      accountMailsPerInstancePerDay: all.account_mails_per_instance_per_day,
      certificateOrdersPerWorkspacePerHour: all.certificate_orders_per_workspace_per_hour,
    },
  }
}

export type SettingSource = 'environment' | 'stored' | 'default'

type InForce = Omit<Values, 'smtp_url'> & { smtp_url: string | undefined }

export async function readSettings(ctx: Scope) {
  const stored = await ctx.settingsCache.get('all', async () => ({
    value: await readStored(ctx),
    until: Number.POSITIVE_INFINITY,
  }))
  const environment = Object.fromEntries(
    Object.entries(fromEnvironment).flatMap(([name, [, read]]) => {
      const value = read(ctx.config)
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const settings = { ...stored, ...environment }
  // The types match: defaults cover every setting except the mail server, and stored values were validated when they
  // were read.
  const value = { ...defaults(settings), ...settings } as InForce
  const sourceOf = (name: SettingName): SettingSource =>
    name in environment ? 'environment' : name in stored ? 'stored' : 'default'
  return { value, sourceOf }
}

export const settingVariable = (name: SettingName): string | undefined => fromEnvironment[name]?.[0]

export const createSettingsCache = (bus: Bus) => new InvalidatedCache<Partial<Values>>(bus, 'settings')

const valueLocation = (name: string) => `instance_settings.value_sealed:${name}`

async function readStored({ db, secrets }: Scope): Promise<Partial<Values>> {
  const rows = await db.selectFrom('instance_settings').selectAll().execute()
  const entries = rows.flatMap(({ name, value, value_sealed }) => {
    if (!isSetting(name)) return []
    const read = shapes[name].safeParse(
      value_sealed ? secrets.open(valueLocation(name), value_sealed) : value,
    )
    return read.success ? [[name, read.data] as const] : []
  })
  return Object.fromEntries(entries)
}

const isSetting = (name: string): name is SettingName => Object.hasOwn(shapes, name)

export async function storeSetting(
  { secrets }: Pick<Scope, 'secrets'>,
  db: Db,
  name: SettingName,
  value: unknown,
): Promise<void> {
  if (value === null || value === undefined) {
    await db.deleteFrom('instance_settings').where('name', '=', name).execute()
    return
  }
  // The URL is sealed, because it contains the password of the mail server.
  const row =
    name === 'smtp_url' && typeof value === 'string'
      ? { value: null, value_sealed: secrets.seal(valueLocation(name), value) }
      : { value: JSON.stringify(value), value_sealed: null }
  await db
    .insertInto('instance_settings')
    .values({ name, ...row })
    .onConflict((on) => on.column('name').doUpdateSet({ ...row, updated_at: new Date() }))
    .execute()
}
