import { formatList } from '../../../../contract/shared/format-list.ts'
import type { PlannedService, ReleaseService } from '../../../tables.ts'
import { type Instance, listInstances } from '../../applications/instance.ts'
import { openReleaseCompose, findReleases } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import { joinsApplicationNetwork } from '../../compose/proxy-network.ts'
import { planComposeServices, type RunningService } from '../../compose/compose-plan.ts'
import { getServerHost } from '../../servers/server-host.ts'
import { listRouteTargets } from '../containers/route-targets.ts'
import { countServices } from '../run/deployment.ts'
import type { ServerScope } from '../run/deployment-run.ts'
import { type ContainerInspection, findInspection } from '../../containers/docker-container.ts'

export async function planServices(
  { ctx, application, server }: ServerScope,
  { model, services }: { model: Model; services: Pick<ReleaseService, 'name' | 'hash'>[] },
  { all, signal }: { all: boolean; signal: AbortSignal },
): Promise<PlannedService[]> {
  const running = await readRunning({ ctx, application, server }, signal)
  const hashes = Object.fromEntries(services.map(({ name, hash }) => [name, hash]))
  return planComposeServices({ target: { model, hashes }, running, all }).map(
    ({ name, action, reasons }) => ({
      service: name,
      action,
      reasons,
    }),
  )
}

async function readRunning(
  { ctx, application, server }: ServerScope,
  signal: AbortSignal,
): Promise<Record<string, RunningService>> {
  const { workspace_id, id } = application
  const instances = (await listInstances(ctx.db, workspace_id, id)).filter(
    ({ state }) => state === 'serving' || state === 'held',
  )
  const { docker } = getServerHost(ctx, server)
  const seen = await Promise.all(
    instances.map(async (instance) => ({
      instance,
      container: instance.container_id
        ? await findInspection(docker, instance.container_id, signal)
        : undefined,
    })),
  )
  const ids = instances.map(({ release_id }) => release_id)
  const found = await findReleases(ctx.db, workspace_id, ids)
  const releases = new Map(found.map((release) => [release.id, release]))
  const routed = new Set((await listRouteTargets(ctx.db, application)).map(({ service }) => service))
  const running: Record<string, RunningService> = {}
  for (const name of new Set(instances.map(({ service }) => service))) {
    const ofService = seen.filter(({ instance }) => instance.service === name)
    const of = ofService.at(-1)?.instance.release_id
    const release = of && releases.get(of)
    const made = release?.config.services?.find((one) => one.name === name)
    if (!release || !made) continue
    const model = openReleaseCompose(ctx, release)?.model
    const service = model?.services[name]
    // A container that was created isolated cannot be routed to.
    const isReached = ({ address }: Instance) =>
      address !== null ||
      !routed.has(name) ||
      !model ||
      !service ||
      !joinsApplicationNetwork(service, model, true)
    running[name] = {
      hash: made.hash,
      healthy: ofService.filter(
        ({ instance, container }) => isReached(instance) && isHealthy(instance, made, container),
      ).length,
      service: service ?? null,
    }
  }
  return running
}

function isHealthy(
  { state }: Instance,
  { completes }: ReleaseService,
  container: ContainerInspection | undefined,
): boolean {
  if (!container || state === 'held') return false
  const { Status: status, ExitCode: code, Health: health } = container.State
  if (completes && status === 'exited') return code === 0
  return status === 'running' && (health === undefined || health.Status !== 'unhealthy')
}

const maxNamed = 3

export function planMessage(plan: readonly PlannedService[]): string {
  const namesOf = (action: PlannedService['action']) =>
    plan.flatMap((planned) =>
      planned.action === action && !isScaledToZero(planned) ? [planned.service] : [],
    )
  const [added, alone] = [namesOf('added'), namesOf('unchanged')]
  const replaced = [
    ...phrase('recreate', namesOf('recreated')),
    ...phrase('update', namesOf('rolled')),
    ...phrase('remove', namesOf('removed')),
  ]
  if (replaced.length === 0 && added.length === 0)
    return `Deploy ${countServices(alone.length)}, none changed`
  if (replaced.length === 0 && alone.length === 0) return `Deploy ${countServices(added.length)}`
  const [first = '', ...others] = [...replaced, ...phrase('add', added), ...phrase('keep', alone)]
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(', ')
}

const isScaledToZero = ({ action, reasons }: PlannedService) => action === 'unchanged' && reasons.length > 0

const phrase = (verb: string, names: readonly string[]): string[] =>
  names.length === 0
    ? []
    : [`${verb} ${names.length > maxNamed ? countServices(names.length) : formatList(names)}`]
