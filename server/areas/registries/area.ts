import type { Area } from '../../area.ts'
import * as contract from '../../../contract/registries.ts'
import { successReply, route, type Actor } from '../../route.ts'
import { editRegistry, addRegistry, checkRegistryCredentials } from './save-registry.ts'
import { deleteRegistry, listRegistries, getRegistryRow, presentRegistry } from './registry.ts'
import { searchImages } from './search-images.ts'
import { searchTags } from './search-tags.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { openRegistryLogin } from './registry-credentials.ts'
import { AccessDenied, WrongCredentials } from './registry-errors.ts'
import { updateRegistryRow } from './store.ts'

/** Stores whether the credentials work, except when the registry is unreachable, which says nothing about them. */
async function checkRegistry(ctx: Context, actor: Actor, id: Id<'registry'>) {
  const row = await getRegistryRow(ctx, actor, id)
  const error = await checkRegistryCredentials(ctx, row.host, openRegistryLogin(ctx, row)).then(
    () => null,
    (problem: unknown) => {
      if (problem instanceof WrongCredentials || problem instanceof AccessDenied) return problem.message
      throw problem
    },
  )
  const changes = error === null ? { error, checked_at: new Date() } : { error }
  const changed = await updateRegistryRow(ctx.db, actor.workspace.id, row, changes)
  return presentRegistry(changed ?? (await getRegistryRow(ctx, actor, id)))
}

const routes = [
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

export const registriesArea: Area = {
  name: 'registries',
  routes,
}
