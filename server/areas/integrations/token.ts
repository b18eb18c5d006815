import { z } from 'zod'
import type { Context } from '../../context.ts'
import { integrationNotConfigured } from '../../errors.ts'
import { type Asked, askGitHub, readGitHub } from '../auth/github-api.ts'
import { findGitHubApp } from '../auth/github-app.ts'
import { githubAccessLost, githubNotFound, GitHubRefused } from '../auth/github-errors.ts'
import { appToken } from './app-token.ts'
import { followInstallation } from './follow-installation.ts'
import type { Integration } from './integration.ts'

/** The ID is stable; the name may change or be reused. */
export interface KnownRepository {
  repository_id: number
  /** `owner/name`, for display. */
  repository: string
}

export interface Wanted {
  /** Defaults to all repositories of the installation. */
  repository?: KnownRepository
  permissions: Partial<
    Record<'contents' | 'metadata' | 'statuses' | 'members' | 'pull_requests', 'read' | 'write'>
  >
}

/** Minimum remaining lifetime: a fetch that starts now must finish with the token. */
const spare = 5 * 60_000

const keyOf = ({ installation_id: id }: Integration, { repository, permissions }: Wanted) =>
  JSON.stringify([id, repository?.repository_id, permissions])

/**
 * Returns an installation token limited to these permissions, valid for at most an hour. Never log it or pass it as a
 * command argument.
 */
export async function tokenFor(ctx: Context, integration: Integration, wanted: Wanted): Promise<string> {
  const { tokens: cache } = ctx.githubCaches
  const known = cache.get(keyOf(integration, wanted))
  if (known !== undefined) return known
  const { token, until } = await makeToken(ctx, integration, wanted)
  const ttl = until - spare - Date.now()
  if (ttl > 0) cache.set(keyOf(integration, wanted), token, { ttl })
  return token
}

/** Reads from GitHub as the installation. Retries once with a new token if it was rejected. */
export const readAs = <S extends z.ZodType>(
  ctx: Context,
  integration: Integration,
  wanted: Wanted,
  asked: Asked,
  schema: S,
) => withToken(ctx, integration, wanted, (token) => readGitHub(ctx, { ...asked, token }, schema))

const mostPages = 50

/** Reads all pages of a list, up to a limit. */
export async function readPages<T>(
  ctx: Context,
  integration: Integration,
  wanted: Wanted,
  first: string,
  schema: z.ZodType<T[]>,
): Promise<T[]> {
  const all: T[] = []
  let path: string | undefined = first
  for (let pages = 0; path && pages < mostPages; pages++) {
    const read: { value: T[]; next: string | undefined } = await readAs(
      ctx,
      integration,
      wanted,
      { path },
      schema,
    )
    all.push(...read.value)
    path = read.next
  }
  return all
}

export const askAs = (ctx: Context, integration: Integration, wanted: Wanted, asked: Asked) =>
  withToken(ctx, integration, wanted, (token) => askGitHub(ctx, { ...asked, token }))

async function withToken<T>(
  ctx: Context,
  integration: Integration,
  wanted: Wanted,
  ask: (token: string) => Promise<T>,
): Promise<T> {
  const token = await tokenFor(ctx, integration, wanted)
  try {
    return await ask(token)
  } catch (error) {
    if (!(error instanceof GitHubRefused) || ![401, 403].includes(error.answered)) throw error
    // The token may be expired or the installation suspended: a new token tells which.
    ctx.githubCaches.tokens.delete(keyOf(integration, wanted))
    return ask(await tokenFor(ctx, integration, wanted))
  }
}

const answer = z.object({ token: z.string(), expires_at: z.string() })

async function makeToken(ctx: Context, integration: Integration, wanted: Wanted) {
  const app = await findGitHubApp(ctx)
  if (!app) throw integrationNotConfigured('GitHub')
  const only = wanted.repository && { repository_ids: [wanted.repository.repository_id] }
  const asked: Asked = {
    method: 'POST',
    path: `/app/installations/${integration.installation_id}/access_tokens`,
    token: appToken(app),
    body: { permissions: wanted.permissions, ...only },
  }
  try {
    const { value } = await readGitHub(ctx, asked, answer)
    await follow(ctx, integration, 'active')
    return { token: value.token, until: Date.parse(value.expires_at) }
  } catch (error) {
    throw error instanceof GitHubRefused ? await inWords(ctx, integration, wanted, error) : error
  }
}

/** The installation changed at GitHub and the webhook was lost. */
async function follow(
  ctx: Context,
  { workspace_id, installation_id, status }: Integration,
  now: Integration['status'],
) {
  if (status !== now) await followInstallation(ctx, workspace_id, installation_id, now)
}

async function inWords(
  ctx: Context,
  integration: Integration,
  { repository, permissions }: Wanted,
  error: GitHubRefused,
): Promise<Error> {
  const { account } = integration
  if (error.answered === 404) {
    await follow(ctx, integration, 'removed')
    return githubAccessLost(
      404,
      `Slipway was removed from the account ${account} at GitHub. Connect the account again to build from its repositories.`,
    )
  }
  if (error.answered === 403) {
    await follow(ctx, integration, 'suspended')
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
