import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../tables.ts'

/**
 * A container that Slipway made for an application. `starting`: made, not routed. `serving`: takes traffic.
 * `draining`: takes no new requests. `stopped`: the application was stopped. The row goes when the container has gone.
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

/** The part that each of them has, and the number of its release. */
export const listRoles = (db: Db, workspaceId: Id<'workspace'>, applicationId: Id<'application'>) =>
  db
    .selectFrom('instances')
    .innerJoin('releases', 'releases.id', 'instances.release_id')
    .select(['instances.id', 'instances.state', 'releases.number'])
    .where('instances.workspace_id', '=', workspaceId)
    .where('instances.application_id', '=', applicationId)
    .execute()

/** Every address that is spoken for on a server. */
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

export { ownLabels as instanceLabels } from '../containers/own-labels.ts'

export { volumeNameOf } from '../compose/names.ts'

export const isBind = (source: string) => source.startsWith('/')
