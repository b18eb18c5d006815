import type { Context } from '../../../context.ts'
import { networkEndpoints } from '../../compose/endpoints.ts'
import type { Model } from '../../compose/model.ts'
import { serviceContainerName } from '../../compose/docker-names.ts'
import { toResourceLimits } from '../../compose/host-config.ts'
import { openReleaseCompose } from '../release.ts'
import type { ObservedContainer } from './observed-containers.ts'
import { toContainerName } from '../instance.ts'
import type { ReleaseConfig } from '../config.ts'
import type { ApplicationRow } from '../application.ts'

export interface ExpectedContainer {
  name: string
  /** Docker counts in bytes, with 0 for no limit. */
  memory: number
  nanoCpus: number
  restart: ReturnType<typeof toRestartPolicy>
  completes: boolean
  networks: string[]
}

export type ContainerComparison = ObservedContainer & { expected: ExpectedContainer }

export function withExpected(
  ctx: Pick<Context, 'secrets'>,
  application: ApplicationRow,
  seen: ObservedContainer[],
): ContainerComparison[] {
  const models = new Map<string, Model | undefined>()
  return seen.map((container) => {
    const { release } = container
    if (!models.has(release.id)) models.set(release.id, openReleaseCompose(ctx, release)?.model)
    const model = models.get(release.id)
    return {
      ...container,
      expected: model
        ? expectServiceContainer(application, container, model)
        : expectImageContainer(application, container),
    }
  })
}

const expectImageContainer = (
  application: ApplicationRow,
  { instance, release }: ObservedContainer,
): ExpectedContainer => ({
  name: toContainerName(application, release, instance),
  memory: release.config.memory_limit ?? 0,
  nanoCpus: Math.round((release.config.cpu_limit ?? 0) * 1e9),
  restart: release.config.restart,
  completes: false,
  networks: [instance.network, instance.project_network].flatMap((network) => network ?? []),
})

function expectServiceContainer(
  application: ApplicationRow,
  { instance, release }: ObservedContainer,
  model: Model,
): ExpectedContainer {
  const name = instance.service
  const service = model.services[name] ?? {}
  const part = release.config.services?.find((service) => service.name === name)
  const { Memory: memory, NanoCpus: nanoCpus } = toResourceLimits(service)
  const making = { application, release, instance, name, model, imageId: '', named: true, containers: {} }
  return {
    name: serviceContainerName(application, release, instance, name, service),
    memory: Number(memory ?? 0),
    nanoCpus: Number(nanoCpus ?? 0),
    restart: toRestartPolicy(part?.restart),
    completes: part?.completes ?? false,
    networks: networkEndpoints(making).map(({ network }) => network),
  }
}

type Restart = ReleaseConfig['restart']

export const toRestartPolicy = (policy: string | undefined): Restart => {
  if (policy === 'always' || policy === 'unless-stopped') return 'always'
  return policy === 'on-failure' ? 'on-failure' : 'no'
}

/** Exit code of programs that SIGTERM ends. */
const terminated = 143

/** Docker restarts containers that exit by themselves, so one that stays down was stopped manually. */
export function wasStoppedManually(restart: Restart, code: number | null): boolean {
  if (restart === 'always') return true
  return restart === 'on-failure' ? code !== 0 : code === terminated
}
