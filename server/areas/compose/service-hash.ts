import { containerSpec } from './container-spec.ts'
import { containerFiles } from './container-files.ts'
import type { Model, Service } from './model.ts'
import { dependenciesOf } from './start-order.ts'
import { joinsApplicationNetwork } from './proxy-network.ts'
import { restartPolicyOf } from './read/read-service.ts'

/**
 * Tells whether containers of a service would be the same: over what Docker would be asked to make, what is put into it,
 * and the networks and volumes that it has. `mark` hides it, since secrets are part of that and a plain hash of a short
 * one could be guessed.
 */
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
      // The same for all: containers are moved to another network without replacing them.
      ...(joinsApplicationNetwork(service, model, false)
        ? { network: 'slipway-srv_', address: '' }
        : { network: null, address: null }),
      project_network: null,
    },
    name,
    model: { ...model, services: { [name]: service } },
    imageId,
    named: true,
    // Their names stand for those that it shares with.
    containers: Object.fromEntries(Object.keys(dependenciesOf(service)).map((other) => [other, other])),
  })
  return mark(
    canonicalJson({
      body,
      connect,
      platform,
      name: service.container_name,
      restart: restartPolicyOf(service),
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

/** The same text for the same value, in whatever order it was written. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) =>
    one instanceof Object && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )
