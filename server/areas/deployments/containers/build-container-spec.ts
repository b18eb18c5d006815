import type { Pair } from '../../../../contract/shared/entries.ts'
import { openFrozenConfig } from '../../applications/changes/frozen-config.ts'
import { type Instance, listInstances } from '../../applications/instance.ts'
import { environmentOf } from '../../applications/release.ts'
import { containerSpec } from '../../compose/container-spec.ts'
import type { ContainerInput } from '../../compose/endpoints.ts'
import { type ContainerFile, containerFiles } from '../../compose/container-files.ts'
import type { Model } from '../../compose/model.ts'
import { UnsupportedCompose } from '../../compose/read/unsupported-compose.ts'
import { type DeploymentRun, DeploymentFailed, hostOfRun, requireRelease } from '../run/deployment-run.ts'
import { secretContents } from '../run/mask-values.ts'
import { pinSharedContainers } from '../networks/foreign-networks.ts'
import { plannedAction, serviceSpec } from './service-spec.ts'
import { containerSpecification } from './specification.ts'

export interface ContainerSpec {
  name: string
  body: object
  /** Set if the file requires another platform than that of the server. */
  platform?: string | undefined
  /** Networks to join before the start. */
  connect: { network: string; config: object }[]
  files: ContainerFile[]
  /** Values to mask. */
  secrets: Pair[]
}

export async function buildContainerSpec(
  attempt: DeploymentRun,
  instance: Instance,
  model: Model | undefined,
): Promise<ContainerSpec> {
  const { ctx, application } = attempt
  const release = requireRelease(attempt)
  const env = environmentOf(ctx, release)
  const service = model?.services[instance.service]
  // During a rolling update the aliases stay with the old containers until the switch.
  const named = plannedAction(attempt.deployment, instance.service) !== 'rolled'
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
  const pinned = await pinSharedContainers(application, hostOfRun(attempt).docker, instance.service, service)
  const made = toContainerSpec({
    application,
    release,
    instance,
    name: instance.service,
    model: { ...model, services: { ...model.services, [instance.service]: pinned } },
    imageId: serviceSpec(release, instance.service).image_id,
    named,
    containers: await listSharedContainers(attempt),
  })
  const own = Object.entries(service.environment ?? {}).map(([key, value]) => ({ key, value: value ?? '' }))
  return {
    ...made,
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

/** Maps services to their containers for shared namespaces, preferring new ones. */
async function listSharedContainers({ ctx, deployment }: DeploymentRun): Promise<Record<string, string>> {
  const all = await listInstances(ctx.db, deployment.workspace_id, deployment.application_id)
  const isNew = ({ deployment_id }: Instance) => deployment_id === deployment.id
  const found = [...all.filter(({ state }) => state === 'serving'), ...all.filter(isNew)]
  return Object.fromEntries(found.flatMap(({ service, container_id: id }) => (id ? [[service, id]] : [])))
}
