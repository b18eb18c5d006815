import type { Context } from '../../../context.ts'
import { endpointsOf } from '../../compose/endpoints.ts'
import type { Model } from '../../compose/model.ts'
import { serviceContainerName } from '../../compose/names.ts'
import { resourcesOf } from '../../compose/resources.ts'
import { containerNameOf } from './container-name.ts'
import { composeOf } from '../release.ts'
import { restartOf } from './restart.ts'
import type { Seen } from './seen.ts'
import type { ApplicationRow } from '../store.ts'

/** Expected properties of a container that can be changed manually. */
export interface Made {
  name: string
  /** In bytes; 0 for no limit, as in Docker. */
  memory: number
  nanoCpus: number
  restart: ReturnType<typeof restartOf>
  /** Whether the container is expected to exit. */
  completes: boolean
  networks: string[]
}

export type SeenAndMade = Seen & { made: Made }

/** Opens the compose file of a release once for all its containers. */
export function withMade(
  ctx: Pick<Context, 'secrets'>,
  application: ApplicationRow,
  seen: Seen[],
): SeenAndMade[] {
  const models = new Map<string, Model | undefined>()
  return seen.map((one) => {
    const { release } = one
    if (!models.has(release.id)) models.set(release.id, composeOf(ctx, release)?.model)
    const model = models.get(release.id)
    return { ...one, made: model ? ofService(application, one, model) : ofImage(application, one) }
  })
}

const ofImage = (application: ApplicationRow, { instance, release }: Seen): Made => ({
  name: containerNameOf(application, release, instance),
  memory: release.config.memory_limit ?? 0,
  nanoCpus: Math.round((release.config.cpu_limit ?? 0) * 1e9),
  restart: release.config.restart,
  completes: false,
  networks: [instance.network, instance.project_network].flatMap((network) => network ?? []),
})

function ofService(application: ApplicationRow, { instance, release }: Seen, model: Model): Made {
  const name = instance.service
  const service = model.services[name] ?? {}
  const part = release.config.services?.find((one) => one.name === name)
  const { Memory: memory, NanoCpus: nanoCpus } = resourcesOf(service)
  const making = { application, release, instance, name, model, imageId: '', named: true, containers: {} }
  return {
    name: serviceContainerName(application, release, instance, name, service),
    memory: Number(memory ?? 0),
    nanoCpus: Number(nanoCpus ?? 0),
    restart: restartOf(part?.restart),
    completes: part?.completes ?? false,
    networks: endpointsOf(making).map(({ network }) => network),
  }
}
