import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { image } from '../../../contract/images.ts'
import type { Context } from '../../context.ts'
import type { Target } from '../../events.ts'
import { paginateRows, type SearchQuery } from '../../platform/pagination.ts'
import type { Actor } from '../../route.ts'
import { listContainerNames } from '../containers/list-containers.ts'
import { withServerHost } from '../servers/server-host.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { readImageName, writeImageName } from '../registries/image-reference.ts'

interface ListedImage {
  Id: string
  ParentId: string
  RepoTags: string[] | null
  RepoDigests: string[] | null
  Created: number
  Size: number
}

export interface Image {
  id: string
  parent: string
  tags: string[]
  digests: string[]
  size: number
  created: number
  usedBy: { id: string; name: string }[]
  own: boolean
}

export async function readImages(ctx: Context, server: ServerRow): Promise<Image[]> {
  const [images, containers] = await Promise.all([
    withServerHost(ctx, server, ({ docker }) => docker.json<ListedImage[]>({ path: '/images/json' })),
    listContainerNames(ctx, server.workspace_id, server),
  ])
  const proxy = writeImageName(readImageName(ctx.config.PROXY_IMAGE))
  return images.map((image) => ({
    id: image.Id,
    parent: image.ParentId,
    tags: (image.RepoTags ?? []).filter(isName),
    digests: (image.RepoDigests ?? []).filter(isName),
    size: image.Size,
    created: image.Created,
    usedBy: containers.filter((container) => container.image_id === image.Id),
    own: (image.RepoTags ?? []).includes(proxy),
  }))
}

/** Docker reports a missing name as `<none>`. */
const isName = (name: string) => !name.startsWith('<none>')

const presentImage = (row: Image): z.input<typeof image> => ({
  id: row.id,
  tags: row.tags,
  digests: row.digests,
  size_bytes: row.size,
  // Reproducible builds omit the time.
  created_at: row.created > 0 ? new Date(row.created * 1_000).toISOString() : null,
  used_by: row.usedBy.map(({ id, name }) => ({ id, name })),
  own: row.own,
})

export async function listImages(ctx: Context, actor: Actor, id: Id<'server'>, query: SearchQuery) {
  const server = await getServerRow(ctx, actor, id)
  const images = await readImages(ctx, server)
  const matching = images.filter((image) => matchesSearch(image, query.q ?? ''))
  const { rows, page } = paginateRows(matching, imageSortKey, query)
  return { images: rows.map(presentImage), page }
}

const matchesSearch = ({ id, tags, digests }: Image, q: string) =>
  [id, ...tags, ...digests].some((text) => text.toLowerCase().includes(q.trim().toLowerCase()))

const imageSortKey = ({ created, id }: Image) => `${String(Math.max(created, 0)).padStart(12, '0')} ${id}`

export const imageTarget = (name: string): Target => ({ kind: 'image', id: name, name })
export const onServer = ({ name }: ServerRow) => `on ${name}`
