import type { Pair } from '../../../../contract/shared/entries.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import { toContainerName } from '../../applications/changes/container-name.ts'
import { type Instance, instanceLabels, isBind, volumeNameOf } from '../../applications/instance.ts'
import type { Release } from '../../applications/release.ts'
import type { ReleaseConfig } from '../../../tables.ts'
import type { Endpoint } from '../../compose/endpoints.ts'

interface SpecificationInput {
  application: { id: Id<'application'>; slug: string }
  release: Pick<Release, 'id' | 'number' | 'image_id'>
  config: ReleaseConfig
  instance: Pick<Instance, 'id' | 'replica' | 'network' | 'address' | 'project_network'>
  env: Pair[]
  /** Whether to set the alias in the project network. */
  named: boolean
}

/** Networks of an image container, its own first. */
export const imageEndpoints = ({
  application: { slug },
  instance: { network, address, project_network },
  named,
}: Pick<SpecificationInput, 'named'> & {
  application: Pick<SpecificationInput['application'], 'slug'>
  instance: Pick<Instance, 'network' | 'address' | 'project_network'>
}): Endpoint[] => [
  ...(network === null
    ? []
    : [{ network, config: { IPAMConfig: { IPv4Address: address ?? '' }, Aliases: [slug] } }]),
  ...(project_network === null
    ? []
    : [{ network: project_network, config: { Aliases: named ? [slug] : [] } }]),
]

/** Builds the Docker request. Publishes no port: the proxy connects to the container address. */
export function containerSpecification({
  application,
  release,
  config,
  instance,
  env,
  named: isNamed,
}: SpecificationInput) {
  const [own, ...connect] = imageEndpoints({ application, instance, named: isNamed })
  if (!own) throw new Error('A container of an image has a network.')
  const bindsOf = config.volumes.filter(({ source }) => isBind(source))
  const named = config.volumes.filter(({ source }) => !isBind(source))
  return {
    name: toContainerName(application, release, instance),
    connect,
    body: {
      Image: release.image_id,
      ...(config.command && { Cmd: config.command }),
      Env: env.map(({ key, value }) => `${key}=${value}`),
      Labels: {
        ...Object.fromEntries(config.labels.map(({ key, value }) => [key, value])),
        [instanceLabels.application]: application.id,
        [instanceLabels.instance]: instance.id,
        [instanceLabels.release]: release.id,
      },
      StopTimeout: config.stop_seconds,
      HostConfig: {
        NetworkMode: own.network,
        // A restart would hide that the container exited before receiving traffic.
        RestartPolicy: { Name: 'no' },
        // Docker creates missing folders for binds.
        Binds: bindsOf.map(({ source, target }) => `${source}:${target}`),
        Mounts: named.map(({ source, target }) => ({
          Type: 'volume',
          Source: volumeNameOf(application, source),
          Target: target,
          VolumeOptions: { Labels: { [instanceLabels.application]: application.id } },
        })),
        ...(config.memory_limit !== null && {
          Memory: config.memory_limit,
          // Equal to Memory, so that no swap is used.
          MemorySwap: config.memory_limit,
        }),
        ...(config.cpu_limit !== null && { NanoCpus: Math.round(config.cpu_limit * 1e9) }),
        LogConfig: { Type: 'json-file', Config: { 'max-size': '10m', 'max-file': '5' } },
      },
      NetworkingConfig: { EndpointsConfig: { [own.network]: own.config } },
    },
  }
}

export const restartPolicy = ({ restart, retries }: { restart: string; retries?: number }) => ({
  RestartPolicy: { Name: restart, ...(retries !== undefined && { MaximumRetryCount: retries }) },
})
