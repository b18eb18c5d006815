import { allSettledOrThrow } from '../../../platform/async.ts'
import { newId } from '../../../platform/ids.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import type { ReleaseConfig, Trx } from '../../../tables.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import {
  type Instance,
  insertInstance,
  updateInstance,
  belongsToInstance,
  listManagedContainers,
} from '../../applications/instance.ts'
import { openFrozenConfig } from '../../applications/release.ts'
import { exposesPort } from '../../compose/proxy-network.ts'
import { hasContainerCompleted, joinNetwork, removeContainer } from '../../containers/docker-container.ts'
import { stopToMakeRoom } from '../cleanup/stop-to-make-room.ts'
import { putFiles } from '../containers/copy-files.ts'
import { listServiceTargets, resolvePort } from '../containers/route-targets.ts'
import {
  buildContainerSpec,
  type ContainerSpec,
  plannedAction,
  type ServiceSpec,
  serviceSpec,
  servicesToStart,
} from '../containers/specification.ts'
import { startFailureMessage } from '../containers/container-failure.ts'
import { findImage } from '../images/ensure-image.ts'
import {
  chooseAddresses,
  ensureOwnNetwork,
  ensureProjectNetwork,
  joinsProjectNetwork,
  type NetworkAssignment,
} from '../networks/own-networks.ts'
import {
  DeploymentEnded,
  DeploymentFailed,
  getRunHost,
  isTransientDockerError,
  listNewInstances,
  type ReleaseRun,
  writeWithLease,
} from '../run/deployment-run.ts'
import { maskEnvironmentValues } from '../run/redact.ts'

export async function startContainers(run: ReleaseRun): Promise<void> {
  const projectNetwork = await ensureProjectNetwork(run)
  await allSettledOrThrow(servicesToStart(run).map((part) => startService(run, part, projectNetwork)))
}

/** Saves each row before its container is created. The containers receive no traffic yet. */
export async function startService(
  run: ReleaseRun,
  part: ServiceSpec,
  projectNetwork: string | null,
): Promise<void> {
  const start = {
    part,
    assignment: await ensureOwnNetwork(run, part.service),
    projectNetwork: (await joinsProjectNetwork(run, part.service)) ? projectNetwork : null,
  }
  const [port] = await Promise.all([findPort(run, start), run.stepEntered])
  run.signal.throwIfAborted()
  if (plannedAction(run, part.service) === 'recreated') await stopToMakeRoom(run, part.service)
  const instances = await writeWithLease(run, (trx) => reserveInstances(run, trx, start, port))
  run.signal.throwIfAborted()
  await allSettledOrThrow(instances.map((instance) => startInstance(run, instance, start.assignment)))
}

interface ServiceStart {
  part: ServiceSpec
  assignment: NetworkAssignment | undefined
  projectNetwork: string | null
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

const maxAttempts = 4
const dockerTimeout = 60_000

/** The start cannot be aborted, so that no container is created without being recorded. */
async function startInstance(
  run: ReleaseRun,
  reserved: Instance,
  assignment: NetworkAssignment | undefined,
): Promise<void> {
  const { docker } = getRunHost(run)
  const config = openFrozenConfig(run.ctx, 'releases', run.release)
  const part = serviceSpec(run.release, reserved.service)
  let instance = reserved
  for (let attempt = 1; ; attempt++) {
    const specified = await buildContainerSpec(run, instance)
    const { name, secrets } = specified
    try {
      const id = instance.container_id ?? (await createContainer(docker, instance, specified))
      const isDone = run.interruption.occurred && (await hasContainerCompleted(docker, part, id))
      if (!isDone) await prepareContainer(docker, id, specified)
      // A later worker also finds the container by its name, so starting need not wait for the row.
      await allSettledOrThrow([
        save(run, instance, { container_id: id }).then((now) => (instance = now)),
        ...(isDone
          ? []
          : [docker.json({ method: 'POST', path: `/containers/${id}/start`, timeout: dockerTimeout })]),
      ])
      run.log.write(`Started container ${name}${instance.address ? ` (${instance.address})` : ''}`)
      return
    } catch (error) {
      if (!(error instanceof DockerError) || isTransientDockerError(error)) throw error
      if (attempt === maxAttempts || !(addressInUse.test(error.message) || isMissingContainer(error)))
        throw startError(run, { name, config, secrets }, error.message)
      instance = await recreateWithNewAddress(run, instance, assignment)
    }
  }
}

/** Masks the reason as well, because it may quote the command, which may contain a secret. */
function startError(
  { log, server }: ReleaseRun,
  { name, config, secrets }: { name: string; config: ReleaseConfig; secrets: Pair[] },
  message: string,
): DeploymentFailed {
  const reason = startFailureMessage(message, { container: name, server: server().name, config })
  const line = maskEnvironmentValues(`Docker: ${message.replace(/\.?$/, '.')}`, secrets)
  log.write(line)
  return new DeploymentFailed(maskEnvironmentValues(reason, secrets), [line])
}

const addressInUse = /address already in use/i
const isMissingContainer = ({ status, message }: DockerError) =>
  status === 404 && /no such container/i.test(message)

/** The name is unique, so an existing container is from an earlier attempt. */
async function createContainer(
  docker: Docker,
  instance: Instance,
  { name, body, platform }: ContainerSpec,
): Promise<string> {
  try {
    const query = new URLSearchParams({ name, ...(platform && { platform }) }).toString()
    const path = `/containers/create?${query}`
    return (await docker.json<{ Id: string }>({ method: 'POST', path, body, timeout: dockerTimeout })).Id
  } catch (error) {
    if (!(error instanceof DockerError && error.status === 409)) throw error
    const existing = (await listManagedContainers(docker, instance.application_id)).find((one) =>
      belongsToInstance(one, instance),
    )
    if (!existing) throw error
    return existing.id
  }
}

async function prepareContainer(
  docker: Docker,
  id: string,
  { connect, files }: ContainerSpec,
): Promise<void> {
  for (const { network, config } of connect) await joinNetwork(docker, { id, network, config })
  if (files.length > 0) await putFiles(docker, id, files)
}

async function recreateWithNewAddress(
  run: ReleaseRun,
  instance: Instance,
  assignment: NetworkAssignment | undefined,
): Promise<Instance> {
  await writeWithLease(run, async () => {})
  if (instance.container_id)
    await removeContainer(getRunHost(run).docker, instance.container_id, { volumes: true })
  return writeWithLease(run, async (trx) => {
    const [address = instance.address] = assignment ? await chooseAddresses(run, trx, assignment, 1) : []
    const network = assignment ? assignment.network : instance.network
    return update(trx, instance, { address, network, container_id: null })
  })
}

const save = (run: ReleaseRun, instance: Instance, changes: Parameters<typeof updateInstance>[3]) =>
  writeWithLease(run, (trx) => update(trx, instance, changes))

async function update(
  trx: Trx,
  { workspace_id, id }: Instance,
  changes: Parameters<typeof updateInstance>[3],
) {
  const now = await updateInstance(trx, workspace_id, id, changes)
  if (!now) throw new DeploymentEnded()
  return now
}
