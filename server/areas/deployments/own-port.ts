import type { Release } from '../applications/release.ts'
import { Failed } from './attempt.ts'
import { exposedPorts, type ImageFacts } from './image-of.ts'
import type { Target } from './routed.ts'

/** Where it listens for HTTP: as it was given, else the only port that the image names. Without one no address can lead there. */
export function ownPortOf(
  { config }: Release,
  image: ImageFacts | undefined,
  targets: Target[],
): number | null {
  if (config.port !== null) return config.port
  const named = image ? exposedPorts(image).toSorted((a, b) => a - b) : []
  const [port] = named
  if (port !== undefined && named.length === 1) return port
  const routed = targets.find((one) => one.port === null && !one.generated)
  if (!routed) return null
  const why = port === undefined ? 'names no port' : `names several ports (${named.join(', ')})`
  throw new Failed(
    `No request could reach it: ${routed.from} leads to the port of the application, which is not set, and the image ${why}. Set the port in the settings of the application, or remove the address if it takes no requests; then deploy again.`,
  )
}
