import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Bus } from '../../platform/bus.ts'
import { InvalidatedCache } from '../../platform/cache.ts'
import type { Trx } from '../../tables.ts'
import { deleteAppRow, findAppRow, insertAppRow } from './store.ts'

export interface GitHubApp {
  from: 'environment' | 'manifest'
  id: number
  /** URL slug; unknown for an app from the environment. */
  slug: string | undefined
  name: string | undefined
  client: OAuthClient
  webhookSecret: string
  privateKey: string
}

export interface OAuthClient {
  id: string
  secret: string
}

export const createGitHubAppCache = (bus: Bus) =>
  new InvalidatedCache<GitHubApp | undefined>(bus, 'github_app')

/** Returns the app from the environment, otherwise the one created in the console. */
export async function findGitHubApp(ctx: Context): Promise<GitHubApp | undefined> {
  return (
    appFromEnvironment(ctx) ??
    (await ctx.githubAppCache.get('', async () => ({
      value: await appFromDatabase(ctx),
      until: Number.POSITIVE_INFINITY,
    })))
  )
}

export type NewApp = Required<Omit<GitHubApp, 'from' | 'slug' | 'name'>> & { slug: string; name: string }

/** Stores the credentials unless an app exists. Returns whether it stored them. */
export async function insertGitHubApp({ config, secrets }: Context, trx: Trx, app: NewApp): Promise<boolean> {
  const url = config.GITHUB_URL
  const seal = (column: SealedColumn, value: string) => secrets.seal(appSecretSealContext(column, url), value)
  const kept = await insertAppRow(trx, {
    url,
    app_id: app.id,
    slug: app.slug,
    name: app.name,
    client_id: app.client.id,
    client_secret_sealed: seal('client_secret_sealed', app.client.secret),
    webhook_secret_sealed: seal('webhook_secret_sealed', app.webhookSecret),
    key_sealed: seal('key_sealed', app.privateKey),
  })
  await notifyChanged(trx)
  return kept !== undefined
}

export async function deleteStoredGitHubApp({ config }: Context, trx: Trx): Promise<string | undefined> {
  const deleted = await deleteAppRow(trx, config.GITHUB_URL)
  await notifyChanged(trx)
  return deleted?.name
}

const notifyChanged = (trx: Trx) => sql`select pg_notify('github_app', '')`.execute(trx)

export const findWebhookSecret = async (ctx: Context) => (await findGitHubApp(ctx))?.webhookSecret

/** Returns the OAuth client for logins: dedicated credentials, otherwise those of the app. */
export async function findLoginClient(ctx: Context): Promise<OAuthClient | undefined> {
  const { GITHUB_CLIENT_ID: id, GITHUB_CLIENT_SECRET: secret } = ctx.config
  return id && secret ? { id, secret } : (await findGitHubApp(ctx))?.client
}

function appFromEnvironment({ config }: Context): GitHubApp | undefined {
  const {
    GITHUB_APP_ID: id,
    GITHUB_APP_PRIVATE_KEY: privateKey,
    GITHUB_WEBHOOK_SECRET: webhookSecret,
  } = config
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: secret } = config
  if (!id || !privateKey || !webhookSecret || !clientId || !secret) return undefined
  const client = { id: clientId, secret }
  return { from: 'environment', id, slug: undefined, name: undefined, client, webhookSecret, privateKey }
}

async function appFromDatabase({ db, config, secrets }: Context): Promise<GitHubApp | undefined> {
  const row = await findAppRow(db, config.GITHUB_URL)
  if (!row) return undefined
  return {
    from: 'manifest',
    id: row.app_id,
    slug: row.slug,
    name: row.name,
    client: {
      id: row.client_id,
      secret: secrets.open(appSecretSealContext('client_secret_sealed', row.url), row.client_secret_sealed),
    },
    webhookSecret: secrets.open(
      appSecretSealContext('webhook_secret_sealed', row.url),
      row.webhook_secret_sealed,
    ),
    privateKey: secrets.open(appSecretSealContext('key_sealed', row.url), row.key_sealed),
  }
}

type SealedColumn = 'client_secret_sealed' | 'webhook_secret_sealed' | 'key_sealed'
const appSecretSealContext = (column: SealedColumn, url: string) => `github_apps.${column}:${url}`
