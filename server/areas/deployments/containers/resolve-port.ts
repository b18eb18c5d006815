import type { Release } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import { declaredPorts } from '../../compose/declared-ports.ts'
import { DeploymentFailed } from '../run/deployment-run.ts'
import { exposedPorts, type ImageFacts } from '../images/find-image.ts'
import type { RouteTarget } from './routed.ts'

interface PortSources {
  service: string
  model: Model | undefined
  image: ImageFacts | undefined
  targets: RouteTarget[]
}

/** Returns the configured port, else the only port that the file or image exposes. */
export function resolvePort({ config }: Pick<Release, 'config'>, of: PortSources): number | null {
  const { service, model, image, targets } = of
  if (!model && config.port !== null) return config.port
  // A service without a routed domain needs no port.
  if (model && targets.every((one) => one.port !== null)) return null
  const inFile = model ? declaredPorts(model, service) : []
  const inImage = image ? exposedPorts(image).toSorted((a, b) => a - b) : []
  const named = inFile.length > 0 ? inFile : inImage
  const [port] = named
  if (port !== undefined && named.length === 1) return port
  const routed = targets.find((one) => one.port === null && !one.generated)
  if (!routed) return null
  throw new DeploymentFailed(
    model ? noServicePortMessage(service, routed, named) : noPortMessage(routed, named),
  )
}

const noPortMessage = ({ from }: RouteTarget, named: number[]) =>
  `No port to route to: ${from} uses the port of the application, which is not set, and the image ${exposedPortsPhrase(named)}. Set the port in the settings, or remove the domain; then deploy again.`

const noServicePortMessage = (service: string, { from }: RouteTarget, named: number[]) =>
  `No port to route to: ${from} routes to ${service} without a port, and ${service} ${exposedPortsPhrase(named)}. Set the port of the domain, then deploy again.`

const exposedPortsPhrase = (named: number[]) =>
  named.length === 0 ? 'exposes no port' : `exposes several ports (${named.join(', ')})`
