import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/pagination.ts'
import type { Db, Tables } from '../../tables.ts'

export type RegistryRow = Selectable<Tables['registries']>

export const listRegistryRows = (db: Db, workspaceId: Id<'workspace'>, query: SearchQuery) =>
  readPage<RegistryRow>(
    db,
    {
      from: sql`select *, lower(name) as sorted from registries where workspace_id = ${workspaceId}
        and (name ilike ${containsPattern(query.q ?? '')} or host ilike ${containsPattern(query.q ?? '')})`,
      order: ['sorted', 'id'],
      direction: 'asc',
    },
    query,
  )

export const findRegistryRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'registry'>) =>
  db
    .selectFrom('registries')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()

export const lockRegistryRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'registry'>) =>
  db
    .selectFrom('registries')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const findSameScope = (db: Db, workspaceId: Id<'workspace'>, host: string, scope: string) =>
  db
    .selectFrom('registries')
    .select(['id', 'name'])
    .where('workspace_id', '=', workspaceId)
    .where('host', '=', host)
    .where('scope', '=', scope)
    .executeTakeFirst()

export const insertRegistry = (db: Db, row: Insertable<Tables['registries']>) =>
  db
    .insertInto('registries')
    .values(row)
    .onConflict((on) => on.columns(['workspace_id', 'host', 'scope']).doNothing())
    .returningAll()
    .executeTakeFirst()

export const updateRegistryRow = (
  db: Db,
  workspaceId: Id<'workspace'>,
  { id, username, password_sealed }: RegistryRow,
  changes: Updateable<Tables['registries']>,
) =>
  db
    .updateTable('registries')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('username', '=', username)
    .where('password_sealed', '=', password_sealed)
    .returningAll()
    .executeTakeFirst()

export const deleteRegistryRow = (db: Db, workspaceId: Id<'workspace'>, id: Id<'registry'>) =>
  db
    .deleteFrom('registries')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst()
