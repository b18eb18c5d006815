import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import { createSemaphore, type Semaphore } from '../../platform/async.ts'
import { type Container, toContainer } from './container.ts'
import { findInspection } from './inspect.ts'
import { type ListedContainer, fromListedContainer } from './listed-container.ts'

/** So many containers of one server are inspected at once, whoever asks. */
const AT_ONCE = 8

/** Every container that the server has, as it is now. */
export async function readContainers(docker: Docker, signal?: AbortSignal): Promise<Container[]> {
  return readListed(docker, await listDockerContainers(docker, {}, signal), signal)
}

/** Those that carry a label with this value. */
export const readLabeledContainers = async (
  docker: Docker,
  label: string,
  value: string,
  signal?: AbortSignal,
) => readListed(docker, await listDockerContainers(docker, { label: [`${label}=${value}`] }, signal), signal)

async function readListed(docker: Docker, listed: Container[], signal?: AbortSignal): Promise<Container[]> {
  const all = await Promise.all(listed.map(({ id }) => readContainer(docker, id, signal)))
  return all.filter((container) => container !== undefined)
}

/** One of them by its id; nothing when it is gone. */
export async function readContainer(
  docker: Docker,
  id: string,
  signal?: AbortSignal,
): Promise<Container | undefined> {
  const giveBack = await turnsOf(docker).acquire(signal)
  try {
    const inspected = await findInspection(docker, id, signal)
    return inspected && toContainer(inspected)
  } catch (error) {
    if (!(error instanceof DockerError)) throw error
    // Docker trips over one that is damaged, and still lists it.
    return (await listDockerContainers(docker, { id: [id] }, signal)).find((container) => container.id === id)
  } finally {
    giveBack()
  }
}

/** What a list of Docker says: all there is, at once, but with less of each. */
export async function listDockerContainers(
  docker: Docker,
  filters: { id?: string[]; label?: string[] } = {},
  signal?: AbortSignal,
): Promise<Container[]> {
  const query = new URLSearchParams({ all: '1', filters: JSON.stringify(filters) })
  const listed = await docker.json<ListedContainer[]>({
    path: `/containers/json?${query.toString()}`,
    signal,
  })
  return listed.map(fromListedContainer)
}

const turns = new WeakMap<Docker, Semaphore>()

function turnsOf(docker: Docker): Semaphore {
  const known = turns.get(docker) ?? createSemaphore(AT_ONCE)
  turns.set(docker, known)
  return known
}
