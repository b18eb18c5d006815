import { dockerArchitecture, runsOn } from '../../../../contract/shared/processors.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { imagePath, readImageName } from '../../images/image-name.ts'

export interface ImageFacts {
  Id: string
  RepoDigests: string[] | null
  Os: string
  Architecture: string
  Variant?: string
  Config: { ExposedPorts?: Record<string, unknown> | null } | null
}

/** Returns undefined if the image is not on the server. */
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

/** Undefined for local images. */
export function registryDigest({ RepoDigests: digests }: ImageFacts, name: string): string | undefined {
  const { repository } = readImageName(name)
  const short = (one: string) => one.replace(/^(?:index\.)?docker\.io\/(?:library\/)?/, '')
  const own = digests?.find((one) => short(readImageName(one).repository) === short(repository))
  return own && readImageName(own).reference
}

export const exposedPorts = ({ Config }: ImageFacts): number[] =>
  Object.keys(Config?.ExposedPorts ?? {})
    .filter((port) => port.endsWith('/tcp'))
    .map((port) => Number.parseInt(port, 10))

/** Compares with a platform such as `linux/arm64/v8`; omitted parts match anything. */
export function matchesPlatform(
  { Os, Architecture, Variant = '' }: ImageFacts,
  platform: string | undefined,
): boolean {
  const [os = '', processor = '', variant = ''] = (platform ?? '').toLowerCase().split('/')
  const given = dockerArchitecture(processor)
  return (
    (os === '' || os === Os) &&
    (given === '' || given === Architecture) &&
    (variant === '' || Variant === '' || variant === Variant)
  )
}

/** An image for another architecture would fail with "exec format error". */
export const matchesArchitecture = ({ Architecture: made }: ImageFacts, machine: string | null): boolean =>
  !machine || !made || runsOn(made, machine)
