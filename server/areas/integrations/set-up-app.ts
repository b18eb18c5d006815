import { z } from 'zod'
import type { Context } from '../../context.ts'
import { conflict, Problem } from '../../errors.ts'
import { emit, recordInstanceEvent } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { User } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { GitHubRequestFailed, readGitHub } from '../auth/github-api.ts'
import { findGitHubApp, deleteStoredGitHubApp, insertGitHubApp, type NewApp } from '../auth/github-app.ts'
import { checkOAuthState, sealOAuthState } from './oauth-state.ts'
import type { Config } from '../../config.ts'
import { isIP } from 'node:net'
import { isPublicAddress } from '../../platform/net/address-range.ts'

export async function startGitHubApp(ctx: Context, person: User, organization: string) {
  if (await findGitHubApp(ctx)) throw appExists()
  const accountPath = organization === '' ? '' : `/organizations/${organization}`
  const state = encodeURIComponent(sealOAuthState(ctx, person, 'app'))
  return {
    url: `${ctx.config.GITHUB_URL}${accountPath}/settings/apps/new?state=${state}`,
    manifest: JSON.stringify(appManifest(ctx.config)),
  }
}

/** Exchanges the code for the credentials; GitHub returns them once. */
export async function finishGitHubApp(
  ctx: Context,
  person: User,
  { code, state }: { code: string; state: string },
) {
  checkOAuthState(ctx, person, 'app', state)
  if (await findGitHubApp(ctx)) throw appExists()
  const app = await exchangeManifestCode(ctx, code)
  await transaction(ctx.db, async (trx) => {
    if (!(await insertGitHubApp(ctx, trx, app))) throw appExists()
    await recordAppEvent(trx, person, 'github_app.created', app.name)
  })
  ctx.githubAppCache.clear()
}

export async function deleteGitHubApp(ctx: Context, person: User): Promise<void> {
  if ((await findGitHubApp(ctx))?.from === 'environment')
    throw conflict(
      'app_in_environment',
      'The GitHub App is configured with environment variables. Remove them and restart Slipway.',
    )
  await transaction(ctx.db, async (trx) => {
    const name = await deleteStoredGitHubApp(ctx, trx)
    if (name !== undefined) await recordAppEvent(trx, person, 'github_app.deleted', name)
  })
  ctx.githubAppCache.clear()
}

type AppEventType = 'github_app.created' | 'github_app.deleted'

/** Records the event in the audit log of the instance and of the current workspace. */
async function recordAppEvent(trx: Trx, person: User, type: AppEventType, name: string): Promise<void> {
  const target = { kind: 'github_app', id: name, name }
  await recordInstanceEvent(trx, person, type, target)
  if (person.workspace) await emit(trx, person, person.workspace.id, type, target)
}

const appExists = () =>
  conflict(
    'github_app_exists',
    'This instance already has a GitHub App. Remove it before you create another.',
  )

const answer = z.object({
  id: z.number(),
  slug: z.string(),
  name: z.string(),
  client_id: z.string(),
  client_secret: z.string(),
  webhook_secret: z.string().nullish(),
  pem: z.string(),
})

async function exchangeManifestCode(ctx: Context, code: string): Promise<NewApp> {
  const path = `/app-manifests/${encodeURIComponent(code)}/conversions`
  try {
    const { value } = await readGitHub(ctx, { method: 'POST', path, once: true }, answer)
    const { id, slug, name, pem: privateKey } = value
    const client = { id: value.client_id, secret: value.client_secret }
    // Apps without webhooks have no secret; an empty one would let anyone forge signatures.
    const webhookSecret = value.webhook_secret || ctx.secrets.fingerprint(`webhooks of ${id}`)
    return { id, slug, name, client, webhookSecret, privateKey }
  } catch (error) {
    if (!(error instanceof GitHubRequestFailed) || ![404, 422].includes(error.answered)) throw error
    throw new Problem(
      400,
      'app_code_refused',
      'GitHub did not return the credentials of the app: the code was used or has expired. Delete the app on GitHub if it exists, and start again.',
    )
  }
}

const maxNameLength = 34

function appManifest({ PUBLIC_URL: url }: Pick<Config, 'PUBLIC_URL'>) {
  const { host, hostname } = new URL(url)
  return {
    name: `Slipway ${host}`.slice(0, maxNameLength),
    url,
    // GitHub rejects unreachable webhook URLs. Without webhooks only push to deploy is off.
    ...(!isLocalHost(hostname) && { hook_attributes: { url: `${url}/v1/events/github`, active: true } }),
    redirect_url: `${url}/dashboard/integrations/github/app`,
    // GitHub redirects to the first URL after installation.
    callback_urls: [`${url}/dashboard/integrations/github/callback`, `${url}/login/success`],
    request_oauth_on_install: true,
    // A private App can be installed only on the account of its owner, and nobody else could log in with it.
    public: true,
    default_permissions: {
      contents: 'read',
      metadata: 'read',
      statuses: 'write',
      pull_requests: 'read',
      members: 'read',
      emails: 'read',
    },
    default_events: ['push', 'repository'],
  }
}

const isLocalHost = (hostname: string) =>
  /^(?:localhost|.*\.localhost|127\..*|\[::1\]|0\.0\.0\.0)$/.test(hostname)

/** Returns a warning if webhooks cannot arrive. A GitHub Enterprise server may be in the same network. */
export function webhooksUnreachableWarning({
  PUBLIC_URL,
  GITHUB_URL,
}: Pick<Config, 'PUBLIC_URL' | 'GITHUB_URL'>) {
  const { hostname } = new URL(PUBLIC_URL)
  const address = hostname.replace(/^\[|\]$/g, '')
  const isInner =
    new URL(GITHUB_URL).hostname === 'github.com' && isIP(address) !== 0 && !isPublicAddress(address)
  if (!isLocalHost(hostname) && !isInner) return null
  return `GitHub cannot reach ${PUBLIC_URL}, so push to deploy is off. Deploy manually or with a deploy hook, or set a PUBLIC_URL that GitHub can reach and create the app again.`
}
