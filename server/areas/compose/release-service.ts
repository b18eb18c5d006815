import type { ReleaseService } from '../../tables.ts'
import type { Model } from './model.ts'
import type { LiftedPort } from './ports.ts'
import {
  completes,
  isOptional,
  memoryOf,
  replicasOf,
  restartPolicyOf,
  stopSecondsOf,
} from './read/read-service.ts'

interface Given {
  name: string
  model: Model
  image: string
  imageId: string
  digest: string | null
  hash: string
  /** Those of all services, as the proxy carries them. */
  ports: readonly LiftedPort[]
  /** Whether a domain leads to it. */
  routed: boolean
}

/** What a release tells of a service to those who may not see its secrets. */
export function serviceOf({ name, model, image, imageId, digest, hash, ...given }: Given): ReleaseService {
  const service = model.services[name] ?? {}
  const restart = restartPolicyOf(service)
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
    replicas: replicasOf(service),
    restart: restart.Name,
    ...(restart.MaximumRetryCount !== undefined && { retries: restart.MaximumRetryCount }),
    stop_seconds: stopSecondsOf(service),
    memory_limit: memoryOf(service),
    ports,
    completes: completes(name, model, routed),
    ...(isOptional(name, model, routed) && { optional: true }),
  }
}
