import type { Instance } from '../../applications/instance.ts'
import { findInspection } from '../../containers/inspect.ts'
import { type DeploymentRun, hostOfRun, listNewInstances, requireRelease } from '../run/deployment-run.ts'
import { isCompose, loadModel } from '../compose/load-model.ts'
import { plannedAction } from '../containers/service-spec.ts'
import { rejoinNetworks, endpointsToRejoin } from '../networks/network-aliases.ts'

/** Adds the network aliases now that the containers are healthy. Idempotent. */
export async function addAliases(attempt: DeploymentRun): Promise<void> {
  const own = await listNewInstances(attempt)
  const nameless = own.filter(
    ({ service, project_network }) =>
      (isCompose(attempt) || project_network !== null) &&
      plannedAction(attempt.deployment, service) === 'rolled',
  )
  if (nameless.length === 0) return
  await attempt.stepEntered
  await Promise.all(nameless.map((one) => addAliasesTo(attempt, one)))
}

async function addAliasesTo(attempt: DeploymentRun, instance: Instance): Promise<void> {
  const { application } = attempt
  const release = requireRelease(attempt)
  const { docker } = hostOfRun(attempt)
  const model = await loadModel(attempt)
  const found = await findInspection(docker, instance.container_id ?? '', attempt.signal)
  if (!found) return
  await rejoinNetworks(
    docker,
    found,
    endpointsToRejoin(found, { application, release, instance, model, named: true }),
  )
}
