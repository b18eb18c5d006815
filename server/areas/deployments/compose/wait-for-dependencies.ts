import type { Model } from '../../compose/model.ts'
import { dependenciesOf } from '../../compose/start-order.ts'
import { replicasOf } from '../../compose/read/read-service.ts'
import { type DeploymentRun, listNewInstances } from '../run/deployment-run.ts'
import type { ServiceSpec } from '../containers/service-spec.ts'
import { waitUntilHealthy, waitForOptional } from '../steps/wait-until-healthy.ts'

/** Waits for dependencies with a condition to be healthy or completed; unchanged services already are. */
export async function waitForDependencies(
  attempt: DeploymentRun,
  { service }: ServiceSpec,
  model: Model | undefined,
): Promise<void> {
  const own = model?.services[service]
  if (!own) return
  const awaited = Object.entries(dependenciesOf(own)).filter(
    ([, { condition }]) => condition !== 'service_started',
  )
  if (awaited.length === 0) return
  const made = await listNewInstances(attempt)
  for (const [name, { required }] of awaited) {
    const other = model.services[name]
    const instances = made.filter((one) => one.service === name)
    if (other && replicasOf(other) === 0)
      attempt.log.write(`Warning: ${service} depends on ${name}, which is scaled to 0.`)
    if (instances.length === 0) continue
    attempt.log.write(`${service}: waiting for ${name}`)
    await (required ? waitUntilHealthy(attempt, instances) : waitForOptional(attempt, instances))
  }
}
