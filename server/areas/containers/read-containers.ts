import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import {
  composeLabels,
  type Container,
  fromListedPorts,
  type ListedPort,
  noMetrics,
  toContainer,
  toContainerState,
} from './container.ts'
import { readOwnerLabels } from './slipway-labels.ts'
import { findInspection } from './docker-container.ts'

export async function readContainers(docker: Docker, signal?: AbortSignal): Promise<Container[]> {
  return readListed(docker, await listContainerSummaries(docker, {}, signal), signal)
}

export const readLabeledContainers = async (
  docker: Docker,
  label: string,
  value: string,
  signal?: AbortSignal,
) =>
  readListed(docker, await listContainerSummaries(docker, { label: [`${label}=${value}`] }, signal), signal)

async function readListed(docker: Docker, listed: Container[], signal?: AbortSignal): Promise<Container[]> {
  const all = await Promise.all(listed.map(({ id }) => readContainer(docker, id, signal)))
  return all.filter((container) => container !== undefined)
}

export async function readContainer(
  docker: Docker,
  id: string,
  signal?: AbortSignal,
): Promise<Container | undefined> {
  const giveBack = await docker.inspections.acquire(signal)
  try {
    const inspected = await findInspection(docker, id, signal)
    return inspected && toContainer(inspected)
  } catch (error) {
    if (!(error instanceof DockerError)) throw error
    // Docker fails to inspect a damaged container but still lists it.
    return (await listContainerSummaries(docker, { id: [id] }, signal)).find(
      (container) => container.id === id,
    )
  } finally {
    giveBack()
  }
}

export async function listContainerSummaries(
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

interface ListedContainer {
  Id: string
  Names: string[] | null
  Image: string
  ImageID: string
  Created: number
  State: string
  Status: string
  Ports: ListedPort[] | null
  Labels: Record<string, string> | null
}

const fromListedContainer = (listed: ListedContainer): Container => ({
  id: listed.Id,
  name: ownName(listed.Names ?? []),
  image: listed.Image,
  image_id: listed.ImageID,
  state: toContainerState(listed.State),
  health: healthIn(listed.Status),
  exit_code: exitCodeIn(listed.Status),
  restarts: 0,
  ports: fromListedPorts(listed.Ports ?? []),
  ...composeLabels(listed.Labels),
  ...readOwnerLabels(listed.Labels),
  created_at: new Date(listed.Created * 1_000).toISOString(),
  started_at: null,
  finished_at: null,
  ...noMetrics,
})

/** Docker lists links of other containers as names with a second slash. */
const ownName = (names: string[]) =>
  (names.find((name) => name.lastIndexOf('/') === 0) ?? names[0] ?? '').replace(/^\//, '')

function healthIn(status: string): Container['health'] {
  if (status.includes('(health: starting)')) return 'starting'
  if (status.includes('(unhealthy)')) return 'unhealthy'
  return status.includes('(healthy)') ? 'healthy' : null
}

function exitCodeIn(status: string): number | null {
  const code = /^(?:Exited|Restarting) \((\d+)\)/.exec(status)?.[1]
  return code === undefined ? null : Number(code)
}
