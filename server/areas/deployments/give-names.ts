import type { Instance } from '../applications/instance.ts'
import { inspect } from '../containers/inspect.ts'
import { type Attempt, hostFor, ownInstances, releaseOf } from './attempt.ts'
import { modelFor } from './model-for.ts'
import { actionOn, partOf } from './part.ts'
import { joinAnew, misnamedIn } from './set-names.ts'

/** Other services find it by its name only now that it is well. Safe to do again. */
export async function giveNames(attempt: Attempt): Promise<void> {
  if (!(await modelFor(attempt))) return
  const own = await ownInstances(attempt)
  const nameless = own.filter(({ service }) => actionOn(attempt.deployment, service) === 'rolled')
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
  if (!model || !found) return
  const making = {
    application,
    release,
    instance,
    name: instance.service,
    model,
    imageId: partOf(release, instance.service).image_id,
    named: true,
    containers: {},
  }
  await joinAnew(docker, found, misnamedIn(found, making))
}
