import type { z } from 'zod'
import type { listServices as contract, serviceStates } from '../../../contract/compose.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import type { ReleaseService } from '../../tables.ts'
import type { Container } from '../containers/container.ts'
import { readApplicationContainers } from '../containers/application-containers.ts'
import { getServerRow } from '../servers/server.ts'
import { type ApplicationRow, getApplicationRow } from './application.ts'
import { domainUrl, isIssued } from './hosts/domain-url.ts'
import { type ApplicationFacts, listKnownDomains, listApplicationFacts } from './application-facts.ts'
import { findRelease } from './release.ts'
import { hasCompleted, computeApplicationState } from './application-state.ts'

type Services = z.input<(typeof contract)['reply']>['services']

export async function listServices(ctx: Context, actor: Actor, id: Id<'application'>): Promise<Services> {
  const application = await getApplicationRow(ctx, actor, id)
  const { workspace_id: workspaceId, release_id: releaseId } = application
  const [release, [facts], addresses] = await Promise.all([
    releaseId === null ? undefined : findRelease(ctx.db, workspaceId, releaseId),
    listApplicationFacts(ctx.db, workspaceId, [id]),
    listKnownDomains(ctx.db, workspaceId, [id]),
  ])
  const services = release?.config.services ?? []
  if (!facts || services.length === 0) return []
  const server = await getServerRow(ctx, actor, application.server_id)
  // While the server is unreachable, return what is known without waiting.
  const containers = facts.live ? await readApplicationContainers(ctx, server, id) : []
  return services
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((service) => ({
      ...presentService(application, service, facts, containers),
      addresses: addresses
        .filter((address) => address.service === service.name)
        .map((address) =>
          domainUrl(address, address.certificate !== null && isIssued(address.certificate), facts),
        ),
    }))
}

function presentService(
  application: ApplicationRow,
  service: ReleaseService,
  facts: ApplicationFacts,
  containers: Container[],
) {
  const { name, image, digest, ports } = service
  const ours = facts.instances.filter((instance) => instance.service === name)
  const ids = new Set<string>(ours.map((instance) => instance.id))
  return {
    name,
    image,
    digest,
    ...computeServiceState(application, service, { ...facts, instances: ours }),
    ports,
    containers: containers.filter(({ instance_id: instance }) => ids.has(instance ?? '')),
  }
}

export function computeServiceState(
  application: Pick<ApplicationRow, 'wanted'>,
  { replicas }: Pick<ReleaseService, 'replicas'>,
  facts: ApplicationFacts,
): { state: (typeof serviceStates)[number]; reason: string | null; running: number; wanted: number } {
  // The crash may have been in another service.
  const { state, reason, containers } = computeApplicationState(application, {
    ...facts,
    replicas,
    crashed: null,
  })
  const serving = facts.instances.filter((instance) => instance.state === 'serving')
  const counted = { running: containers.running, wanted: containers.wanted }
  if (state === 'running' && serving.length > 0 && serving.every(hasCompleted))
    return { state: 'completed', reason: null, ...counted }
  const isStarting =
    facts.instances.some((instance) => instance.state === 'held') ||
    serving.some(({ health }) => health === 'starting')
  if (state === 'crashing') return { state: 'failed', reason, ...counted }
  if (isStarting && (state === 'degraded' || state === 'failed'))
    return { state: 'starting', reason, ...counted }
  if (state === 'never_deployed') return { state: 'unknown', reason, ...counted }
  return { state, reason, ...counted }
}
