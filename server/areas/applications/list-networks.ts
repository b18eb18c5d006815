import type { z } from 'zod'
import type { listApplicationNetworks as contract } from '../../../contract/application-entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { composeNetworkName, projectAlias } from '../compose/docker-names.ts'
import { hasNetworks } from '../compose/proxy-network.ts'
import { getApplicationRow } from './application.ts'
import { type Instance, listInstances } from './instance.ts'
import { findProject } from './project.ts'
import { openReleaseCompose, findReleases } from './release.ts'
import type { ApplicationRow } from './store.ts'

type Reply = z.input<(typeof contract)['reply']>
type Kind = Reply['networks'][number]['kind']

/** Networks of running containers: they change with a deployment. */
export async function listApplicationNetworks(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
): Promise<Reply> {
  const application = await getApplicationRow(ctx, actor, id)
  const { workspace_id, project_id } = application
  const all = await listInstances(ctx.db, workspace_id, id)
  const running = all.filter(({ state }) => state === 'serving')
  const project = project_id ? await findProject(ctx.db, workspace_id, project_id) : undefined
  const found = new Map<string, { kind: Kind; services: Set<string> }>()
  for (const { name, kind, service } of await listJoined(ctx, application, running)) {
    const network = found.get(name) ?? { kind, services: new Set() }
    found.set(name, network)
    if (service !== '') network.services.add(service)
  }
  return {
    networks: [...found].map(([name, { kind, services }]) => ({
      name,
      kind,
      services: [...services].toSorted(),
    })),
    project: project ?? null,
    hosts: hostsOf(application, running),
  }
}

async function listJoined(ctx: Context, application: ApplicationRow, running: readonly Instance[]) {
  const { workspace_id } = application
  const ids = running.map(({ release_id }) => release_id)
  const releases = await findReleases(ctx.db, workspace_id, ids)
  const models = new Map(releases.map((release) => [release.id, openReleaseCompose(ctx, release)?.model]))
  return running.flatMap(({ service, release_id, network, project_network }) => {
    const model = models.get(release_id)
    const of = model?.services[service]
    const keys = of && hasNetworks(of) ? Object.keys(of.networks ?? {}) : []
    return [
      ...(network === null ? [] : [{ name: network, kind: 'application' as const, service }]),
      ...keys.map((key) => ({
        name: model ? composeNetworkName(application, model, key) : key,
        kind: 'compose' as const,
        service,
      })),
      ...(project_network === null ? [] : [{ name: project_network, kind: 'project' as const, service }]),
    ]
  })
}

/** Services in the project network; without any, those that the proxy routes to. */
function hostsOf(application: ApplicationRow, running: readonly Instance[]): Reply['hosts'] {
  if (application.compose_sealed === null) return [{ service: null, host: application.slug }]
  const joined = running.filter(({ project_network }) => project_network !== null)
  const reached = joined.length > 0 ? joined : running.filter(({ network }) => network !== null)
  return [...new Set(reached.map(({ service }) => service))]
    .toSorted()
    .map((service) => ({ service, host: projectAlias(application, service) }))
}
