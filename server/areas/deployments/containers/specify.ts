import type { Pair } from '../../../../contract/shared/entries.ts'
import { openFrozenConfig } from '../../applications/changes/frozen-config.ts'
import { type Instance, listInstances } from '../../applications/instance.ts'
import { environmentOf } from '../../applications/release.ts'
import { containerOf } from '../../compose/container-of.ts'
import type { Making } from '../../compose/endpoints.ts'
import { type GivenFile, filesOf } from '../../compose/files.ts'
import type { Model } from '../../compose/model.ts'
import { Unfit } from '../../compose/read/unfit.ts'
import { type Attempt, Failed, hostFor, releaseOf } from '../run/attempt.ts'
import { contentsOf } from '../run/environment.ts'
import { pinSharedContainers } from '../networks/foreign-networks.ts'
import { actionOn, partOf } from './part.ts'
import { specificationOf } from './specification.ts'

/** What Docker is asked for to make the container of an instance. */
export interface Specified {
  name: string
  body: object
  /** Where the file asks for another than the server's own. */
  platform?: string | undefined
  /** Networks that it joins before it starts. */
  connect: { network: string; config: object }[]
  /** Files that it finds in itself. */
  files: GivenFile[]
  /** What is never told. */
  secrets: Pair[]
}

export async function specify(
  attempt: Attempt,
  instance: Instance,
  model: Model | undefined,
): Promise<Specified> {
  const { ctx, application } = attempt
  const release = releaseOf(attempt)
  const env = environmentOf(ctx, release)
  const service = model?.services[instance.service]
  // Nobody is to find one that is not well yet while there is one that is.
  const named = actionOn(attempt.deployment, instance.service) !== 'rolled'
  if (!model || !service)
    return {
      ...specificationOf({
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
  const pinned = await pinSharedContainers(application, hostFor(attempt).docker, instance.service, service)
  const made = makeOf({
    application,
    release,
    instance,
    name: instance.service,
    model: { ...model, services: { ...model.services, [instance.service]: pinned } },
    imageId: partOf(release, instance.service).image_id,
    named,
    containers: await containersOf(attempt),
  })
  const own = Object.entries(service.environment ?? {}).map(([key, value]) => ({ key, value: value ?? '' }))
  return { ...made, files: filesOf(service, model), secrets: [...env, ...own, ...contentsOf(model)] }
}

function makeOf(making: Making) {
  try {
    return containerOf(making)
  } catch (error) {
    if (error instanceof Unfit) throw new Failed(error.message)
    throw error
  }
}

/** The container of each service that another may share something with: the new one where there is one. */
async function containersOf({ ctx, deployment }: Attempt): Promise<Record<string, string>> {
  const all = await listInstances(ctx.db, deployment.workspace_id, deployment.application_id)
  const isNew = ({ deployment_id }: Instance) => deployment_id === deployment.id
  const found = [...all.filter(({ state }) => state === 'serving'), ...all.filter(isNew)]
  return Object.fromEntries(found.flatMap(({ service, container_id: id }) => (id ? [[service, id]] : [])))
}
