import type { Area } from '../../area.ts'
import { watchers } from './follow-containers.ts'
import * as contract from '../../../contract/containers.ts'
import { successReply, route } from '../../route.ts'
import { runContainerAction } from './run-container-action.ts'
import { getContainer, readEnvironment } from './get-container.ts'
import { listContainers } from './list-containers.ts'

const routes = [
  route(contract.listContainers, (ctx, { caller, params, query }) =>
    listContainers(ctx, caller, params.id, query),
  ),
  route(contract.getContainer, async (ctx, { caller, params }) => ({
    container: await getContainer(ctx, caller, params.id, params.cid),
  })),
  route(contract.getContainerEnvironment, async (ctx, { caller, params }) => ({
    environment: await readEnvironment(ctx, caller, params.id, params.cid),
  })),
  route(contract.actOnContainer, async (ctx, { caller, params, body }) => ({
    ...successReply,
    container: await runContainerAction(ctx, caller, params, body),
  })),
  route(contract.actOnContainerByPath, async (ctx, { caller, params: { action, ...place }, body }) => ({
    ...successReply,
    container: await runContainerAction(ctx, caller, place, { ...body, action }),
  })),
  route(contract.removeContainer, async (ctx, { caller, params, query }) => {
    await runContainerAction(ctx, caller, params, { ...query, action: 'remove' })
    return successReply
  }),
]

export const containersArea: Area = {
  name: 'containers',
  routes,
  watchers,
}
