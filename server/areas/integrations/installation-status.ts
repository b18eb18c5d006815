import { z } from 'zod'
import type { Context } from '../../context.ts'
import { integrationNotConfigured } from '../../errors.ts'
import { readGitHub } from '../auth/github-api.ts'
import { findGitHubApp } from '../auth/github-app.ts'
import { GitHubRequestFailed } from '../auth/github-errors.ts'
import { appToken } from './app-token.ts'
import type { Integration } from './integration.ts'

const answer = z.object({ suspended_at: z.string().nullish() })

/** Fetches the current status of an installation from GitHub. */
export async function readInstallationStatus(ctx: Context, id: number): Promise<Integration['status']> {
  const app = await findGitHubApp(ctx)
  if (!app) throw integrationNotConfigured('GitHub')
  try {
    const request = { path: `/app/installations/${id}`, token: appToken(app) }
    const { value } = await readGitHub(ctx, request, answer)
    return value.suspended_at ? 'suspended' : 'active'
  } catch (error) {
    if (error instanceof GitHubRequestFailed && error.answered === 404) return 'removed'
    throw error
  }
}
