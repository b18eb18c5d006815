import { createSign } from 'node:crypto'
import type { GitHubApp } from '../auth/github-app.ts'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { readGitHub } from '../auth/github-api.ts'

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Signs a JWT for the App. It starts one minute ago to allow for clock skew and expires within ten. */
export function appToken({ id, privateKey }: GitHubApp): string {
  const now = Math.floor(Date.now() / 1000)
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iss: String(id), iat: now - 60, exp: now + 540 })}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`
}

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
