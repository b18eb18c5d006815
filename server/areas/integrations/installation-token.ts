import { z } from 'zod'
import type { Context } from '../../context.ts'
import { integrationNotConfigured } from '../../errors.ts'
import { type GitHubRequest, callGitHub, readGitHub } from '../auth/github-api.ts'
import { findGitHubApp } from '../auth/github-app.ts'
import { githubAccessLost, githubNotFound, GitHubRequestFailed } from '../auth/github-errors.ts'
import { appToken } from './app-token.ts'
import { updateInstallationStatus } from './installation-status.ts'
import type { Integration } from './integration.ts'

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

const answer = z.object({ token: z.string(), expires_at: z.string() })

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
    const { value } = await readGitHub(ctx, request, answer)
    await updateStatusIfChanged(ctx, integration, 'active')
    return { token: value.token, until: Date.parse(value.expires_at) }
  } catch (error) {
    throw error instanceof GitHubRequestFailed ? await toAccessProblem(ctx, integration, scope, error) : error
  }
}

/** The installation changed at GitHub and the webhook was lost. */
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
      `Slipway was removed from the account ${account} at GitHub. Connect the account again to build from its repositories.`,
    )
  }
  if (error.answered === 403) {
    await updateStatusIfChanged(ctx, integration, 'suspended')
    return githubAccessLost(
      403,
      `Slipway is suspended for the account ${account} at GitHub. An owner of the account must unsuspend it in its settings.`,
    )
  }
  if (error.answered !== 422) return error
  if (error.message.includes('permissions'))
    return githubAccessLost(
      403,
      `The account ${account} has not granted Slipway the required permissions (${Object.keys(permissions).join(', ')}). An owner must accept the permissions of the GitHub App in its settings at GitHub.`,
    )
  return githubNotFound(
    `The repository${repository ? ` ${repository.repository}` : ''} was not found at GitHub, or the account ${account} does not give Slipway access.`,
    422,
  )
}
