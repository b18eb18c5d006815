import type { Id } from '../../../../contract/shared/ids.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { type Instance, instanceLabels } from '../../applications/instance.ts'

/** The parts of Docker's answer that are used. */
interface Listed {
  Id: string
  Names: string[] | null
  Labels: Record<string, string> | null
}

/** One that says of itself that Slipway made it, or says nothing. */
export interface Made {
  id: string
  name: string
  application: string
  instance: string
}

/** All containers of an application that are there, in whichever state. */
export const listMade = (docker: Docker, application: Id<'application'>) =>
  listContainers(docker, { label: [`${instanceLabels.application}=${application}`] })

export async function listContainers(docker: Docker, filters: Record<string, string[]>): Promise<Made[]> {
  const query = new URLSearchParams({ all: '1', filters: JSON.stringify(filters) }).toString()
  const found = await docker.json<Listed[]>({ path: `/containers/json?${query}` })
  return found.map(({ Id: id, Names: names, Labels: labels }) => ({
    id,
    name: (names?.[0] ?? '').replace(/^\//, ''),
    application: labels?.[instanceLabels.application] ?? '',
    instance: labels?.[instanceLabels.instance] ?? '',
  }))
}

/**
 * Labels alone prove nothing: an image that somebody made of a container of ours has them, and gives them to all that is
 * run from it. Only what is also called as we call it was made by us.
 */
export const isNamedByUs = ({ name, instance }: Made) =>
  instance !== '' && ownName.exec(name)?.[1] === instance.slice(-4)

const ownName = /^[a-z0-9-]+-\d+-\d+-([^-]+)$/

/** All that goes with an application. */
export const isOneOf = (made: Made, instances: Instance[]) =>
  isNamedByUs(made) || instances.some((instance) => isOf(made, instance))

/** The containers of an instance: the one that is written down, or that of a try which was cut off before it was. */
export const isOf = (made: Made, { id, container_id }: Pick<Instance, 'id' | 'container_id'>) =>
  made.id === container_id ||
  // The file may give it a name; nobody can have copied one that is only being made.
  (made.instance === id && (container_id === null || isNamedByUs(made)))

/** At once, for one that nobody needs; its named volumes stay. */
export const removeContainer = (docker: Docker, id: string, { volumes = false } = {}) =>
  unlessGone(
    docker.json({
      method: 'DELETE',
      path: `/containers/${id}?force=1${volumes ? '&v=1' : ''}`,
      timeout: 60_000,
    }),
  )

/** One that runs already goes on. */
export const startContainer = (docker: Docker, id: string) =>
  unlessGone(docker.json({ method: 'POST', path: `/containers/${id}/start`, timeout: 60_000 }))

/** More than a container may be given to end by itself. */
const longestStop = 630_000

/** It gets its time to end by itself. */
export const stopContainer = (docker: Docker, id: string) =>
  unlessGone(docker.json({ method: 'POST', path: `/containers/${id}/stop`, timeout: longestStop }))

/** Its processes stand still; on a server that cannot do that they go on. */
export const pauseContainer = (docker: Docker, id: string) =>
  unlessRefused(docker.json({ method: 'POST', path: `/containers/${id}/pause` }))

/** One that goes on already does so. */
export const unpauseContainer = (docker: Docker, id: string) =>
  unlessRefused(docker.json({ method: 'POST', path: `/containers/${id}/unpause` }))

export const renameContainer = (docker: Docker, id: string, name: string) =>
  unlessGone(
    docker.json({
      method: 'POST',
      path: `/containers/${id}/rename?${new URLSearchParams({ name }).toString()}`,
    }),
  )

export const updateContainer = (docker: Docker, id: string, body: object) =>
  unlessGone(docker.json({ method: 'POST', path: `/containers/${id}/update`, body }))

interface Joining {
  id: string
  network: string
  /** Such as its address and aliases there. */
  config: object
}

/** One that is in it already stays as it is. */
export async function joinNetwork(docker: Docker, { id, network, config }: Joining): Promise<void> {
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

export const leaveNetwork = (docker: Docker, { id, network }: Pick<Joining, 'id' | 'network'>) =>
  docker.json({
    method: 'POST',
    path: `/networks/${encodeURIComponent(network)}/disconnect`,
    body: { Container: id, Force: false },
    timeout: 60_000,
  })

/** What is not there need not be changed; and what somebody else is removing is going. */
async function unlessGone(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    const isGone = error instanceof DockerError && (error.status === 404 || isGoing.test(error.message))
    if (!isGone) throw error
  }
}

async function unlessRefused(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof DockerError)) throw error
  }
}

const isGoing = /removal of container \S+ is already in progress|marked for removal/i
