import * as contract from '../../../contract/integrations.ts'
import { successReply, route } from '../../route.ts'
import { listBranches } from './branches.ts'
import { beginConnecting, connect } from './connect.ts'
import { getGitHubApp } from './github-app.ts'
import { inspectRepository } from './inspect-repository.ts'
import { getRepository } from './repository.ts'
import { deleteIntegration, getIntegration, listIntegrations } from './integration.ts'
import { listRepositories } from './list-repositories.ts'
import { beginApp, deleteApp, finishApp } from './set-up-app.ts'

export const routes = [
  route(contract.listIntegrations, (ctx, { caller, query }) => listIntegrations(ctx, caller, query)),
  route(contract.redirectToProvider, async (ctx, { caller, params, query }) => ({
    url: await beginConnecting(ctx, caller, params.provider, query.installed),
  })),
  route(contract.createIntegration, async (ctx, { caller, params, body }) => ({
    ...successReply,
    integrations: await connect(ctx, caller, params.provider, body),
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
  route(contract.beginGitHubApp, (ctx, { caller, body }) => beginApp(ctx, caller, body.organization)),
  route(contract.finishGitHubApp, async (ctx, { caller, body }) => {
    await finishApp(ctx, caller, body)
    return { ...successReply, app: await getGitHubApp(ctx, caller) }
  }),
  route(contract.deleteGitHubApp, async (ctx, { caller }) => {
    await deleteApp(ctx, caller)
    return successReply
  }),
]
