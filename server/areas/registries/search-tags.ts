import type { z } from 'zod'
import { imageNamePattern } from '../../../contract/shared/image-name.ts'
import type { searchTags as contract } from '../../../contract/registries.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { isServiceUnavailable } from '../../call-service.ts'
import { dockerHub, type ImageLocation, isValidRegistryHost, readImageLocation } from './image-reference.ts'
import { type RegistryCredentials, findCredentials } from './registry-credentials.ts'
import { createRegistryClient } from './registry-client.ts'
import { listHubTags } from './hub-search.ts'
import { slicePage, type Tag } from './search-cache.ts'
import { readRegistryList } from './read-list.ts'
import { noSuchImage } from './registry-errors.ts'
import { registryCacheKey } from './search-images.ts'
type Query = z.output<(typeof contract)['query']>

export async function searchTags(ctx: Context, actor: Actor, query: Query) {
  const place = readPlace(query)
  const credentials = await findCredentials(ctx, actor.workspace.id, query.repo_name)
  const { value, staleSince } = await find(ctx, place, credentials, query)
  return {
    tags: value.items,
    page: { next: value.next, total: value.total },
    stale_since: staleSince?.toISOString() ?? null,
  }
}

function readPlace({ repo_name, official }: Query): ImageLocation {
  const last = repo_name.slice(repo_name.lastIndexOf('/') + 1)
  if (!imageNamePattern.test(repo_name) || /[:@]/.test(last))
    throw new Invalid({
      repo_name: ['Must be an image name without a tag, such as nginx or ghcr.io/owner/name.'],
    })
  if (official === false && !repo_name.includes('/'))
    throw new Invalid({
      repo_name: ['Must include the owner, such as owner/name, unless it is an official image.'],
    })
  const place = readImageLocation(repo_name)
  if (!isValidRegistryHost(place.host))
    throw new Invalid({
      repo_name: [`${place.host} is not a valid registry host. Check the part before the first slash.`],
    })
  return place
}

async function find(
  ctx: Context,
  { host, path }: ImageLocation,
  credentials: RegistryCredentials | undefined,
  { q, page }: Query,
) {
  const credentialsKey = credentials ? registryCacheKey(credentials.registry) : ''
  if (host === dockerHub)
    return ctx.registryCaches.tags.get(
      `${credentialsKey} ${path} ${page} ${q}`,
      () => listHubTags(ctx, { path, q, page, credentials }),
      isServiceUnavailable,
    )
  const { value, staleSince } = await ctx.registryCaches.lists.get(
    `${credentialsKey} ${host}/${path}`,
    () => readTags(ctx, { host, path }, credentials),
    isServiceUnavailable,
  )
  const term = q.toLowerCase()
  const fitting = value.filter((name) => name.toLowerCase().includes(term))
  return { value: slicePage(fitting.map(toTag), page), staleSince }
}

const tagPattern = /^\w[\w.-]{0,127}$/

async function readTags(
  ctx: Context,
  { host, path }: ImageLocation,
  credentials: RegistryCredentials | undefined,
): Promise<string[]> {
  const scope = `repository:${path}:pull`
  const visit = createRegistryClient(
    ctx,
    { host, logIn: credentials?.logIn },
    { scope, what: `${host}/${path}` },
  )
  const tags = await readRegistryList(visit, {
    path: `/v2/${path}/tags/list`,
    field: 'tags',
    name: tagPattern,
  })
  if (!tags) throw noSuchImage(visit.who, path, credentials !== undefined)
  return sortTags(tags)
}

/** Fills in only the name, because everything else would need a request per tag. */
const toTag = (name: string): Tag => ({
  name,
  updated_at: null,
  size_bytes: null,
  platforms: [],
  digest: null,
})

const version = /^v?(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?(?:[-+_](.+))?$/

/** Newest first, as far as names tell: `latest`, versions in descending order, then the others. */
const sortTags = (names: string[]): string[] =>
  names
    .map((name) => ({ name, parts: version.exec(name), key: toSortKey(name) }))
    .sort((a, b) => {
      if (a.name === b.name) return 0
      if (a.name === 'latest' || b.name === 'latest') return a.name === 'latest' ? -1 : 1
      if (a.parts && b.parts) return byVersion(a.parts, b.parts) || byKey(b, a)
      if (a.parts || b.parts) return a.parts ? -1 : 1
      return byKey(b, a)
    })
    .map(({ name }) => name)

function byVersion(a: RegExpExecArray, b: RegExpExecArray): number {
  for (const part of [1, 2, 3, 4]) {
    // A missing part counts as the newest: 1.27 is a moving tag, newer than all tags that begin like it.
    const [left, right] = [toNumber(a[part]), toNumber(b[part])]
    if (left !== right) return right > left ? 1 : -1
  }
  // A suffix means a variant or a pre-release.
  return Number(a[5] !== undefined) - Number(b[5] !== undefined)
}

const toNumber = (part: string | undefined) => (part === undefined ? Number.POSITIVE_INFINITY : Number(part))

/**
 * Pads numbers, so that 10 sorts after 9. A key per tag is fast: a natural-order comparison of thousands of long
 * numbers takes seconds.
 */
const toSortKey = (name: string) => name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(10, '0'))

const byKey = (a: { key: string }, b: { key: string }) => (a.key === b.key ? 0 : a.key > b.key ? 1 : -1)
