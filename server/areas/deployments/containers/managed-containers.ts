import type { Id } from '../../../../contract/shared/ids.ts'
import type { Docker } from '../../../remote/host.ts'
import { type Instance, instanceLabels } from '../../applications/instance.ts'

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
