import type { Id } from '../../../../contract/shared/ids.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { type Instance, instanceLabels } from '../../applications/instance.ts'
import { findInspection, type ContainerInspection } from '../../containers/inspect.ts'
import type { ServiceSpec } from './specification.ts'

interface Listed {
  Id: string
  Names: string[] | null
  Labels: Record<string, string> | null
}

interface ManagedContainer {
  id: string
  name: string
  application: string
  instance: string
}

export const listManagedContainers = (docker: Docker, application: Id<'application'>) =>
  listDockerContainers(docker, { label: [`${instanceLabels.application}=${application}`] })

export async function listDockerContainers(
  docker: Docker,
  filters: Record<string, string[]>,
): Promise<ManagedContainer[]> {
  const query = new URLSearchParams({ all: '1', filters: JSON.stringify(filters) }).toString()
  const listed = await docker.json<Listed[]>({ path: `/containers/json?${query}` })
  return listed.map(({ Id: id, Names: names, Labels: labels }) => ({
    id,
    name: (names?.[0] ?? '').replace(/^\//, ''),
    application: labels?.[instanceLabels.application] ?? '',
    instance: labels?.[instanceLabels.instance] ?? '',
  }))
}

/** Labels alone prove nothing: an image committed from our container passes them on. */
export const hasGeneratedName = ({ name, instance }: ManagedContainer) =>
  instance !== '' && ownName.exec(name)?.[1] === instance.slice(-4)

const ownName = /^[a-z0-9-]+-\d+-\d+-([^-]+)$/

export const belongsToApplication = (container: ManagedContainer, instances: Instance[]) =>
  hasGeneratedName(container) || instances.some((instance) => belongsToInstance(container, instance))

export const belongsToInstance = (
  container: ManagedContainer,
  { id, container_id }: Pick<Instance, 'id' | 'container_id'>,
) =>
  container.id === container_id ||
  // A container_name does not match the pattern, but only the new container can have the instance label.
  (container.instance === id && (container_id === null || hasGeneratedName(container)))

export const removeContainer = (docker: Docker, id: string, { volumes = false } = {}) =>
  ignoreMissing(
    docker.json({
      method: 'DELETE',
      path: `/containers/${id}?force=1${volumes ? '&v=1' : ''}`,
      timeout: 60_000,
    }),
  )

export const startContainer = (docker: Docker, id: string) =>
  ignoreMissing(docker.json({ method: 'POST', path: `/containers/${id}/start`, timeout: 60_000 }))

/** Longer than any stop timeout. */
const maxStopTimeout = 630_000

export const stopContainer = (docker: Docker, id: string) =>
  ignoreMissing(docker.json({ method: 'POST', path: `/containers/${id}/stop`, timeout: maxStopTimeout }))

export const renameContainer = (docker: Docker, id: string, name: string) =>
  ignoreMissing(
    docker.json({
      method: 'POST',
      path: `/containers/${id}/rename?${new URLSearchParams({ name }).toString()}`,
    }),
  )

export const updateContainer = (docker: Docker, id: string, body: object) =>
  ignoreMissing(docker.json({ method: 'POST', path: `/containers/${id}/update`, body }))

interface NetworkJoin {
  id: string
  network: string
  config: object
}

export async function joinNetwork(docker: Docker, { id, network, config }: NetworkJoin): Promise<void> {
  try {
    await docker.json({
      method: 'POST',
      path: `/networks/${encodeURIComponent(network)}/connect`,
      body: { Container: id, EndpointConfig: config },
      timeout: 60_000,
    })
  } catch (error) {
    if (!(error instanceof DockerError && /already exists in network|already attached/i.test(error.message)))
      throw error
  }
}

export const leaveNetwork = (docker: Docker, { id, network }: Pick<NetworkJoin, 'id' | 'network'>) =>
  docker.json({
    method: 'POST',
    path: `/networks/${encodeURIComponent(network)}/disconnect`,
    body: { Container: id, Force: false },
    timeout: 60_000,
  })

async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    const isGone =
      error instanceof DockerError && (error.status === 404 || removalInProgress.test(error.message))
    if (!isGone) throw error
  }
}

const removalInProgress = /removal of container \S+ is already in progress|marked for removal/i

/** A stop of Docker also ends a container, often with code 0, so it must have finished since Docker started. */
export async function hasContainerCompleted(
  docker: Docker,
  { completes }: Pick<ServiceSpec, 'completes'>,
  id: string,
): Promise<boolean> {
  if (!completes) return false
  const container = await findInspection(docker, id)
  if (!container || !exitedSuccessfully(container)) return false
  return Date.parse(container.State.FinishedAt) >= (await readDockerStart(docker))
}

/** The default bridge is created when Docker starts; 0 if there is none. */
async function readDockerStart(docker: Docker): Promise<number> {
  try {
    return Date.parse((await docker.json<{ Created: string }>({ path: '/networks/bridge' })).Created)
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return 0
    throw error
  }
}

export const exitedSuccessfully = ({ State: state }: ContainerInspection) =>
  state.Status === 'exited' && state.ExitCode === 0
