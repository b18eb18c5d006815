import type { Release } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import { namedPortsOf } from '../../compose/named-ports.ts'
import { Failed } from '../run/attempt.ts'
import { exposedPorts, type ImageFacts } from '../images/image-of.ts'
import type { Target } from './routed.ts'

interface Of {
  service: string
  model: Model | undefined
  image: ImageFacts | undefined
  targets: Target[]
}

/**
 * Where it listens for HTTP: as it was given, else the only port that the file or the image names. Without one no address
 * can lead there that does not name its port.
 */
export function ownPortOf({ config }: Pick<Release, 'config'>, of: Of): number | null {
  const { service, model, image, targets } = of
  if (!model && config.port !== null) return config.port
  // What a service listens on is nobody's business unless an address leads there.
  if (model && targets.every((one) => one.port !== null)) return null
  const inFile = model ? namedPortsOf(model, service) : []
  const inImage = image ? exposedPorts(image).toSorted((a, b) => a - b) : []
  const named = inFile.length > 0 ? inFile : inImage
  const [port] = named
  if (port !== undefined && named.length === 1) return port
  const routed = targets.find((one) => one.port === null && !one.generated)
  if (!routed) return null
  throw new Failed(model ? whyNotOfService(service, routed, named) : whyNot(routed, named))
}

const whyNot = ({ from }: Target, named: number[]) =>
  `No port to route to: ${from} uses the port of the application, which is not set, and the image ${nameWords(named)}. Set the port in the settings, or remove the domain; then deploy again.`

const whyNotOfService = (service: string, { from }: Target, named: number[]) =>
  `No port to route to: ${from} routes to ${service} without a port, and ${service} ${nameWords(named)}. Set the port of the domain, then deploy again.`

const nameWords = (named: number[]) =>
  named.length === 0 ? 'exposes no port' : `exposes several ports (${named.join(', ')})`
