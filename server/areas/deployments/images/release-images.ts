import type { Id } from '../../../../contract/shared/ids.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import {
  listReleaseImages,
  type Release,
  type ReleaseImage,
  releaseRepository,
} from '../../applications/release.ts'
import { removeUnusedImages } from '../../images/prune-images.ts'
import { imagePath, readImageName, writeImageName } from '../../registries/image-reference.ts'

interface Listed {
  Id: string
  RepoTags: string[] | null
}

/** Lists tags before releases: a release is saved before its image is tagged, so no new tag looks like an orphan. */
export async function removeOldImages(
  docker: Docker,
  application: Id<'application'>,
  signal: AbortSignal,
  decide: () => Promise<{ releases: Release[]; staying: Release[] }>,
): Promise<void> {
  const repository = releaseRepository(application)
  const images = await listTaggedImages(docker, repository)
  const { releases, staying } = await decide()
  const kept = new Set(staying.flatMap(listReleaseImages).map(({ tag }) => tag))
  const all = releases.flatMap(listReleaseImages)
  for (const { id, tags } of images) {
    signal.throwIfAborted()
    const own = tags.filter((tag) => readImageName(tag).repository === repository)
    const unneeded = own.filter((tag) => !kept.has(tag))
    const askedAs = all.filter(({ tag }) => unneeded.includes(tag)).flatMap(registryTags)
    if (tags.every((tag) => unneeded.includes(tag) || askedAs.includes(tag)))
      await removeImage(docker, id, tags)
    for (const tag of unneeded) await removeTag(docker, tag)
  }
}

export async function removeTags(
  docker: Docker,
  application: Id<'application'>,
  isGoing: (tag: string) => boolean,
): Promise<void> {
  const images = await listTaggedImages(docker, releaseRepository(application))
  for (const tag of images.flatMap(({ tags }) => tags).filter(isGoing)) await removeTag(docker, tag)
}

async function listTaggedImages(
  docker: Docker,
  repository: string,
): Promise<{ id: string; tags: string[] }[]> {
  const filters = JSON.stringify({ reference: [repository] })
  const query = new URLSearchParams({ filters }).toString()
  const images = await docker.json<Listed[]>({ path: `/images/json?${query}` })
  return Promise.all(images.map(async ({ Id: id }) => ({ id, tags: await tagsOf(docker, id) })))
}

/** Inspects the image, because a filtered list of Docker omits tags that do not match the filter. */
async function tagsOf(docker: Docker, id: string): Promise<string[]> {
  try {
    return (await docker.json<Listed>({ path: `/images/${id}/json` })).RepoTags ?? []
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return []
    throw error
  }
}

/** Pulled images lose the tag of the registry as well, in the form in which Docker lists it; local images keep theirs. */
const registryTags = ({ digest, image }: ReleaseImage) =>
  digest === null
    ? []
    : [writeImageName(readImageName(image)).replace(/^(?:index\.)?docker\.io\/(?:library\/)?/, '')]

const removeImage = (docker: Docker, id: string, tags: string[]) =>
  removeUnusedImages(docker, [{ id, tags }], new Set())

/** Ignores images in use; the next deployment tries again. */
export async function removeTag(docker: Docker, name: string): Promise<void> {
  try {
    await docker.json({ method: 'DELETE', path: imagePath(name) ?? '' })
  } catch (error) {
    if (!(error instanceof DockerError && [404, 409].includes(error.status))) throw error
  }
}
