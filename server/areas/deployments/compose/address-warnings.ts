import type { Context } from '../../../context.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { findNetworkProject } from '../../applications/project.ts'
import { openReleaseCompose, findRelease } from '../../applications/release.ts'
import { declaredPorts } from '../../compose/ports.ts'
import type { Model } from '../../compose/model.ts'
import { isReachableInProject } from '../../compose/proxy-network.ts'
import { readReplicas } from '../../compose/read/read-service.ts'
import type { ServerRow } from '../../servers/server.ts'
import { composePorts } from '../containers/published-ports.ts'
import { listRoutedServices, listRouteTargets, type RouteTarget } from '../containers/route-targets.ts'

interface ComposeScope {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
}

/** Warns about domains that route nowhere in this model. */
export async function addressWarnings({ ctx, application }: ComposeScope, model: Model): Promise<string[]> {
  const { workspace_id, release_id } = application
  const live = release_id ? await findRelease(ctx.db, workspace_id, release_id) : undefined
  const before = live && openReleaseCompose(ctx, live)?.model
  const targets = await listRouteTargets(ctx.db, application)
  return targets
    .filter(({ kind }) => kind === 'address')
    .flatMap((target) => {
      const why = brokenRouteReason(target, model, before)
      return why === undefined ? [] : [`${target.from.replace(/^t/, 'T')} routes to ${why}`]
    })
}

/** Warns about services that other applications of the project cannot reach. */
export async function projectWarnings(
  { ctx, application, server }: ComposeScope,
  model: Model,
): Promise<string[]> {
  const project = await findNetworkProject(ctx.db, application.workspace_id, application.id)
  if (!project) return []
  const routed = await listRoutedServices(ctx.db, application, composePorts(model, server).viaProxy)
  const outside = Object.entries(model.services)
    .filter(([name, service]) => !isReachableInProject(service, model, routed.has(name)))
    .map(([name]) => name)
    .toSorted()
  return outside.length === 0
    ? []
    : [
        `Other applications in project ${project.name} cannot reach ${outside.join(', ')}: only services with a domain, a published TCP port or \`expose\` join the project network, unless all their networks are internal.`,
      ]
}

function brokenRouteReason(
  { service, port }: RouteTarget,
  model: Model,
  before: Model | undefined,
): string | undefined {
  const found = model.services[service]
  const todo = 'Choose another service, or remove the domain.'
  if (!found || !Object.hasOwn(model.services, service))
    return `the service ${service}, which is not deployed, so requests fail. ${todo}`
  if (readReplicas(found) === 0)
    return `the service ${service}, which is scaled to 0, so requests fail. ${todo}`
  // Many files list no ports, so only a port that was listed before is known to be missing.
  const isGone =
    port !== null &&
    before !== undefined &&
    declaredPorts(before, service).includes(port) &&
    !declaredPorts(model, service).includes(port)
  return isGone
    ? `port ${port} of ${service}, which the compose file no longer lists. Change the port of the domain if ${service} no longer listens on it.`
    : undefined
}
