import type { z } from 'zod'
import { imageNamePattern } from '../../../contract/shared/image-name.ts'
import type { searchTags as contract } from '../../../contract/registries.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { isServiceUnavailable } from '../../call-service.ts'
import { type Credentials, findCredentials } from './credentials.ts'
import { visitRegistry } from './distribution.ts'
import { listHubTags } from './hub-tags.ts'
import { canBeHost, dockerHub, type ImagePlace, placeOf } from './image-place.ts'
import { answersOf, cut, type Tag } from './known-answers.ts'
import { readList } from './read-list.ts'
import { noSuchImage } from './registry-errors.ts'
import { keyOf } from './search-images.ts'
import { sortTags } from './sort-tags.ts'

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

function readPlace({ repo_name, official }: Query): ImagePlace {
  const last = repo_name.slice(repo_name.lastIndexOf('/') + 1)
  if (!imageNamePattern.test(repo_name) || /[:@]/.test(last))
    throw new Invalid({
      repo_name: ['Must be an image name without a tag, such as nginx or ghcr.io/owner/name.'],
    })
  if (official === false && !repo_name.includes('/'))
    throw new Invalid({
      repo_name: ['Must include the owner, such as owner/name, unless it is an official image.'],
    })
  const place = placeOf(repo_name)
  if (!canBeHost(place.host))
    throw new Invalid({
      repo_name: [`${place.host} is not a valid registry host. Check the part before the first slash.`],
    })
  return place
}

async function find(
  ctx: Context,
  { host, path }: ImagePlace,
  credentials: Credentials | undefined,
  { q, page }: Query,
) {
  const whose = credentials ? keyOf(credentials.registry) : ''
  if (host === dockerHub)
    return answersOf(ctx).tags.get(
      `${whose} ${path} ${page} ${q}`,
      () => listHubTags(ctx, { path, q, page, credentials }),
      isServiceUnavailable,
    )
  const { value, staleSince } = await answersOf(ctx).lists.get(
    `${whose} ${host}/${path}`,
    () => readTags(ctx, { host, path }, credentials),
    isServiceUnavailable,
  )
  const wanted = q.toLowerCase()
  const fitting = value.filter((name) => name.toLowerCase().includes(wanted))
  return { value: cut(fitting.map(tagOf), page), staleSince }
}

const tagPattern = /^\w[\w.-]{0,127}$/

async function readTags(
  ctx: Context,
  { host, path }: ImagePlace,
  credentials: Credentials | undefined,
): Promise<string[]> {
  const scope = `repository:${path}:pull`
  const visit = visitRegistry(ctx, { host, logIn: credentials?.logIn }, { scope, what: `${host}/${path}` })
  const tags = await readList(visit, {
    path: `/v2/${path}/tags/list`,
    field: 'tags',
    name: tagPattern,
  })
  if (!tags) throw noSuchImage(visit.who, path, credentials !== undefined)
  return sortTags(tags)
}

/** By its name: how large it is would have to be asked of each. */
const tagOf = (name: string): Tag => ({
  name,
  updated_at: null,
  size_bytes: null,
  platforms: [],
  digest: null,
})
