import type { z } from 'zod'
import type { githubApp } from '../../../contract/integrations.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { User } from '../../route.ts'
import { findGitHubApp } from '../auth/github-app.ts'
import { readAppFacts } from './app-facts.ts'
import { whyUnheard } from './heard.ts'

/** Returns the status of the GitHub App. It serves all workspaces, so only instance owners can set it up. */
export async function getGitHubApp(ctx: Context, person: User): Promise<z.input<typeof githubApp>> {
  const may_set_up = person.isInstanceOwner && person.via.kind === 'session'
  const app = await findGitHubApp(ctx)
  const warning = whyUnheard(ctx.config)
  if (!app) return { ready: false, from: null, name: null, url: null, may_set_up, problem: null, warning }
  const known = { from: app.from, may_set_up, warning }
  try {
    const { name, html_url: url } = await readAppFacts(ctx, app)
    return { ...known, ready: true, name, url, problem: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ...known, ready: false, name: app.name ?? null, url: null, problem: error.message }
  }
}
