import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../tables.ts'

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

/** Lists instances that receive traffic, for several applications at once. */
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

export { slipwayLabels as instanceLabels } from '../containers/slipway-labels.ts'

export { applicationVolumeName } from '../compose/docker-names.ts'

export const isBind = (source: string) => source.startsWith('/')

export const toContainerName = (
  { slug }: { slug: string },
  release: { number: number },
  { id, replica }: Pick<Instance, 'id' | 'replica'>,
) => `${slug}-${release.number}-${replica}-${id.slice(-4)}`
