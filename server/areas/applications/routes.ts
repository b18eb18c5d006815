import * as contract from '../../../contract/applications.ts'
import { getCompose as composeContract, listServices as servicesContract } from '../../../contract/compose.ts'
import { route } from '../../route.ts'
import { getCompose } from './compose.ts'
import { createApplication } from './create.ts'
import { entryRoutes } from './entries/entry-routes.ts'
import { getApplication, listApplications } from './list-applications.ts'
import { listApplicationBranches } from './list-branches.ts'
import { listApplicationContainers } from './list-containers.ts'
import { listServices } from './list-services.ts'
import { reviewApplication } from './review/review.ts'
import { updateApplication } from './update.ts'

export const routes = [
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
