import type { Context } from '../../../context.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { findNetworkProject } from '../../applications/project.ts'
import { composeOf, findRelease } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import { namedPortsOf } from '../../compose/named-ports.ts'
import { joinsProject } from '../../compose/own-network.ts'
import { replicasOf } from '../../compose/read/read-service.ts'
import type { ServerRow } from '../../servers/server.ts'
import { publishedBy } from './published-by.ts'
import { listRouted, listTargets, type Target } from '../containers/routed.ts'

interface Of {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
}

/** Addresses of the application that would lead nowhere in this model, as sentences. */
export async function addressWarnings({ ctx, application }: Of, model: Model): Promise<string[]> {
  const { workspace_id, release_id } = application
  const live = release_id ? await findRelease(ctx.db, workspace_id, release_id) : undefined
  const before = live && composeOf(ctx, live)?.model
  const targets = await listTargets(ctx.db, application)
  return targets
    .filter(({ kind }) => kind === 'address')
    .flatMap((target) => {
      const why = whyNowhere(target, model, before)
      return why === undefined ? [] : [`${target.from.replace(/^t/, 'T')} routes to ${why}`]
    })
}

/** The services that other applications do not reach although its project has a network, as a sentence. */
export async function projectWarnings({ ctx, application, server }: Of, model: Model): Promise<string[]> {
  const project = await findNetworkProject(ctx.db, application.workspace_id, application.id)
  if (!project) return []
  const routed = await listRouted(ctx.db, application, publishedBy(model, server).lifted)
  const outside = Object.entries(model.services)
    .filter(([name, service]) => !joinsProject(service, model, routed.has(name)))
    .map(([name]) => name)
    .toSorted()
  return outside.length === 0
    ? []
    : [
        `Other applications in project ${project.name} cannot reach ${outside.join(', ')}: only services with a domain, a published TCP port or \`expose\` join the project network, unless all their networks are internal.`,
      ]
}

function whyNowhere({ service, port }: Target, model: Model, before: Model | undefined): string | undefined {
  const found = model.services[service]
  const todo = 'Choose another service, or remove the domain.'
  if (!found || !Object.hasOwn(model.services, service))
    return `the service ${service}, which is not deployed, so requests fail. ${todo}`
  if (replicasOf(found) === 0)
    return `the service ${service}, which is scaled to 0, so requests fail. ${todo}`
  // Many files name no port at all: only of one that was named before is it known that it was meant.
  const isGone =
    port !== null &&
    before !== undefined &&
    namedPortsOf(before, service).includes(port) &&
    !namedPortsOf(model, service).includes(port)
  return isGone
    ? `port ${port} of ${service}, which the compose file no longer lists. Change the port of the domain if ${service} no longer listens on it.`
    : undefined
}
