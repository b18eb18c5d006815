import type { Area } from '../../area.ts'
import * as contract from '../../../contract/applications.ts'
import { getCompose as composeContract, listServices as servicesContract } from '../../../contract/compose.ts'
import { type Actor, route } from '../../route.ts'
import { getCompose } from './compose.ts'
import { createApplication } from './create-application.ts'
import { entryRoutes } from './entries/entry-routes.ts'
import { getApplication, listApplications } from './list-applications.ts'
import { listApplicationContainers } from './list-containers.ts'
import { listServices } from './list-services.ts'
import { reviewApplication } from './review/review.ts'
import { updateApplication } from './update-application.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { findIntegration } from '../integrations/integration.ts'
import { listBranches, refreshRepository } from '../integrations/repository.ts'
import { getApplicationRow } from './application.ts'
import { findSource } from './source.ts'

/** Returns no branches while GitHub is unreachable, because users can still type one. */
async function listApplicationBranches(ctx: Context, actor: Actor, id: Id<'application'>): Promise<string[]> {
  await getApplicationRow(ctx, actor, id)
  const source = await findSource(ctx.db, actor.workspace.id, id)
  if (!source?.integration_id) return []
  const integration = await findIntegration(ctx.db, actor.workspace.id, source.integration_id)
  if (!integration) return []
  try {
    return await listBranches(ctx, integration, await refreshRepository(ctx, integration, source))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    ctx.log.warn({ application: id, reason: error.message }, 'Failed to list the branches of a repository')
    return []
  }
}

const routes = [
  route(contract.listApplications, (ctx, { caller, query }) => listApplications(ctx, caller, query)),
  route(contract.createApplication, (ctx, { caller, body }) => createApplication(ctx, caller, body)),
  route(contract.reviewApplication, async (ctx, { caller, body }) => ({
    review: await reviewApplication(ctx, caller, body),
  })),
  route(contract.getApplication, async (ctx, { caller, params }) => ({
    application: await getApplication(ctx, caller, params.id),
  })),
  route(contract.updateApplication, async (ctx, { caller, params, body }) => ({
    application: await updateApplication(ctx, caller, params.id, body),
  })),
  route(composeContract, (ctx, { caller, params }) => getCompose(ctx, caller, params.id)),
  route(servicesContract, async (ctx, { caller, params }) => ({
    services: await listServices(ctx, caller, params.id),
  })),
  route(contract.listApplicationContainers, async (ctx, { caller, params }) => ({
    containers: await listApplicationContainers(ctx, caller, params.id),
  })),
  route(contract.listBranches, async (ctx, { caller, params }) => ({
    branches: await listApplicationBranches(ctx, caller, params.id),
  })),
  ...entryRoutes,
]

export const applicationsArea: Area = {
  name: 'applications',
  routes,
}
