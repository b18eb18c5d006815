import type { ReleaseService } from '../../tables.ts'
import type { Model } from './model.ts'
import type { ProxyPort } from './ports.ts'
import {
  isOneOffService,
  isOptionalService,
  readMemoryLimit,
  readReplicas,
  readRestartPolicy,
  readStopSeconds,
} from './read/read-service.ts'

interface ReleaseServiceInput {
  name: string
  model: Model
  image: string
  imageId: string
  digest: string | null
  hash: string
  /** Proxy ports of all services. */
  ports: readonly ProxyPort[]
  /** Whether a domain routes to it. */
  routed: boolean
}

/** Contains no secrets, because members without permission read it. */
export function toReleaseService({
  name,
  model,
  image,
  imageId,
  digest,
  hash,
  ...given
}: ReleaseServiceInput): ReleaseService {
  const service = model.services[name] ?? {}
  const restart = readRestartPolicy(service)
  const ports = given.ports
    .filter((port) => port.service === name)
    .map(({ host, source, target }) => ({ host, source, target }))
  const routed = given.routed || ports.length > 0
  return {
    name,
    image,
    digest,
    image_id: imageId,
    hash,
    replicas: readReplicas(service),
    restart: restart.Name,
    ...(restart.MaximumRetryCount !== undefined && { retries: restart.MaximumRetryCount }),
    stop_seconds: readStopSeconds(service),
    memory_limit: readMemoryLimit(service),
    ports,
    completes: isOneOffService(name, model, routed),
    ...(isOptionalService(name, model, routed) && { optional: true }),
  }
}
