import * as contract from '../../../contract/registries.ts'
import { successReply, route } from '../../route.ts'
import { checkRegistry } from './check-registry.ts'
import { editRegistry, addRegistry } from './save-registry.ts'
import { deleteRegistry, listRegistries } from './registry.ts'
import { searchImages } from './search-images.ts'
import { searchTags } from './search-tags.ts'

export const routes = [
  route(contract.listRegistries, (ctx, { caller, query }) => listRegistries(ctx, caller, query)),
  route(contract.createRegistry, async (ctx, { caller, body }) => ({
    registry: await addRegistry(ctx, caller, body),
  })),
  route(contract.updateRegistry, async (ctx, { caller, params, body }) => ({
    registry: await editRegistry(ctx, caller, params.id, body),
  })),
  route(contract.testRegistry, async (ctx, { caller, params }) => ({
    registry: await checkRegistry(ctx, caller, params.id),
  })),
  route(contract.deleteRegistry, async (ctx, { caller, params }) => {
    await deleteRegistry(ctx, caller, params.id)
    return successReply
  }),
  route(contract.searchImages, (ctx, { caller, query }) => searchImages(ctx, caller, query)),
  route(contract.searchTags, (ctx, { caller, query }) => searchTags(ctx, caller, query)),
]
