import type { Id } from '../../../../contract/shared/ids.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import {
  listReleaseImages,
  type Release,
  type ReleaseImage,
  releaseRepository,
} from '../../applications/release.ts'
import { imagePath, readImageName, writeImageName } from '../../images/image-name.ts'
import { removeUnused } from '../../images/remove-unused.ts'

/** The parts of Docker's answer that are used. */
interface Listed {
  Id: string
  RepoTags: string[] | null
}

/**
 * Takes the names of an application's releases from its images, but for those that stay, and removes what was there for
 * them alone. What an interrupted deployment left behind goes as well. The names are read before the releases are: a
 * release is written down before its image is named, so whatever is named meanwhile is not taken for one without.
 */
export async function letImagesGo(
  docker: Docker,
  application: Id<'application'>,
  signal: AbortSignal,
  decide: () => Promise<{ releases: Release[]; staying: Release[] }>,
): Promise<void> {
  const repository = releaseRepository(application)
  const images = await listNamed(docker, repository)
  const { releases, staying } = await decide()
  const kept = new Set(staying.flatMap(listReleaseImages).map(({ tag }) => tag))
  const all = releases.flatMap(listReleaseImages)
  for (const { id, tags } of images) {
    signal.throwIfAborted()
    const own = tags.filter((tag) => readImageName(tag).repository === repository)
    const going = own.filter((tag) => !kept.has(tag))
    const askedAs = all.filter(({ tag }) => going.includes(tag)).flatMap(namesAsked)
    if (tags.every((tag) => going.includes(tag) || askedAs.includes(tag))) await removeWhole(docker, id, tags)
    for (const tag of going) await removeName(docker, tag)
  }
}

/** Takes some names from the images of an application. An image that has no other goes with its name. */
export async function removeNames(
  docker: Docker,
  application: Id<'application'>,
  isGoing: (tag: string) => boolean,
): Promise<void> {
  const images = await listNamed(docker, releaseRepository(application))
  for (const tag of images.flatMap(({ tags }) => tags).filter(isGoing)) await removeName(docker, tag)
}

/** With all names that each of them has. */
async function listNamed(docker: Docker, repository: string): Promise<{ id: string; tags: string[] }[]> {
  const filters = JSON.stringify({ reference: [repository] })
  const query = new URLSearchParams({ filters }).toString()
  const found = await docker.json<Listed[]>({ path: `/images/json?${query}` })
  return Promise.all(found.map(async ({ Id: id }) => ({ id, tags: await tagsOf(docker, id) })))
}

/** All of them: a list that was asked for some leaves the others out. */
async function tagsOf(docker: Docker, id: string): Promise<string[]> {
  try {
    return (await docker.json<Listed>({ path: `/images/${id}/json` })).RepoTags ?? []
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return []
    throw error
  }
}

/** What a registry has can go under its own name too, as Docker lists it; what is only on the server is somebody's own. */
const namesAsked = ({ digest, image }: ReleaseImage) =>
  digest === null
    ? []
    : [writeImageName(readImageName(image)).replace(/^(?:index\.)?docker\.io\/(?:library\/)?/, '')]

/** Not while a container uses it, nor when it got another name meanwhile. */
const removeWhole = (docker: Docker, id: string, tags: string[]) =>
  removeUnused(docker, [{ id, tags }], new Set())

/** It stays while a container uses the image and nothing else names it; the next deployment looks again. */
export async function removeName(docker: Docker, name: string): Promise<void> {
  try {
    await docker.json({ method: 'DELETE', path: imagePath(name) ?? '' })
  } catch (error) {
    if (!(error instanceof DockerError && [404, 409].includes(error.status))) throw error
  }
}
