import { formatDuration } from '../../../../contract/shared/duration.ts'
import { dockerArchitecture, runsOn } from '../../../../contract/shared/image-name.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { allSettledOrThrow } from '../../../platform/async.ts'
import { listReleaseImages, type Release } from '../../applications/release.ts'
import {
  pullStalledMessage,
  explainPullFailure,
  PullRefused,
  PullStalled,
  pullStallTimeoutMs,
  runDockerPull,
} from '../../images/run-docker-pull.ts'
import { type DeploymentRun, DeploymentFailed, getRunHost } from '../run/deployment-run.ts'
import { imagePath, readImageName, writeImageName } from '../../registries/image-reference.ts'

/** Pulls the tag, because it may have moved. Local images are used as they are. */
export async function ensureImage(
  run: DeploymentRun,
  requested: string,
  platform?: string,
): Promise<ImageFacts> {
  const { docker } = getRunHost(run)
  const { log, signal } = run
  const name = writeImageName(readImageName(requested))
  const existing = await findImage(docker, name, signal)
  const isOurs = existing && !registryDigest(existing, name)
  const usable = existing && (isOurs || matchesPlatform(existing, platform)) ? existing : undefined
  const isFixed = name.includes('@')
  if (usable && (isFixed || isOurs)) {
    log.write(isFixed ? `${name} is already on the server` : `${name} is a local image; nothing to pull`)
    return usable
  }
  await run.stepEntered
  try {
    await pullWithProgress(run, name, platform)
  } catch (error) {
    if (!usable || !(error instanceof PullFailed)) throw error
    log.write(`${error.message} Using the copy of ${name} on the server.`)
    return usable
  }
  return getImage(run, name)
}

type ReleaseImageRef = Pick<Release, 'image' | 'image_id' | 'digest'>

export async function ensureReleaseImage(
  run: DeploymentRun,
  kept: ReleaseImageRef,
  what: string,
  platform?: string,
): Promise<ImageFacts> {
  const present = await findImage(getRunHost(run).docker, kept.image_id, run.signal)
  if (present) return present
  const lost = `The image of ${what} is no longer on ${run.server().name}`
  if (!kept.digest)
    throw new DeploymentFailed(`${lost}, and no registry has it. Deploy the application again instead.`)
  run.log.write(`${lost}. Pulling it again.`)
  const name = `${readImageName(kept.image).repository}@${kept.digest}`
  await run.stepEntered
  await pullWithProgress(run, name, platform)
  const image = await getImage(run, name)
  if (image.Id !== kept.image_id)
    throw new DeploymentFailed(
      `${lost}, and its registry returned a different image. Deploy the application again instead.`,
    )
  return image
}

async function getImage(run: DeploymentRun, name: string): Promise<ImageFacts> {
  const image = await findImage(getRunHost(run).docker, name, run.signal)
  if (!image)
    throw new DeploymentFailed(
      `${name} was removed from ${run.server().name} during the deployment. Deploy again.`,
    )
  return image
}

export const isCompatible = ({ server }: DeploymentRun, image: ImageFacts, platform: string | undefined) =>
  platform === undefined
    ? matchesArchitecture(image, server().architecture)
    : matchesPlatform(image, platform)

export function assertCompatible(
  run: DeploymentRun,
  image: ImageFacts,
  name: string,
  platform?: string,
): void {
  const server = run.server()
  if (isCompatible(run, image, platform)) return
  if (platform !== undefined)
    throw new DeploymentFailed(
      `${name} is built for ${image.Os}/${image.Architecture}, but the compose file requires ${platform}. Choose another image or tag, or remove \`platform\` from the file.`,
    )
  throw new DeploymentFailed(
    `${name} is built for ${image.Architecture}, but ${server.name} is ${server.architecture ?? 'another architecture'}. Choose another image or tag.`,
  )
}

const progressInterval = 2_000

/** A retry would not fix these errors. */
const isFinal =
  /manifest unknown|manifest for .* not found|no matching manifest|does not match the specified platform|no space left/i

class PullFailed extends DeploymentFailed {}

async function pullWithProgress(
  { ctx, server, log, signal }: DeploymentRun,
  image: string,
  platform?: string,
): Promise<void> {
  const began = Date.now()
  log.write(`Pulling ${image}${platform ? ` for ${platform}` : ''}`)
  let loggedAt = Date.now()
  try {
    await runDockerPull(
      { ctx, signal, server: server(), image, platform },
      pullStallTimeoutMs,
      async (layers) => {
        if (Date.now() - loggedAt < progressInterval) return
        loggedAt = Date.now()
        const [done, all] = [layers.filter(({ status }) => status === 'done').length, layers.length]
        const current = layers.reduce((sum, layer) => sum + layer.current, 0)
        const total = layers.reduce((sum, layer) => sum + (layer.total ?? layer.current), 0)
        log.write(`${done}/${all} layers, ${toMegabytes(current)}/${toMegabytes(total)} MB`)
      },
    )
    log.write(`Pulled ${image} in ${formatDuration(Date.now() - began)}`)
  } catch (error) {
    if (error instanceof PullStalled) throw new PullFailed(pullStalledMessage(image))
    if (!(error instanceof PullRefused)) throw error
    const why = explainPullFailure(image, error.message, error.registry)
    throw isFinal.test(error.message) ? new DeploymentFailed(why) : new PullFailed(why)
  }
}

const toMegabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

export interface ImageFacts {
  Id: string
  RepoDigests: string[] | null
  Os: string
  Architecture: string
  Variant?: string
  Config: { ExposedPorts?: Record<string, unknown> | null } | null
}

export async function findImage(
  docker: Docker,
  name: string,
  signal?: AbortSignal,
): Promise<ImageFacts | undefined> {
  const path = imagePath(name)
  if (path === undefined) return undefined
  try {
    return await docker.json<ImageFacts>({ path: `${path}/json`, signal })
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return undefined
    throw error
  }
}

/** Returns the digest by which the registry identifies the pulled image, because its tag may move. */
export function registryDigest({ RepoDigests: digests }: ImageFacts, name: string): string | undefined {
  const { repository } = readImageName(name)
  const short = (one: string) => one.replace(/^(?:index\.)?docker\.io\/(?:library\/)?/, '')
  const own = digests?.find((digest) => short(readImageName(digest).repository) === short(repository))
  return own && readImageName(own).reference
}

export const imagePorts = ({ Config }: ImageFacts): number[] =>
  Object.keys(Config?.ExposedPorts ?? {})
    .filter((port) => port.endsWith('/tcp'))
    .map((port) => Number.parseInt(port, 10))

export function matchesPlatform(
  { Os, Architecture, Variant = '' }: ImageFacts,
  platform: string | undefined,
): boolean {
  const [os = '', processor = '', variant = ''] = (platform ?? '').toLowerCase().split('/')
  const architecture = dockerArchitecture(processor)
  return (
    (os === '' || os === Os) &&
    (architecture === '' || architecture === Architecture) &&
    (variant === '' || Variant === '' || variant === Variant)
  )
}

/** An image for another architecture would fail with "exec format error". */
const matchesArchitecture = ({ Architecture: architecture }: ImageFacts, machine: string | null): boolean =>
  !machine || !architecture || runsOn(architecture, machine)

/** Tags the images, so that no prune removes them as unused. */
export async function tagReleaseImages(run: DeploymentRun, release: Release): Promise<void> {
  const { docker } = getRunHost(run)
  await allSettledOrThrow(
    listReleaseImages(release).map(({ tag: name, image_id }) => {
      const { repository: repo, reference: tag } = readImageName(name)
      const query = new URLSearchParams({ repo, tag }).toString()
      return docker.json({
        method: 'POST',
        path: `/images/${image_id}/tag?${query}`,
        signal: run.signal,
      })
    }),
  )
}
