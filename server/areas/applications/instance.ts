import { slipwayLabels } from '../containers/slipway-labels.ts'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../tables.ts'
import type { Docker } from '../../remote/host.ts'

/**
 * A container that Slipway created for an application. `starting`: created, not routed. `serving`: receives traffic.
 * `draining`: receives no new requests. `stopped`: the application was stopped. The row is deleted with the
 * container.
 */
export type Instance = Selectable<Tables['instances']>

export const insertInstance = (db: Db, row: Insertable<Tables['instances']>): Promise<Instance> =>
  db.insertInto('instances').values(row).returningAll().executeTakeFirstOrThrow()

export const listInstances = (db: Db, workspaceId: Id<'workspace'>, applicationId: Id<'application'>) =>
  db
    .selectFrom('instances')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .orderBy('created_at')
    .orderBy('replica')
    .execute()

export const listServingInstances = (
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
): Promise<Instance[]> =>
  db
    .selectFrom('instances')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('application_id', 'in', ids.length > 0 ? [...ids] : [null])
    .where('state', '=', 'serving')
    .orderBy('id')
    .execute()

export const listRoles = (db: Db, workspaceId: Id<'workspace'>, applicationId: Id<'application'>) =>
  db
    .selectFrom('instances')
    .innerJoin('releases', 'releases.id', 'instances.release_id')
    .select(['instances.id', 'instances.state', 'releases.number'])
    .where('instances.workspace_id', '=', workspaceId)
    .where('instances.application_id', '=', applicationId)
    .execute()

export const listInstancesOn = (db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) =>
  db
    .selectFrom('instances')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('server_id', '=', serverId)
    .execute()

export const updateInstance = (
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'instance'>,
  changes: Updateable<Tables['instances']>,
) =>
  db
    .updateTable('instances')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

export const deleteInstance = (db: Db, workspaceId: Id<'workspace'>, id: Id<'instance'>) =>
  db.deleteFrom('instances').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()

export { applicationVolumeName } from '../compose/docker-names.ts'

export const isBind = (source: string) => source.startsWith('/')

export const toContainerName = (
  { slug }: { slug: string },
  release: { number: number },
  { id, replica }: Pick<Instance, 'id' | 'replica'>,
) => `${slug}-${release.number}-${replica}-${id.slice(-4)}`

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
  listDockerContainers(docker, { label: [`${slipwayLabels.application}=${application}`] })

export async function listDockerContainers(
  docker: Docker,
  filters: Record<string, string[]>,
): Promise<ManagedContainer[]> {
  const query = new URLSearchParams({ all: '1', filters: JSON.stringify(filters) }).toString()
  const listed = await docker.json<Listed[]>({ path: `/containers/json?${query}` })
  return listed.map(({ Id: id, Names: names, Labels: labels }) => ({
    id,
    name: (names?.[0] ?? '').replace(/^\//, ''),
    application: labels?.[slipwayLabels.application] ?? '',
    instance: labels?.[slipwayLabels.instance] ?? '',
  }))
}

/** Labels alone prove nothing: an image committed from a container of Slipway passes them on. */
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
