import { type Instance, listInstances } from '../../applications/instance.ts'
import { composeOf, findReleases } from '../../applications/release.ts'
import { hasResourceConflict, takesOverResources } from '../../compose/exclusive-resources.ts'
import type { Model, Service } from '../../compose/model.ts'
import { findInspection, containerName } from '../../containers/inspect.ts'
import { type DeploymentRun, hostOfRun } from '../run/deployment-run.ts'
import { releaseContainerName, stopToMakeRoom } from './stop-to-make-room.ts'
import { plannedAction, isReplaced, type ServiceSpec } from '../containers/service-spec.ts'

/**
 * Stops other services that hold a name, address, port or volume that the new services need. They are
 * restarted if the deployment fails. Idempotent.
 */
export async function stopConflictingServices(
  attempt: DeploymentRun,
  parts: ServiceSpec[],
  model: Model,
): Promise<void> {
  const others = await listReplacedServices(attempt)
  const wanted = parts.map(({ service: name }) => ({ name, model, service: model.services[name] ?? {} }))
  const inTheWay = others.filter((other) =>
    wanted.some(
      (one) =>
        one.name !== other.name &&
        (hasResourceConflict(one, other) ||
          (plannedAction(attempt.deployment, other.name) === 'removed' && takesOverResources(one, other))),
    ),
  )
  for (const name of new Set(inTheWay.map((one) => one.name))) await stopToMakeRoom(attempt, name)
  for (const { service } of wanted)
    if (service.container_name !== undefined) await freeName(attempt, service.container_name)
}

interface ReplacedService {
  name: string
  service: Service
  model: Model
}

async function listReplacedServices({
  ctx,
  deployment,
  application,
}: DeploymentRun): Promise<ReplacedService[]> {
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

/** Stopped and draining containers keep their names until another needs them. */
async function freeName(attempt: DeploymentRun, name: string): Promise<void> {
  const { ctx, application } = attempt
  const { docker } = hostOfRun(attempt)
  const found = await findInspection(docker, name, attempt.signal)
  if (!found || containerName(found) !== name) return
  const all = await listInstances(ctx.db, application.workspace_id, application.id)
  const isPast = ({ state }: Instance) => state === 'stopped' || state === 'draining'
  for (const one of all)
    if (one.container_id === found.Id && isPast(one)) await releaseContainerName(docker, one)
}
