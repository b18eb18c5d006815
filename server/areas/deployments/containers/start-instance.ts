import type { Pair } from '../../../../contract/shared/entries.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import type { ReleaseConfig, Trx } from '../../../tables.ts'
import { openFrozenConfig } from '../../applications/changes/frozen-config.ts'
import { type Instance, updateInstance } from '../../applications/instance.ts'
import type { Model } from '../../compose/model.ts'
import { allSettledOrThrow } from '../run/all-settled.ts'
import {
  type DeploymentRun,
  DeploymentFailed,
  hostOfRun,
  DeploymentEnded,
  requireRelease,
  writeWithLease,
} from '../run/deployment-run.ts'
import { chooseAddresses } from '../networks/choose-addresses.ts'
import { belongsToInstance, joinNetwork, listManagedContainers, removeContainer } from './containers.ts'
import { maskValues } from '../run/mask-values.ts'
import { hasCompleted } from './has-completed.ts'
import { isTransientDockerError } from '../run/retry-while-unreachable.ts'
import type { NetworkAssignment } from '../networks/own-networks.ts'
import { serviceSpec } from './service-spec.ts'
import { type ContainerSpec, buildContainerSpec } from './build-container-spec.ts'
import { startFailureMessage } from './start-failure.ts'
import { Readable } from 'node:stream'
import type { ContainerFile } from '../../compose/container-files.ts'
import { writeTar } from './tar.ts'

const maxAttempts = 4
const dockerTimeout = 60_000

/**
 * Creates and starts the container, unless an earlier attempt did. Not abortable, so that no container is
 * created without being recorded.
 */
export async function startInstance(
  attempt: DeploymentRun,
  given: Instance,
  { place, model }: { place: NetworkAssignment | undefined; model: Model | undefined },
): Promise<void> {
  const { docker } = hostOfRun(attempt)
  const config = openFrozenConfig(attempt.ctx, 'releases', requireRelease(attempt))
  const part = serviceSpec(requireRelease(attempt), given.service)
  let instance = given
  for (let nth = 1; ; nth++) {
    const specified = await buildContainerSpec(attempt, instance, model)
    const { name, secrets } = specified
    try {
      const id = instance.container_id ?? (await createContainer(docker, instance, specified))
      const isDone = attempt.wasInterrupted && (await hasCompleted(docker, part, id))
      if (!isDone) await prepareContainer(docker, id, specified)
      // A later worker also finds the container by its name, so starting need not wait for the row.
      await allSettledOrThrow([
        change(attempt, instance, { container_id: id }).then((now) => (instance = now)),
        ...(isDone
          ? []
          : [docker.json({ method: 'POST', path: `/containers/${id}/start`, timeout: dockerTimeout })]),
      ])
      attempt.log.write(`Started container ${name}${instance.address ? ` (${instance.address})` : ''}`)
      return
    } catch (error) {
      if (!(error instanceof DockerError) || isTransientDockerError(error)) throw error
      if (nth === maxAttempts || !(addressInUse.test(error.message) || isMissingContainer(error)))
        throw startError(attempt, { name, config, secrets }, error.message)
      instance = await recreateWithNewAddress(attempt, instance, place)
    }
  }
}

interface FailedStart {
  name: string
  config: ReleaseConfig
  secrets: Pair[]
}

/** The command may contain a secret, too. */
function startError(
  { log, server }: DeploymentRun,
  { name, config, secrets }: FailedStart,
  said: string,
): DeploymentFailed {
  const why = startFailureMessage(said, { container: name, server: server.name, config })
  const words = maskValues(`Docker: ${said.replace(/\.?$/, '.')}`, secrets)
  log.write(words)
  return new DeploymentFailed(maskValues(why, secrets), [words])
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
    const made = (await listManagedContainers(docker, instance.application_id)).find((one) =>
      belongsToInstance(one, instance),
    )
    if (!made) throw error
    return made.id
  }
}

/** Connects networks and copies files, which Docker does not support at creation. */
async function prepareContainer(
  docker: Docker,
  id: string,
  { connect, files }: ContainerSpec,
): Promise<void> {
  for (const { network, config } of connect) await joinNetwork(docker, { id, network, config })
  if (files.length > 0) await putFiles(docker, id, files)
}

/** Recreates the instance with another address, after checking the lease. */
async function recreateWithNewAddress(
  attempt: DeploymentRun,
  instance: Instance,
  place: NetworkAssignment | undefined,
): Promise<Instance> {
  await writeWithLease(attempt, async () => {})
  if (instance.container_id)
    await removeContainer(hostOfRun(attempt).docker, instance.container_id, { volumes: true })
  return writeWithLease(attempt, async (trx) => {
    const [address = instance.address] = place ? await chooseAddresses(attempt, trx, place, 1) : []
    const network = place ? place.network : instance.network
    return update(trx, instance, { address, network, container_id: null })
  })
}

const change = (attempt: DeploymentRun, instance: Instance, changes: Parameters<typeof updateInstance>[3]) =>
  writeWithLease(attempt, (trx) => update(trx, instance, changes))

async function update(
  trx: Trx,
  { workspace_id, id }: Instance,
  changes: Parameters<typeof updateInstance>[3],
) {
  const now = await updateInstance(trx, workspace_id, id, changes)
  if (!now) throw new DeploymentEnded()
  return now
}

/** Copies files into a created container, with missing folders. Idempotent. */
async function putFiles(docker: Docker, id: string, files: ContainerFile[]): Promise<void> {
  try {
    const answer = await docker.stream({
      method: 'PUT',
      path: `/containers/${id}/archive?path=%2F`,
      headers: { 'content-type': 'application/x-tar' },
      input: Readable.from([writeTar(files)]),
      timeout: 60_000,
    })
    await answer.toArray()
  } catch (error) {
    if (!(error instanceof DockerError) || isTransientDockerError(error) || error.status === 404) throw error
    const paths = files.map(({ path }) => path).join(', ')
    // The message of Docker may quote the file contents, so it is not shown.
    if (!isReadOnly.test(error.message))
      throw new DeploymentFailed(
        `Docker could not copy ${paths} into the container (status ${error.status}). Check the secrets and configs of the service and the free disk space on the server.`,
      )
    throw new DeploymentFailed(
      `${paths} cannot be copied into a container with a read-only file system. Remove read_only from the compose file, or provide the secrets and configs as files in the application folder.`,
    )
  }
}

const isReadOnly = /read-only/i
