import { z } from 'zod'
import type { Context } from '../../context.ts'
import { readGitHub } from '../auth/github-api.ts'
import type { GitHubApp } from '../auth/github-app.ts'
import { appToken } from './app-token.ts'

const answer = z.object({ name: z.string(), html_url: z.string() })
export type GitHubAppDetails = z.output<typeof answer>

/** Reads the App from GitHub, which also verifies its credentials. */
export async function readAppDetails(ctx: Context, app: GitHubApp): Promise<GitHubAppDetails> {
  const known = ctx.githubCaches.facts.get(app.id)
  if (known) return known
  const { value } = await readGitHub(ctx, { path: '/app', token: appToken(app) }, answer)
  ctx.githubCaches.facts.set(app.id, value)
  return value
}
