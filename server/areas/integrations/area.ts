import type { Area } from '../../area.ts'
import * as contract from '../../../contract/integrations.ts'
import type { githubApp } from '../../../contract/integrations.ts'
import { route, successReply, type User } from '../../route.ts'
import { getRepository, listBranches, type Repository, repositoryAnswer } from './repository.ts'
import { connectIntegrations, startConnecting } from './connect.ts'
import { inspectRepository } from './detect-build.ts'
import { deleteIntegration, getIntegration, type Integration, listIntegrations } from './integration.ts'
import { deleteGitHubApp, finishGitHubApp, startGitHubApp, webhooksUnreachableWarning } from './set-up-app.ts'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { findGitHubApp } from '../auth/github-app.ts'
import { readAllPages, readAppDetails } from './installation-token.ts'
import { paginateRows, type SearchQuery } from '../../platform/pagination.ts'

async function listRepositories(ctx: Context, integration: Integration, { q = '', ...query }: SearchQuery) {
  const terms = q.toLowerCase().split(/\s+/)
  const all = await allRepositories(ctx, integration)
  const fitting = all.filter(({ name }) => terms.every((word) => name.toLowerCase().includes(word)))
  const { rows, page } = paginateRows(fitting, ({ pushed_at, name }) => `${pushed_at ?? ''} ${name}`, query)
  return { repositories: rows, page }
}

function allRepositories(ctx: Context, integration: Integration): Promise<Repository[]> {
  const { repositories: cache } = ctx.githubCaches
  const known = cache.get(integration.installation_id)
  if (known) return known
  const repositories = fetchRepositories(ctx, integration)
  cache.set(integration.installation_id, repositories)
  // Remove failures from the cache, so that the next request tries again.
  repositories.catch(() => cache.delete(integration.installation_id))
  return repositories
}

const answer = z.object({ repositories: z.array(repositoryAnswer) }).transform((page) => page.repositories)

const fetchRepositories = (ctx: Context, integration: Integration) =>
  readAllPages(
    ctx,
    integration,
    { permissions: { metadata: 'read' } },
    '/installation/repositories?per_page=100',
    answer,
  )

/** Returns the status of the GitHub App, which serves all workspaces, so only instance owners can set it up. */
async function getGitHubApp(ctx: Context, person: User): Promise<z.input<typeof githubApp>> {
  const can_set_up = person.isInstanceOwner && person.via.kind === 'session'
  const app = await findGitHubApp(ctx)
  const warning = webhooksUnreachableWarning(ctx.config)
  if (!app) return { ready: false, from: null, name: null, url: null, can_set_up, problem: null, warning }
  const known = { from: app.from, can_set_up, warning }
  try {
    const { name, html_url: url } = await readAppDetails(ctx, app)
    return { ...known, ready: true, name, url, problem: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ...known, ready: false, name: app.name ?? null, url: null, problem: error.message }
  }
}

const routes = [
  route(contract.listIntegrations, (ctx, { caller, query }) => listIntegrations(ctx, caller, query)),
  route(contract.redirectToProvider, async (ctx, { caller, params, query }) => ({
    url: await startConnecting(ctx, caller, params.provider, query.installed),
  })),
  route(contract.createIntegration, async (ctx, { caller, params, body }) => ({
    ...successReply,
    integrations: await connectIntegrations(ctx, caller, params.provider, body),
  })),
  route(contract.deleteIntegration, async (ctx, { caller, params }) => {
    await deleteIntegration(ctx, caller, params.id)
    return successReply
  }),
  route(contract.listRepositories, async (ctx, { caller, params, query }) =>
    listRepositories(ctx, await getIntegration(ctx.db, caller.workspace.id, params.id), query),
  ),
  route(contract.listRepositoryBranches, async (ctx, { caller, params, query }) => {
    const integration = await getIntegration(ctx.db, caller.workspace.id, params.id)
    const repository = await getRepository(ctx, integration, query.repository)
    return { branches: await listBranches(ctx, integration, repository) }
  }),
  route(contract.inspectRepository, async (ctx, { caller, params, query }) => {
    const integration = await getIntegration(ctx.db, caller.workspace.id, params.id)
    return { inspection: await inspectRepository(ctx, integration, query) }
  }),
  route(contract.getGitHubApp, async (ctx, { caller }) => ({ app: await getGitHubApp(ctx, caller) })),
  route(contract.beginGitHubApp, (ctx, { caller, body }) => startGitHubApp(ctx, caller, body.organization)),
  route(contract.finishGitHubApp, async (ctx, { caller, body }) => {
    await finishGitHubApp(ctx, caller, body)
    return { ...successReply, app: await getGitHubApp(ctx, caller) }
  }),
  route(contract.deleteGitHubApp, async (ctx, { caller }) => {
    await deleteGitHubApp(ctx, caller)
    return successReply
  }),
]

export const integrationsArea: Area = {
  name: 'integrations',
  routes,
}
