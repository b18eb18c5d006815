import { containerSpec } from './container-spec.ts'
import { containerFiles } from './container-files.ts'
import type { Model, Service } from './model.ts'
import { listDependencies } from './start-order.ts'
import { joinsApplicationNetwork } from './proxy-network.ts'
import { readRestartPolicy } from './read/read-service.ts'

/** `mark` keys the hash, because a plain hash of a short secret could be guessed. */
export function serviceHash(
  service: Service,
  model: Model,
  imageId: string,
  mark: (text: string) => string,
): string {
  const name = 'it'
  const { body, connect, platform } = containerSpec({
    application: { id: 'app_', slug: '' },
    release: { id: 'rel_', number: 0 },
    instance: {
      id: 'ins_',
      replica: 1,
      // The network is constant, because containers move to another network without a replacement.
      ...(joinsApplicationNetwork(service, model, false)
        ? { network: 'slipway-srv_', address: '' }
        : { network: null, address: null }),
      project_network: null,
    },
    name,
    model: { ...model, services: { [name]: service } },
    imageId,
    named: true,
    containers: Object.fromEntries(
      Object.keys(listDependencies(service)).map((dependency) => [dependency, dependency]),
    ),
  })
  return mark(
    canonicalJson({
      body,
      connect,
      platform,
      name: service.container_name,
      restart: readRestartPolicy(service),
      files: containerFiles(service, model),
      networks: only(model.networks, Object.keys(service.networks ?? {})),
      volumes: only(
        model.volumes,
        (service.volumes ?? []).map(({ source = '' }) => source),
      ),
    }),
  )
}

const only = (all: Record<string, unknown>, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(all).filter(([key]) => keys.includes(key)))

export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, child: unknown) =>
    child instanceof Object && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : child,
  )
