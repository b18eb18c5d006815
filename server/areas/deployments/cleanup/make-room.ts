import { type Instance, listInstances } from '../../applications/instance.ts'
import { composeOf, findReleases } from '../../applications/release.ts'
import { clashes, follows } from '../../compose/clashes.ts'
import type { Model, Service } from '../../compose/model.ts'
import { inspect, nameOf } from '../../containers/inspect.ts'
import { type Attempt, hostFor } from '../run/attempt.ts'
import { giveNameAway, hold } from './hold.ts'
import { actionOn, isReplaced, type Part } from '../containers/part.ts'

/**
 * What is about to be started may need what another service has until now: its name, its address, its port, or its files.
 * That one makes room, and comes back when this fails. Safe to do again.
 */
export async function makeRoom(attempt: Attempt, parts: Part[], model: Model): Promise<void> {
  const others = await listOthers(attempt)
  const wanted = parts.map(({ service: name }) => ({ name, model, service: model.services[name] ?? {} }))
  const inTheWay = others.filter((other) =>
    wanted.some(
      (one) =>
        one.name !== other.name &&
        (clashes(one, other) ||
          (actionOn(attempt.deployment, other.name) === 'removed' && follows(one, other))),
    ),
  )
  for (const name of new Set(inTheWay.map((one) => one.name))) await hold(attempt, name)
  for (const { service } of wanted)
    if (service.container_name !== undefined) await freeName(attempt, service.container_name)
}

interface Other {
  name: string
  service: Service
  model: Model
}

/** What serves, or has made room, and goes; as it was deployed. */
async function listOthers({ ctx, deployment, application }: Attempt): Promise<Other[]> {
  const { workspace_id, id } = application
  const going = (await listInstances(ctx.db, workspace_id, id)).filter(
    ({ state, service, deployment_id }) =>
      (state === 'serving' || state === 'held') &&
      deployment_id !== deployment.id &&
      isReplaced(deployment, service),
  )
  const ids = going.map(({ release_id }) => release_id)
  const releases = new Map((await findReleases(ctx.db, workspace_id, ids)).map((one) => [one.id, one]))
  return going.flatMap(({ service: name, release_id }) => {
    const release = releases.get(release_id)
    const model = release && composeOf(ctx, release)?.model
    const service = model?.services[name]
    return model && service ? [{ name, service, model }] : []
  })
}

/** One that was stopped, or is about to end, keeps its name for those who look at it, until that is needed. */
async function freeName(attempt: Attempt, name: string): Promise<void> {
  const { ctx, application } = attempt
  const { docker } = hostFor(attempt)
  const found = await inspect(docker, name, attempt.signal)
  if (!found || nameOf(found) !== name) return
  const all = await listInstances(ctx.db, application.workspace_id, application.id)
  const isPast = ({ state }: Instance) => state === 'stopped' || state === 'draining'
  for (const one of all) if (one.container_id === found.Id && isPast(one)) await giveNameAway(docker, one)
}
