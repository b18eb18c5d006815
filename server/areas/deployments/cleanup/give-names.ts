import type { Instance } from '../../applications/instance.ts'
import { inspect } from '../../containers/inspect.ts'
import { type Attempt, hostFor, ownInstances, releaseOf } from '../run/attempt.ts'
import { isCompose, modelFor } from '../compose/model-for.ts'
import { actionOn } from '../containers/part.ts'
import { joinAnew, misnamedIn } from '../networks/set-names.ts'

/** Other services, and other applications of its project, find it by its name only now that it is well. Safe to do again. */
export async function giveNames(attempt: Attempt): Promise<void> {
  const own = await ownInstances(attempt)
  const nameless = own.filter(
    ({ service, project_network }) =>
      (isCompose(attempt) || project_network !== null) && actionOn(attempt.deployment, service) === 'rolled',
  )
  if (nameless.length === 0) return
  await attempt.entered
  await Promise.all(nameless.map((one) => giveName(attempt, one)))
}

async function giveName(attempt: Attempt, instance: Instance): Promise<void> {
  const { application } = attempt
  const release = releaseOf(attempt)
  const { docker } = hostFor(attempt)
  const model = await modelFor(attempt)
  const found = await inspect(docker, instance.container_id ?? '', attempt.signal)
  if (!found) return
  await joinAnew(docker, found, misnamedIn(found, { application, release, instance, model, named: true }))
}
