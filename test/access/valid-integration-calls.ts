import type { Key } from '../../contract/endpoint.ts'
import type { Id } from '../../contract/shared/ids.ts'
import { deleteStoredGitHubApp, insertGitHubApp } from '../../server/areas/auth/github-app.ts'
import { transaction } from '../../server/platform/transaction.ts'
import type { CallOptions } from '../support/clients/client.ts'
import { makeIntegration, unique } from '../support/factories/factories.ts'
import type { FakeGitHub } from '../support/fakes/github.ts'
import type { World } from '../support/factories/world.ts'

type Make = (world: World) => CallOptions | Promise<CallOptions>

const params = { provider: 'github' }

/** Calls on accounts at GitHub that succeed, when the caller has the right to them. */
export const validIntegrationCalls: Record<Key, Make> = {
  'GET /v1/integrations': () => ({}),
  'GET /v1/integrations/{provider}/redirect': async (world) => {
    await keepApp(world)
    return { params }
  },
  'POST /v1/integrations/{provider}/create': async (world) => {
    await keepApp(world)
    return { params, body: await comeBack(world) }
  },
  'DELETE /v1/integrations/{id}': (world) => ofAccount(world),
  'GET /v1/integrations/{id}/repositories': (world) => ofAccount(world),
  'GET /v1/integrations/{id}/branches': (world) => ofAccount(world, { repository: 'octocat/hello' }),
  'GET /v1/integrations/{id}/inspection': (world) =>
    ofAccount(world, { repository: 'octocat/hello', branch: 'main' }),
  'GET /v1/integrations/github/app': () => ({}),
  'POST /v1/integrations/github/app': async (world) => {
    await forgetApp(world)
    return { body: {} }
  },
  'POST /v1/integrations/github/app/finish': async (world) => {
    await forgetApp(world)
    const code = unique('code')
    world.github.state.conversions.set(code, world.github.app)
    return { body: { code, state: carriedBy(world, 'app') } }
  },
  'DELETE /v1/integrations/github/app': async (world) => {
    await keepApp(world)
    return {}
  },
}

/** Connects an account to the workspace. */
export async function connectAccount(world: World): Promise<Id<'integration'>> {
  await keepApp(world)
  const { slipway, github, workspace } = world
  const installation = await installedOn(github)
  const known = await slipway.db
    .selectFrom('integrations')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('installation_id', '=', installation.id)
    .executeTakeFirst()
  return known?.id ?? makeIntegration(slipway.db, workspace, installation)
}

const ofAccount = async (world: World, query?: Record<string, string>): Promise<CallOptions> => ({
  params: { id: await connectAccount(world) },
  ...(query && { query }),
})

const installed = new WeakMap<FakeGitHub, Promise<ReturnType<FakeGitHub['installApp']>>>()

/** Shared by all worlds, because creating a repository is slow. */
function installedOn(github: FakeGitHub) {
  const make = async () => {
    github.addAccount('octocat')
    await github.addRepository('octocat/hello')
    return github.installApp('octocat')
  }
  const known = installed.get(github) ?? make()
  installed.set(github, known)
  return known
}

/** Restores the keys of the fake's App. */
async function keepApp({ slipway: { ctx }, github: { app } }: World) {
  const { id, slug, name, client, webhookSecret, pem: privateKey } = app
  await transaction(ctx.db, (trx) =>
    insertGitHubApp(ctx, trx, { id, slug, name, client, webhookSecret, privateKey }),
  )
  ctx.githubAppCache.clear()
}

async function forgetApp({ slipway: { ctx } }: World) {
  await transaction(ctx.db, (trx) => deleteStoredGitHubApp(ctx, trx))
  ctx.githubAppCache.clear()
}

const carriedBy = ({ slipway, caller, workspace }: World, purpose: string) =>
  slipway.ctx.secrets.seal(
    `state.github.${purpose}`,
    JSON.stringify({ user: caller.id, workspace, at: Date.now() }),
  )

/** Fields that the caller's browser brings back from GitHub. */
async function comeBack(world: World) {
  const { github } = world
  const { id } = await installedOn(github)
  const state = carriedBy(world, 'connect')
  const query = new URLSearchParams({ client_id: github.app.client.id, state })
  const came = await github.approve(`${github.url}/login/oauth/authorize?${query.toString()}`, 'octocat')
  return { installation_id: id, code: came.get('code') ?? '', state }
}
