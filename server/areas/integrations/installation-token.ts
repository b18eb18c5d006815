import { z } from 'zod'
import type { Context } from '../../context.ts'
import { integrationNotConfigured } from '../../errors.ts'
import {
  callGitHub,
  githubAccessLost,
  githubNotFound,
  type GitHubRequest,
  GitHubRequestFailed,
  readGitHub,
} from '../auth/github-api.ts'
import { findGitHubApp, type GitHubApp } from '../auth/github-app.ts'
import type { Integration } from './integration.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { createSign } from 'node:crypto'

/** The ID is stable; the name may change or be reused. */
export interface RepositoryRef {
  repository_id: number
  repository: string
}

export interface TokenScope {
  repository?: RepositoryRef
  permissions: Partial<
    Record<'contents' | 'metadata' | 'statuses' | 'members' | 'pull_requests', 'read' | 'write'>
  >
}

/** Minimum remaining lifetime: a fetch that starts now must finish with the token. */
const minRemainingMs = 5 * 60_000

const cacheKey = ({ installation_id: id }: Integration, { repository, permissions }: TokenScope) =>
  JSON.stringify([id, repository?.repository_id, permissions])

/**
 * Returns an installation token limited to these permissions, valid for at most an hour. Never log it or pass it as a
 * command argument.
 */
export async function getInstallationToken(
  ctx: Context,
  integration: Integration,
  scope: TokenScope,
): Promise<string> {
  const { tokens: cache } = ctx.githubCaches
  const known = cache.get(cacheKey(integration, scope))
  if (known !== undefined) return known
  const { token, until } = await createToken(ctx, integration, scope)
  const ttl = until - minRemainingMs - Date.now()
  if (ttl > 0) cache.set(cacheKey(integration, scope), token, { ttl })
  return token
}

export const readAsInstallation = <S extends z.ZodType>(
  ctx: Context,
  integration: Integration,
  scope: TokenScope,
  request: GitHubRequest,
  schema: S,
) => withToken(ctx, integration, scope, (token) => readGitHub(ctx, { ...request, token }, schema))

const maxPages = 50

export async function readAllPages<T>(
  ctx: Context,
  integration: Integration,
  scope: TokenScope,
  first: string,
  schema: z.ZodType<T[]>,
): Promise<T[]> {
  const all: T[] = []
  let path: string | undefined = first
  for (let pages = 0; path && pages < maxPages; pages++) {
    const read: { value: T[]; next: string | undefined } = await readAsInstallation(
      ctx,
      integration,
      scope,
      { path },
      schema,
    )
    all.push(...read.value)
    path = read.next
  }
  return all
}

export const callAsInstallation = (
  ctx: Context,
  integration: Integration,
  scope: TokenScope,
  request: GitHubRequest,
) => withToken(ctx, integration, scope, (token) => callGitHub(ctx, { ...request, token }))

async function withToken<T>(
  ctx: Context,
  integration: Integration,
  scope: TokenScope,
  ask: (token: string) => Promise<T>,
): Promise<T> {
  const token = await getInstallationToken(ctx, integration, scope)
  try {
    return await ask(token)
  } catch (error) {
    if (!(error instanceof GitHubRequestFailed) || ![401, 403].includes(error.answered)) throw error
    // The token may be expired or the installation suspended: a new token tells which.
    ctx.githubCaches.tokens.delete(cacheKey(integration, scope))
    return ask(await getInstallationToken(ctx, integration, scope))
  }
}

const tokenAnswer = z.object({ token: z.string(), expires_at: z.string() })

async function createToken(ctx: Context, integration: Integration, scope: TokenScope) {
  const app = await findGitHubApp(ctx)
  if (!app) throw integrationNotConfigured('GitHub')
  const only = scope.repository && { repository_ids: [scope.repository.repository_id] }
  const request: GitHubRequest = {
    method: 'POST',
    path: `/app/installations/${integration.installation_id}/access_tokens`,
    token: appToken(app),
    body: { permissions: scope.permissions, ...only },
  }
  try {
    const { value } = await readGitHub(ctx, request, tokenAnswer)
    await updateStatusIfChanged(ctx, integration, 'active')
    return { token: value.token, until: Date.parse(value.expires_at) }
  } catch (error) {
    throw error instanceof GitHubRequestFailed ? await toAccessProblem(ctx, integration, scope, error) : error
  }
}

/** Saves the status that GitHub reports, because the webhook about its change may have been lost. */
async function updateStatusIfChanged(
  ctx: Context,
  { workspace_id, installation_id, status }: Integration,
  now: Integration['status'],
) {
  if (status !== now) await updateInstallationStatus(ctx, workspace_id, installation_id, now)
}

async function toAccessProblem(
  ctx: Context,
  integration: Integration,
  { repository, permissions }: TokenScope,
  error: GitHubRequestFailed,
): Promise<Error> {
  const { account } = integration
  if (error.answered === 404) {
    await updateStatusIfChanged(ctx, integration, 'removed')
    return githubAccessLost(
      404,
      `Slipway was removed from the account ${account} on GitHub. Connect the account again to build from its repositories.`,
    )
  }
  if (error.answered === 403) {
    await updateStatusIfChanged(ctx, integration, 'suspended')
    return githubAccessLost(
      403,
      `Slipway is suspended for the account ${account} on GitHub. An owner of the account must unsuspend it in its settings.`,
    )
  }
  if (error.answered !== 422) return error
  if (error.message.includes('permissions'))
    return githubAccessLost(
      403,
      `The account ${account} has not granted Slipway the required permissions (${Object.keys(permissions).join(', ')}). An owner must accept the permissions of the GitHub App in its settings on GitHub.`,
    )
  return githubNotFound(
    `The repository${repository ? ` ${repository.repository}` : ''} was not found on GitHub, or the account ${account} does not give Slipway access.`,
    422,
  )
}

const installationAnswer = z.object({ suspended_at: z.string().nullish() })

export async function readInstallationStatus(ctx: Context, id: number): Promise<Integration['status']> {
  const app = await findGitHubApp(ctx)
  if (!app) throw integrationNotConfigured('GitHub')
  try {
    const request = { path: `/app/installations/${id}`, token: appToken(app) }
    const { value } = await readGitHub(ctx, request, installationAnswer)
    return value.suspended_at ? 'suspended' : 'active'
  } catch (error) {
    if (error instanceof GitHubRequestFailed && error.answered === 404) return 'removed'
    throw error
  }
}

const eventDetails = {
  active: '(active on GitHub)',
  suspended: '(suspended on GitHub)',
  removed: '(removed on GitHub)',
}

export const updateInstallationStatus = (
  ctx: Context,
  workspaceId: Id<'workspace'>,
  installation: number,
  status: keyof typeof eventDetails,
): Promise<void> =>
  transaction(ctx.db, async (trx) => {
    const changed = await trx
      .updateTable('integrations')
      .set({ status })
      .where('workspace_id', '=', workspaceId)
      .where('provider', '=', 'github')
      .where('installation_id', '=', installation)
      .where('status', '<>', status)
      .returning(['id', 'account'])
      .execute()
    for (const { id, account } of changed)
      await emit(
        trx,
        'slipway',
        workspaceId,
        'integration.changed',
        { kind: 'integration', id, name: account },
        eventDetails[status],
      )
  })

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs a JWT for the App. It starts one minute ago to allow for clock skew and expires within ten. */
export function appToken({ id, privateKey }: GitHubApp): string {
  const now = Math.floor(Date.now() / 1000)
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iss: String(id), iat: now - 60, exp: now + 540 })}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`
}

const appAnswer = z.object({ name: z.string(), html_url: z.string() })
export type GitHubAppDetails = z.output<typeof appAnswer>

export async function readAppDetails(ctx: Context, app: GitHubApp): Promise<GitHubAppDetails> {
  const known = ctx.githubCaches.facts.get(app.id)
  if (known) return known
  const { value } = await readGitHub(ctx, { path: '/app', token: appToken(app) }, appAnswer)
  ctx.githubCaches.facts.set(app.id, value)
  return value
}
