import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db, Tables } from '../../tables.ts'

export type Hook = Selectable<Tables['hooks']>

/** Finds a hook by its URL name, which identifies the workspace. */
export const findHook = (db: Db, name: string) =>
  db
    .selectFrom('hooks as h')
    .innerJoin('applications as a', (on) =>
      on.onRef('a.workspace_id', '=', 'h.workspace_id').onRef('a.id', '=', 'h.application_id'),
    )
    .selectAll('h')
    .where('h.name', '=', name)
    .where('a.deleting_at', 'is', null)
    .executeTakeFirst()

/** Returns the existing hook, if any. */
export const insertHook = (db: Db, row: Insertable<Tables['hooks']>): Promise<Hook> =>
  db
    .insertInto('hooks')
    .values(row)
    .onConflict((found) => found.column('application_id').doUpdateSet({ application_id: row.application_id }))
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateHook = (
  db: Db,
  workspaceId: Id<'workspace'>,
  applicationId: Id<'application'>,
  changes: Pick<Updateable<Tables['hooks']>, 'secret_sealed' | 'created_at'>,
): Promise<Hook> =>
  db
    .updateTable('hooks')
    .set(changes)
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', applicationId)
    .returningAll()
    .executeTakeFirstOrThrow()
