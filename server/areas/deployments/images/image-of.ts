import { processorOf, runsOn } from '../../../../contract/shared/processors.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { imagePath, readImageName } from '../../images/image-name.ts'

/** The parts of Docker's answer that are used. */
export interface ImageFacts {
  Id: string
  RepoDigests: string[] | null
  Os: string
  Architecture: string
  Variant?: string
  Config: { ExposedPorts?: Record<string, unknown> | null } | null
}

/** What is on the server under this name or id; nothing when it is not there. */
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

/** By which its registry knows it; none for one that was made on the server and is nowhere else. */
export function digestOf({ RepoDigests: digests }: ImageFacts, name: string): string | undefined {
  const { repository } = readImageName(name)
  const short = (one: string) => one.replace(/^(?:index\.)?docker\.io\/(?:library\/)?/, '')
  const own = digests?.find((one) => short(readImageName(one).repository) === short(repository))
  return own && readImageName(own).reference
}

/** The ports that the image names. */
export const exposedPorts = ({ Config }: ImageFacts): number[] =>
  Object.keys(Config?.ExposedPorts ?? {})
    .filter((port) => port.endsWith('/tcp'))
    .map((port) => Number.parseInt(port, 10))

/** Whether it is for the platform that a file asks for, as `linux/arm64/v8`; of what is not said there any will do. */
export function isFor({ Os, Architecture, Variant = '' }: ImageFacts, platform: string | undefined): boolean {
  const [os = '', processor = '', variant = ''] = (platform ?? '').toLowerCase().split('/')
  const given = processorOf(processor)
  return (
    (os === '' || os === Os) &&
    (given === '' || given === Architecture) &&
    (variant === '' || Variant === '' || variant === Variant)
  )
}

/** One for another processor would only end with "exec format error". */
export const fitsOn = ({ Architecture: made }: ImageFacts, machine: string | null): boolean =>
  !machine || !made || runsOn(made, machine)
