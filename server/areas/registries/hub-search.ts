import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { RegistryCredentials } from './registry-credentials.ts'
import { readHubPage, withHubToken } from './docker-hub.ts'
import type { RegistryRepository, SearchPage, Tag } from './search-cache.ts'
import { accessDenied, HubRefused, noSuchImage } from './registry-errors.ts'

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
  const request = { path: '/v2/search/repositories/', query: { query: q }, page }
  const { items, ...rest } = await readHubPage(ctx, request, searched)
  return {
    ...rest,
    items: items.map((repository) => ({
      name: repository.repo_name.replace(/^library\//, ''),
      description: repository.short_description ?? '',
      stars: repository.star_count ?? null,
      pulls: repository.pull_count ?? null,
      official: repository.is_official ?? false,
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
  const request = { path, query: { ...(q && { name: q }) }, page }
  const { items, ...rest } = await withHubToken(ctx, credentials, (token) =>
    readHubPage(ctx, { ...request, token }, owned),
  ).catch((error: unknown) => {
    throw error instanceof HubRefused ? accessDenied('Docker Hub', `the images of ${owner}`) : error
  })
  return {
    ...rest,
    items: items.map((repository) => ({
      name: `${repository.namespace}/${repository.name}`,
      description: repository.description ?? '',
      stars: repository.star_count ?? null,
      pulls: repository.pull_count ?? null,
      official: false,
    })),
  }
}

const listed = z.object({
  name: z.string(),
  full_size: z.number().nullish(),
  last_updated: z.string().nullish(),
  tag_last_pushed: z.string().nullish(),
  digest: z.string().nullish(),
  images: z
    .array(
      z.object({
        os: z.string().nullish(),
        architecture: z.string().nullish(),
        variant: z.string().nullish(),
        size: z.number().nullish(),
      }),
    )
    .nullish(),
})
type Listed = z.output<typeof listed>
type Image = NonNullable<Listed['images']>[number]

export async function listHubTags(
  ctx: Context,
  {
    path,
    q,
    page,
    credentials,
  }: { path: string; q: string; page: number; credentials: RegistryCredentials | undefined },
): Promise<SearchPage<Tag>> {
  const [owner = '', ...name] = path.split('/')
  const tagsPath = `/v2/namespaces/${encodeURIComponent(owner)}/repositories/${encodeURIComponent(name.join('/'))}/tags`
  const request = { path: tagsPath, query: { ...(q && { name: q }) }, page }
  const ask = (token?: string) => readHubPage(ctx, { ...request, token }, listed)
  try {
    const { items, ...rest } = await (credentials ? withHubToken(ctx, credentials, ask) : ask())
    return { ...rest, items: items.map(toTag) }
  } catch (error) {
    if (!(error instanceof HubRefused)) throw error
    if (error.answered === 401 || error.answered === 403) throw accessDenied('Docker Hub', path)
    throw noSuchImage('Docker Hub', path.replace(/^library\//, ''), credentials !== undefined)
  }
}

function toTag({ name, full_size, last_updated, tag_last_pushed, digest, images }: Listed): Tag {
  // Entries without a platform are attestations, not images.
  const real = (images ?? []).filter(
    ({ os, architecture }) => os && os !== 'unknown' && architecture && architecture !== 'unknown',
  )
  const sizes = real.flatMap(({ size }) => size ?? [])
  const updatedAt = tag_last_pushed ?? last_updated
  return {
    name,
    updated_at: updatedAt && !Number.isNaN(Date.parse(updatedAt)) ? new Date(updatedAt).toISOString() : null,
    size_bytes: sizes.length > 0 ? Math.max(...sizes) : (full_size ?? null),
    platforms: [...new Set(real.map(formatPlatform))],
    digest: digest ?? null,
  }
}

const formatPlatform = ({ os, architecture, variant }: Image) =>
  [os, architecture, variant].filter(Boolean).join('/')
