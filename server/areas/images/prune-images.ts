import { formatBytes } from '../../../contract/shared/bytes.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit, nudge } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Docker } from '../../remote/host.ts'
import type { Actor } from '../../route.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { assertCanActAsRoot } from '../servers/root-access.ts'
import { withServerHost } from '../servers/server-host.ts'
import { type Image, readImages } from './image.ts'
import { measureFreedBytes } from './shared-layers.ts'
import { DockerError } from '../../remote/errors.ts'
import { imagePath, isReleaseImage, readImageName } from '../registries/image-reference.ts'

export async function previewPrune(ctx: Context, actor: Actor, id: Id<'server'>, all: boolean) {
  const server = await getServerRow(ctx, actor, id)
  const images = await readImages(ctx, server)
  const prunable = selectPrunable(images, all)
  const countFreedBytes = await withServerHost(ctx, server, ({ docker }) => measure(docker, images, prunable))
  return { images: prunable.map(presentPruned), bytes: countFreedBytes(new Set(listIds(prunable))) }
}

const listIds = (images: Image[]) => images.map(({ id }) => id)

const measure = async (docker: Docker, images: Image[], going: Image[]) =>
  going.length === 0 ? () => 0 : measureFreedBytes(docker, listIds(images))

function selectPrunable(images: Image[], all: boolean): Image[] {
  const unused = images.filter(
    ({ usedBy, tags }) => usedBy.length === 0 && !isReleaseImage(tags) && (all || tags.length === 0),
  )
  const ids = new Set(unused.map((image) => image.id))
  const needed = new Set(images.filter((image) => !ids.has(image.id)).map((one) => one.parent))
  return unused.filter((image) => !needed.has(image.id))
}

const presentPruned = ({ id, tags, size }: Image) => ({ id, tags, size_bytes: size })

export async function pruneImages(ctx: Context, actor: Actor, id: Id<'server'>, all: boolean) {
  const server = await getServerRow(ctx, actor, id)
  assertCanActAsRoot(actor, server, 'prune images')
  const images = await readImages(ctx, server)
  const prunable = selectPrunable(images, all)
  const gone = new Set<string>()
  const countFreedBytes = await withServerHost(ctx, server, ({ docker }) => measure(docker, images, prunable))
  try {
    await withServerHost(ctx, server, ({ docker }) => removeUnusedImages(docker, prunable, gone))
  } catch (error) {
    // Record the images that were removed before the failure.
    if (gone.size > 0) await emitPruned(ctx, actor, server, countFreedBytes(gone))
    throw error
  }
  await emitPruned(ctx, actor, server, countFreedBytes(gone))
  return {
    images: prunable.filter((image) => gone.has(image.id)).map(presentPruned),
    bytes: countFreedBytes(gone),
  }
}

const emitPruned = (ctx: Context, actor: Actor, server: ServerRow, bytes: number) =>
  transaction(ctx.db, async (trx) => {
    const target = { kind: 'server', id: server.id, name: server.name }
    await emit(
      trx,
      actor,
      server.workspace_id,
      'image.pruned',
      target,
      `and freed up to ${formatBytes(bytes)}`,
    )
    await nudge(trx, server.workspace_id, 'image.changed', server.id)
  })

const removeTimeoutMs = 120_000

interface ImageInspection {
  RepoTags: string[] | null
  RepoDigests: string[] | null
}
type Removed = { Deleted?: string }[]

/** Prunes images. Docker's own prune would also remove tags of images in use. `gone` is complete even after a failure. */
export async function removeUnusedImages(
  docker: Docker,
  images: Pick<Image, 'id' | 'tags'>[],
  gone: Set<string>,
): Promise<void> {
  let before: number
  // A base image can be removed once its children are gone.
  do {
    before = gone.size
    for (const image of images)
      if (!gone.has(image.id)) for (const id of await removeOne(docker, image)) gone.add(id)
  } while (gone.size > before)
}

/** Docker refuses to remove an image in use by ID only when one name is left, so remove names one by one. */
async function removeOne(docker: Docker, { id, tags }: Pick<Image, 'id' | 'tags'>): Promise<string[]> {
  const taken: string[] = []
  try {
    const now = await docker.json<ImageInspection>({ path: `/images/${id}/json` })
    if (!isSame(now.RepoTags ?? [], tags)) return []
    const others = listNames(now).slice(1)
    if (others.length > 0 && (await isUsed(docker, id))) return []
    for (const name of others) {
      await remove(docker, name)
      taken.push(name)
    }
    return await remove(docker, id)
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return []
    for (const name of taken) await putBack(docker, id, name)
    if (error instanceof DockerError && error.status === 409) return []
    throw error
  }
}

const isSame = (some: string[], others: string[]) =>
  some.length === others.length && some.every((name) => others.includes(name))

/** Digests disappear with the last tag of their repository; without a tag they are names themselves. */
function listNames({ RepoTags: tags, RepoDigests: digests }: ImageInspection): string[] {
  const tagged = new Set(tags?.map((tag) => readImageName(tag).repository))
  const strays = digests?.filter((digest) => !tagged.has(readImageName(digest).repository))
  return [...(tags ?? []), ...(strays ?? [])]
}

async function isUsed(docker: Docker, id: string): Promise<boolean> {
  const filters = JSON.stringify({ ancestor: [id] })
  const query = new URLSearchParams({ all: 'true', limit: '1', filters }).toString()
  return (await docker.json<unknown[]>({ path: `/containers/json?${query}` })).length > 0
}

async function remove(docker: Docker, name: string): Promise<string[]> {
  const path = imagePath(name)
  if (path === undefined) return []
  const removed = await docker.json<Removed>({ method: 'DELETE', path, timeout: removeTimeoutMs })
  return removed.flatMap(({ Deleted: id }) => id ?? [])
}

/** Restores a removed tag. Docker cannot restore a digest. */
async function putBack(docker: Docker, id: string, name: string): Promise<void> {
  if (name.includes('@')) return
  const { repository: repo, reference: tag } = readImageName(name)
  const query = new URLSearchParams({ repo, tag }).toString()
  await docker.json({ method: 'POST', path: `/images/${id}/tag?${query}` })
}
