import { allSettledOrThrow } from '../../../platform/async.ts'
import { newId } from '../../../platform/ids.ts'
import type { Trx } from '../../../tables.ts'
import { type Instance, insertInstance } from '../../applications/instance.ts'
import type { Model } from '../../compose/model.ts'
import { exposesPort } from '../../compose/proxy-network.ts'
import { replicasOf } from '../../compose/read/read-service.ts'
import { startWaves, dependenciesOf } from '../../compose/start-order.ts'
import { stopConflictingServices, stopToMakeRoom } from '../cleanup/stop-to-make-room.ts'
import { ensureComposeNetworks } from '../compose/compose-networks.ts'
import { ensureComposeVolumes } from '../compose/compose-volumes.ts'
import { loadModel } from '../compose/read-compose.ts'
import { resolvePort, listServiceTargets } from '../containers/routed.ts'
import {
  plannedAction,
  createsContainers,
  type ServiceSpec,
  serviceSpecs,
} from '../containers/service-spec.ts'
import { startInstance } from '../containers/start-instance.ts'
import { findImage } from '../images/find-image.ts'
import { chooseAddresses } from '../networks/addresses.ts'
import {
  ensureOwnNetwork,
  ensureProjectNetwork,
  joinsProjectNetwork,
  type NetworkAssignment,
} from '../networks/own-networks.ts'
import {
  type DeploymentRun,
  hostOfRun,
  listNewInstances,
  requireRelease,
  writeWithLease,
} from '../run/deployment-run.ts'
import { decidePlan } from './decide-plan.ts'
import { waitUntilHealthy, waitForOptional } from './wait-until-healthy.ts'

interface ServiceStart {
  part: ServiceSpec
  model: Model | undefined
  /** Network for the proxy; undefined for isolated services. */
  place: NetworkAssignment | undefined
  /** Network of the project; null for services that take no requests. */
  projectNetwork: string | null
}

/**
 * Starts one container per replica, in dependency order, each with its row first. None receives traffic yet.
 * Containers that cannot run next to their replacement are stopped right before it starts.
 */
export async function startStep(attempt: DeploymentRun): Promise<void> {
  if (!attempt.deployment.plan) await decidePlan(attempt)
  const parts = serviceSpecs(requireRelease(attempt)).filter(({ service }) =>
    createsContainers(attempt.deployment, service),
  )
  if (parts.length === 0) return
  const [projectNetwork, model] = await Promise.all([ensureProjectNetwork(attempt), loadModel(attempt)])
  if (model) {
    await attempt.stepEntered
    await ensureComposeNetworks(attempt, model)
    await ensureComposeVolumes(attempt, model)
  }
  for (const wave of toWaves(parts, model)) {
    if (model) await stopConflictingServices(attempt, wave, model)
    await allSettledOrThrow(wave.map((part) => startService(attempt, { part, model, projectNetwork })))
  }
}

function toWaves(parts: ServiceSpec[], model: Model | undefined): ServiceSpec[][] {
  if (!model) return [parts]
  const waves = startWaves(
    model,
    parts.map(({ service }) => service),
  )
  return waves.map((wave) => parts.filter(({ service }) => wave.includes(service)))
}

async function startService(attempt: DeploymentRun, given: Omit<ServiceStart, 'place'>): Promise<void> {
  const { part, model } = given
  const making = {
    ...given,
    place: await ensureOwnNetwork(attempt, part.service, model),
    projectNetwork: (await joinsProjectNetwork(attempt, part.service, model)) ? given.projectNetwork : null,
  }
  await waitForDependencies(attempt, part, model)
  const [port] = await Promise.all([findPort(attempt, making), attempt.stepEntered])
  attempt.signal.throwIfAborted()
  if (plannedAction(attempt.deployment, part.service) === 'recreated')
    await stopToMakeRoom(attempt, part.service)
  const instances = await writeWithLease(attempt, (trx) => reserveInstances(attempt, trx, making, port))
  attempt.signal.throwIfAborted()
  await allSettledOrThrow(instances.map((one) => startInstance(attempt, one, making)))
}

async function findPort(attempt: DeploymentRun, { part, model }: ServiceStart): Promise<number | null> {
  const [image, targets] = await Promise.all([
    findImage(hostOfRun(attempt).docker, part.image_id, attempt.signal),
    listServiceTargets(attempt, part.service),
  ])
  const port = resolvePort(requireRelease(attempt), { service: part.service, model, image, targets })
  if (port === null && targets.some((one) => one.port === null))
    attempt.log.write(
      'Warning: no port is set and the image exposes none, so the generated URL does not work. Set the port in the settings if the application serves HTTP.',
    )
  return port
}

/** Creates the missing rows; an earlier attempt may have created some. */
async function reserveInstances(
  attempt: DeploymentRun,
  trx: Trx,
  { part, model, place, projectNetwork }: ServiceStart,
  port: number | null,
): Promise<Instance[]> {
  const { workspace_id, server_id, id: application_id } = attempt.application
  const own = (await listNewInstances(attempt, trx)).filter(({ service }) => service === part.service)
  const missing = Array.from({ length: part.replicas }, (_, index) => index + 1).filter(
    (replica) => !own.some((one) => one.replica === replica),
  )
  const addresses = place ? await chooseAddresses(attempt, trx, place, missing.length) : []
  for (const [index, replica] of missing.entries())
    own.push(
      await insertInstance(trx, {
        id: newId('instance'),
        workspace_id,
        application_id,
        server_id,
        deployment_id: attempt.deployment.id,
        release_id: requireRelease(attempt).id,
        service: part.service,
        replica,
        network: place?.network ?? null,
        address: addresses[index] ?? null,
        project_network: place ? projectNetwork : null,
        exposes_port: exposesPort(model?.services[part.service] ?? {}),
        port,
        state: 'starting',
      }),
    )
  return own
}

/** Waits for dependencies with a condition to be healthy or completed; unchanged services already are. */
async function waitForDependencies(
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
