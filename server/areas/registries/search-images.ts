import type { z } from 'zod'
import type { searchImages as contract } from '../../../contract/registries.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { isServiceUnavailable } from '../../call-service.ts'
import { dockerHub, registryTitle } from './image-reference.ts'
import { type RegistryCredentials, openRegistryLogin } from './registry-credentials.ts'
import { createRegistryClient } from './registry-client.ts'
import { searchHub, searchOwnedRepositories } from './hub-search.ts'
import { slicePage, type RegistryRepository } from './search-cache.ts'
import { type RegistryList, readRegistryList } from './read-list.ts'
import { getRegistryRow } from './registry.ts'
import { catalogUnavailable, WrongCredentials } from './registry-errors.ts'
import type { RegistryRow } from './store.ts'

type Query = z.output<(typeof contract)['query']>

export async function searchImages(ctx: Context, actor: Actor, { q, page, registry_id }: Query) {
  const registry = registry_id && (await getRegistryRow(ctx, actor, registry_id))
  const { value, staleSince } = await find(ctx, registry || undefined, q, page)
  return {
    repositories: value.items,
    page: { next: value.next, total: value.total },
    stale_since: staleSince?.toISOString() ?? null,
  }
}

async function find(ctx: Context, registry: RegistryRow | undefined, q: string, page: number) {
  const { repositories } = ctx.registryCaches
  if (!registry) {
    if (q === '') return { value: { items: [], total: 0, next: null }, staleSince: null }
    return repositories.get(`${page} ${q}`, () => searchHub(ctx, q, page), isServiceUnavailable)
  }
  const credentials = { registry, logIn: openRegistryLogin(ctx, registry) }
  if (registry.host === dockerHub) {
    const key = `${registryCacheKey(registry)} ${page} ${q}`
    return repositories.get(
      key,
      () => searchOwnedRepositories(ctx, credentials, q, page),
      isServiceUnavailable,
    )
  }
  const { value, staleSince } = await ctx.registryCaches.lists.get(
    registryCacheKey(registry),
    () => readCatalog(ctx, credentials),
    isServiceUnavailable,
  )
  const term = q.toLowerCase()
  const fitting = value.filter((name) => name.includes(term))
  return {
    value: slicePage(
      fitting.map((name) => toRepository(registry, name)),
      page,
    ),
    staleSince,
  }
}

/** The key includes the credentials, because others may give access to other images. */
export const registryCacheKey = ({ id, username, password_sealed, scope }: RegistryRow) =>
  `${id} ${username} ${password_sealed} ${scope}`

const catalog: RegistryList = {
  path: '/v2/_catalog',
  field: 'repositories',
  name: /^[a-z0-9][a-z0-9._/-]{0,254}$/,
}

async function readCatalog(ctx: Context, { registry, logIn }: RegistryCredentials): Promise<string[]> {
  const { host, scope } = registry
  const what = 'its list of images'
  const visit = createRegistryClient(ctx, { host, logIn }, { scope: 'registry:catalog:*', what })
  const all = await readRegistryList(visit, catalog).catch((error: unknown) => {
    // Many registries show their catalog only to operators, so treat a denial as a missing catalog.
    if (error instanceof Problem && error.status === 409 && !(error instanceof WrongCredentials))
      return undefined
    throw error
  })
  if (!all) throw catalogUnavailable(registryTitle(host))
  return all.filter((name) => scope === '' || name === scope || name.startsWith(`${scope}/`)).sort()
}

const toRepository = ({ host }: RegistryRow, name: string): RegistryRepository => ({
  name: `${host}/${name}`,
  description: '',
  stars: null,
  pulls: null,
  official: false,
})
