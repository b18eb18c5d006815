import type { Context } from '../../context.ts'
import type { ApplicationRow } from '../applications/application.ts'
import { composeOf, findRelease } from '../applications/release.ts'
import type { Model } from '../compose/model.ts'
import { namedPortsOf } from '../compose/named-ports.ts'
import { replicasOf } from '../compose/read-service.ts'
import { listTargets, type Target } from './routed.ts'

interface Of {
  ctx: Context
  application: ApplicationRow
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
      return why === undefined ? [] : [`${target.from.replace(/^t/, 'T')} leads to ${why}`]
    })
}

function whyNowhere({ service, port }: Target, model: Model, before: Model | undefined): string | undefined {
  const found = model.services[service]
  const todo = 'Choose another service for it, or remove it.'
  if (!found || !Object.hasOwn(model.services, service))
    return `the service ${service}, which would not be deployed: whoever comes there would get an error. ${todo}`
  if (replicasOf(found) === 0)
    return `the service ${service}, which would have no containers: whoever comes there would get an error. ${todo}`
  // Many files name no port at all: only of one that was named before is it known that it was meant.
  const isGone =
    port !== null &&
    before !== undefined &&
    namedPortsOf(before, service).includes(port) &&
    !namedPortsOf(model, service).includes(port)
  return isGone
    ? `port ${port} of ${service}, which the compose file no longer names. Give it another port if ${service} does not listen there any more.`
    : undefined
}
