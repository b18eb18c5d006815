import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { RegistryCredentials } from './credentials.ts'
import { readHubPage } from './hub-page.ts'
import { withHubToken } from './hub-token.ts'
import type { SearchPage, RegistryRepository } from './search-cache.ts'
import { HubRefused, accessDenied } from './registry-errors.ts'

const count = z.number().int().nullish()

const searched = z.object({
  repo_name: z.string(),
  short_description: z.string().nullish(),
  star_count: count,
  pull_count: count,
  is_official: z.boolean().nullish(),
})

export async function searchHub(
  ctx: Context,
  q: string,
  page: number,
): Promise<SearchPage<RegistryRepository>> {
  const asked = { path: '/v2/search/repositories/', query: { query: q }, page }
  const { items, ...rest } = await readHubPage(ctx, asked, searched)
  return {
    ...rest,
    items: items.map((one) => ({
      name: one.repo_name.replace(/^library\//, ''),
      description: one.short_description ?? '',
      stars: one.star_count ?? null,
      pulls: one.pull_count ?? null,
      official: one.is_official ?? false,
    })),
  }
}

const owned = z.object({
  namespace: z.string(),
  name: z.string(),
  description: z.string().nullish(),
  star_count: count,
  pull_count: count,
})

export async function searchOwnedRepositories(
  ctx: Context,
  credentials: RegistryCredentials,
  q: string,
  page: number,
): Promise<SearchPage<RegistryRepository>> {
  const { scope, username } = credentials.registry
  const [owner = ''] = (scope || username).toLowerCase().split('/')
  const path = `/v2/namespaces/${encodeURIComponent(owner)}/repositories`
  const asked = { path, query: { ...(q && { name: q }) }, page }
  const { items, ...rest } = await withHubToken(ctx, credentials, (token) =>
    readHubPage(ctx, { ...asked, token }, owned),
  ).catch((error: unknown) => {
    throw error instanceof HubRefused ? accessDenied('Docker Hub', `the images of ${owner}`) : error
  })
  return {
    ...rest,
    items: items.map((one) => ({
      name: `${one.namespace}/${one.name}`,
      description: one.description ?? '',
      stars: one.star_count ?? null,
      pulls: one.pull_count ?? null,
      official: false,
    })),
  }
}
