import type { Model } from '../../compose/model.ts'
import { dependenciesOf } from '../../compose/order.ts'
import { replicasOf } from '../../compose/read/read-service.ts'
import { type Attempt, ownInstances } from '../run/attempt.ts'
import type { Part } from '../containers/part.ts'
import { untilTheyAreWell, untilWellOrNot } from '../steps/wait.ts'

/**
 * What it depends on was started before it. Where it needs that to be well, or to have ended, that is waited for; what
 * was left alone is so already.
 */
export async function untilNeedsAreMet(
  attempt: Attempt,
  { service }: Part,
  model: Model | undefined,
): Promise<void> {
  const own = model?.services[service]
  if (!own) return
  const awaited = Object.entries(dependenciesOf(own)).filter(
    ([, { condition }]) => condition !== 'service_started',
  )
  if (awaited.length === 0) return
  const made = await ownInstances(attempt)
  for (const [name, { required }] of awaited) {
    const other = model.services[name]
    const instances = made.filter((one) => one.service === name)
    if (other && replicasOf(other) === 0)
      attempt.log.say(`Warning: ${service} depends on ${name}, which is scaled to 0.`)
    if (instances.length === 0) continue
    attempt.log.say(`${service}: waiting for ${name}`)
    await (required ? untilTheyAreWell(attempt, instances) : untilWellOrNot(attempt, instances))
  }
}
