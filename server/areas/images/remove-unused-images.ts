import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import type { Image } from './image.ts'
import { imagePath, readImageName } from './image-name.ts'

/** A large one takes Docker a while. */
const removeTimeoutMs = 120_000

/** The parts of Docker's answers that are used. */
interface ImageInspection {
  RepoTags: string[] | null
  RepoDigests: string[] | null
}
type Removed = { Deleted?: string }[]

/**
 * Removes these and no others; Docker's own prune would take names from images in use too. What a container uses by now,
 * or somebody named anew, stays as it is. The ids of what went are added to `gone`, so that they are known after a failure.
 */
export async function removeUnusedImages(
  docker: Docker,
  images: Pick<Image, 'id' | 'tags'>[],
  gone: Set<string>,
): Promise<void> {
  let before: number
  // One that others were built of can go once they are gone.
  do {
    before = gone.size
    for (const image of images)
      if (!gone.has(image.id)) for (const id of await removeOne(docker, image)) gone.add(id)
  } while (gone.size > before)
}

/** Docker refuses to remove by id what is in use, but only once no more than one name is left. */
async function removeOne(docker: Docker, { id, tags }: Pick<Image, 'id' | 'tags'>): Promise<string[]> {
  const taken: string[] = []
  try {
    const now = await docker.json<ImageInspection>({ path: `/images/${id}/json` })
    if (!isSame(now.RepoTags ?? [], tags)) return []
    const others = namesOf(now).slice(1)
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
  some.length === others.length && some.every((one) => others.includes(one))

/** Digests go with the last tag of their repository; those of one without a tag are names of their own. */
function namesOf({ RepoTags: tags, RepoDigests: digests }: ImageInspection): string[] {
  const tagged = new Set(tags?.map((tag) => readImageName(tag).repository))
  const strays = digests?.filter((digest) => !tagged.has(readImageName(digest).repository))
  return [...(tags ?? []), ...(strays ?? [])]
}

async function isUsed(docker: Docker, id: string): Promise<boolean> {
  const filters = JSON.stringify({ ancestor: [id] })
  const query = new URLSearchParams({ all: 'true', limit: '1', filters }).toString()
  return (await docker.json<unknown[]>({ path: `/containers/json?${query}` })).length > 0
}

/** Resolves with the ids of what is gone: those that only it was built of go with it. */
async function remove(docker: Docker, name: string): Promise<string[]> {
  const path = imagePath(name)
  if (path === undefined) return []
  const removed = await docker.json<Removed>({ method: 'DELETE', path, timeout: removeTimeoutMs })
  return removed.flatMap(({ Deleted: id }) => id ?? [])
}

/** A digest cannot be given back. */
async function putBack(docker: Docker, id: string, name: string): Promise<void> {
  if (name.includes('@')) return
  const { repository: repo, reference: tag } = readImageName(name)
  const query = new URLSearchParams({ repo, tag }).toString()
  await docker.json({ method: 'POST', path: `/images/${id}/tag?${query}` })
}
