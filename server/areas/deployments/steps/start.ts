import { allSettledOrThrow } from '../../../platform/async.ts'
import { newId } from '../../../platform/ids.ts'
import type { Trx } from '../../../tables.ts'
import { type Instance, insertInstance } from '../../applications/instance.ts'
import type { Model } from '../../compose/model.ts'
import { exposesPort } from '../../compose/proxy-network.ts'
import { readReplicas } from '../../compose/read/read-service.ts'
import { startWaves, listDependencies } from '../../compose/start-order.ts'
import { stopConflictingServices, stopToMakeRoom } from '../cleanup/stop-to-make-room.ts'
import { ensureComposeNetworks } from '../compose/compose-networks.ts'
import { ensureComposeVolumes } from '../compose/compose-volumes.ts'
import { resolvePort, listServiceTargets } from '../containers/route-targets.ts'
import {
  plannedAction,
  createsContainers,
  type ServiceSpec,
  serviceSpecs,
} from '../containers/specification.ts'
import { startInstance } from '../containers/start-instance.ts'
import { findImage } from '../images/ensure-image.ts'
import { chooseAddresses } from '../networks/addresses.ts'
import {
  ensureOwnNetwork,
  ensureProjectNetwork,
  joinsProjectNetwork,
  type NetworkAssignment,
} from '../networks/own-networks.ts'
import { type ReleaseRun, getRunHost, listNewInstances, writeWithLease } from '../run/deployment-run.ts'
import { waitUntilHealthy, waitForOptional } from './wait-until-healthy.ts'

interface ServiceStart {
  part: ServiceSpec
  assignment: NetworkAssignment | undefined
  projectNetwork: string | null
}

/** Saves each row before its container. None receives traffic yet. */
export async function startContainers(run: ReleaseRun): Promise<void> {
  const parts = serviceSpecs(run.release).filter(({ service }) => createsContainers(run, service))
  if (parts.length === 0) return
  const { model } = run
  const projectNetwork = await ensureProjectNetwork(run)
  if (model) {
    await run.stepEntered
    await ensureComposeNetworks(run, model)
    await ensureComposeVolumes(run, model)
  }
  for (const wave of toWaves(parts, model)) {
    if (model) await stopConflictingServices(run, wave, model)
    await allSettledOrThrow(wave.map((part) => startService(run, { part, projectNetwork })))
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

async function startService(run: ReleaseRun, serviceStart: Omit<ServiceStart, 'assignment'>): Promise<void> {
  const { part } = serviceStart
  const start = {
    ...serviceStart,
    assignment: await ensureOwnNetwork(run, part.service),
    projectNetwork: (await joinsProjectNetwork(run, part.service)) ? serviceStart.projectNetwork : null,
  }
  await waitForDependencies(run, part)
  const [port] = await Promise.all([findPort(run, start), run.stepEntered])
  run.signal.throwIfAborted()
  if (plannedAction(run, part.service) === 'recreated') await stopToMakeRoom(run, part.service)
  const instances = await writeWithLease(run, (trx) => reserveInstances(run, trx, start, port))
  run.signal.throwIfAborted()
  await allSettledOrThrow(instances.map((instance) => startInstance(run, instance, start.assignment)))
}

async function findPort(run: ReleaseRun, { part }: ServiceStart): Promise<number | null> {
  const [image, targets] = await Promise.all([
    findImage(getRunHost(run).docker, part.image_id, run.signal),
    listServiceTargets(run, part.service),
  ])
  const port = resolvePort(run.release, { service: part.service, model: run.model, image, targets })
  if (port === null && targets.some((target) => target.port === null))
    run.log.write(
      'Warning: no port is set and the image exposes none, so the generated URL does not work. Set the port in the settings if the application serves HTTP.',
    )
  return port
}

async function reserveInstances(
  run: ReleaseRun,
  trx: Trx,
  { part, assignment, projectNetwork }: ServiceStart,
  port: number | null,
): Promise<Instance[]> {
  const { workspace_id, server_id, id: application_id } = run.application
  const own = (await listNewInstances(run, trx)).filter(({ service }) => service === part.service)
  const missing = Array.from({ length: part.replicas }, (_, index) => index + 1).filter(
    (replica) => !own.some((instance) => instance.replica === replica),
  )
  const service = run.model?.services[part.service]
  const addresses = assignment ? await chooseAddresses(run, trx, assignment, missing.length) : []
  for (const [index, replica] of missing.entries())
    own.push(
      await insertInstance(trx, {
        id: newId('instance'),
        workspace_id,
        application_id,
        server_id,
        deployment_id: run.deployment.id,
        release_id: run.release.id,
        service: part.service,
        replica,
        network: assignment?.network ?? null,
        address: addresses[index] ?? null,
        project_network: assignment ? projectNetwork : null,
        exposes_port: service !== undefined && exposesPort(service),
        port,
        state: 'starting',
      }),
    )
  return own
}

async function waitForDependencies(run: ReleaseRun, { service }: ServiceSpec): Promise<void> {
  const { model } = run
  const own = model?.services[service]
  if (!own) return
  const awaited = Object.entries(listDependencies(own)).filter(
    ([, { condition }]) => condition !== 'service_started',
  )
  if (awaited.length === 0) return
  const created = await listNewInstances(run)
  for (const [name, { required }] of awaited) {
    const dependency = model.services[name]
    const instances = created.filter((instance) => instance.service === name)
    if (dependency && readReplicas(dependency) === 0)
      run.log.write(`Warning: ${service} depends on ${name}, which is scaled to 0.`)
    if (instances.length === 0) continue
    run.log.write(`${service}: waiting for ${name}`)
    await (required ? waitUntilHealthy(run, instances) : waitForOptional(run, instances))
  }
}
