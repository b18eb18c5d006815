import { slipwayLabels } from '../../containers/slipway-labels.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { ReleaseConfig, PlannedService, ReleaseService } from '../../../tables.ts'
import {
  applicationVolumeName,
  type Instance,
  isBind,
  listInstances,
  toContainerName,
} from '../../applications/instance.ts'
import { openFrozenConfig, openReleaseEnvironment, type Release } from '../../applications/release.ts'
import { type ContainerFile, containerFiles } from '../../compose/container-files.ts'
import { containerSpec } from '../../compose/container-spec.ts'
import type { Endpoint, ContainerInput } from '../../compose/endpoints.ts'
import { UnsupportedCompose } from '../../compose/model.ts'
import { pinSharedContainers } from '../networks/foreign-networks.ts'
import { type ReleaseRun, DeploymentFailed, getRunHost } from '../run/deployment-run.ts'
import { secretContents } from '../run/redact.ts'

interface SpecificationInput {
  application: { id: Id<'application'>; slug: string }
  release: Pick<Release, 'id' | 'number' | 'image_id'>
  config: ReleaseConfig
  instance: Pick<Instance, 'id' | 'replica' | 'network' | 'address' | 'project_network'>
  env: Pair[]
  named: boolean
}

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

/**
 * Builds the Docker request: environment, labels, volumes, limits, stop grace period and log rotation. Publishes no
 * port: the proxy connects to the container address.
 */
export function containerSpecification({
  application,
  release,
  config,
  instance,
  env,
  named: isNamed,
}: SpecificationInput) {
  const [own, ...connect] = imageEndpoints({ application, instance, named: isNamed })
  if (!own) throw new Error('The container has no network.')
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
        [slipwayLabels.application]: application.id,
        [slipwayLabels.instance]: instance.id,
        [slipwayLabels.release]: release.id,
      },
      StopTimeout: config.stop_grace_seconds,
      HostConfig: {
        NetworkMode: own.network,
        // A restart would hide that the container exited before receiving traffic.
        RestartPolicy: { Name: 'no' },
        // Binds, unlike mounts, make Docker create missing folders.
        Binds: bindsOf.map(({ source, target }) => `${source}:${target}`),
        Mounts: named.map(({ source, target }) => ({
          Type: 'volume',
          Source: applicationVolumeName(application, source),
          Target: target,
          VolumeOptions: { Labels: { [slipwayLabels.application]: application.id } },
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

export interface ContainerSpec {
  name: string
  body: object
  platform?: string | undefined
  connect: { network: string; config: object }[]
  files: ContainerFile[]
  secrets: Pair[]
}

export async function buildContainerSpec(run: ReleaseRun, instance: Instance): Promise<ContainerSpec> {
  const { ctx, application, release, model } = run
  const env = openReleaseEnvironment(ctx, release)
  const service = model?.services[instance.service]
  // During a rolling update the aliases stay with the old containers until the switch.
  const named = plannedAction(run, instance.service) !== 'rolled'
  if (!model || !service)
    return {
      ...containerSpecification({
        application,
        release,
        config: openFrozenConfig(ctx, 'releases', release),
        instance,
        env,
        named,
      }),
      files: [],
      secrets: env,
    }
  const pinned = await pinSharedContainers(application, getRunHost(run).docker, instance.service, service)
  const spec = toContainerSpec({
    application,
    release,
    instance,
    name: instance.service,
    model: { ...model, services: { ...model.services, [instance.service]: pinned } },
    imageId: serviceSpec(release, instance.service).image_id,
    named,
    containers: await listSharedContainers(run),
  })
  const own = Object.entries(service.environment ?? {}).map(([key, value]) => ({ key, value: value ?? '' }))
  return {
    ...spec,
    files: containerFiles(service, model),
    secrets: [...env, ...own, ...secretContents(model)],
  }
}

function toContainerSpec(making: ContainerInput) {
  try {
    return containerSpec(making)
  } catch (error) {
    if (error instanceof UnsupportedCompose) throw new DeploymentFailed(error.message)
    throw error
  }
}

async function listSharedContainers({ ctx, deployment }: ReleaseRun): Promise<Record<string, string>> {
  const all = await listInstances(ctx.db, deployment.workspace_id, deployment.application_id)
  const isNew = ({ deployment_id }: Instance) => deployment_id === deployment.id
  const containers = [...all.filter(({ state }) => state === 'serving'), ...all.filter(isNew)]
  return Object.fromEntries(
    containers.flatMap(({ service, container_id: id }) => (id ? [[service, id]] : [])),
  )
}

export type ServiceSpec = { service: string } & Pick<
  ReleaseService,
  'image_id' | 'replicas' | 'restart' | 'retries' | 'memory_limit' | 'completes' | 'optional'
>

function serviceSpecs({ config, image_id }: Pick<Release, 'config' | 'image_id'>): ServiceSpec[] {
  const { replicas, restart, memory_limit } = config
  return (
    config.services?.map(({ name, ...service }) => ({ ...service, service: name })) ?? [
      { service: '', image_id, replicas, restart, memory_limit, completes: false },
    ]
  )
}

export function serviceSpec(release: Pick<Release, 'config' | 'image_id'>, service: string): ServiceSpec {
  const part = serviceSpecs(release).find((spec) => spec.service === service)
  if (!part) throw new Error(`The release has no service ${service}.`)
  return part
}

interface PlannedDeployment {
  plan: readonly PlannedService[] | null
}

/** A deployment without a plan affects all services. */
export const plannedAction = (
  { plan }: PlannedDeployment,
  service: string,
): PlannedService['action'] | undefined =>
  plan ? plan.find((planned) => planned.service === service)?.action : 'rolled'

export const servicesToStart = ({ release, plan }: Pick<ReleaseRun, 'release' | 'plan'>): ServiceSpec[] =>
  serviceSpecs(release).filter(({ service }) =>
    ['added', 'rolled', 'recreated'].includes(plannedAction({ plan }, service) ?? ''),
  )

export const isReplaced = (deployment: PlannedDeployment, service: string) =>
  plannedAction(deployment, service) !== 'unchanged'
