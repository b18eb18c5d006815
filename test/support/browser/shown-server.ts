import type { Insertable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { newId } from '../../../server/platform/ids.ts'
import type { Db, Tables } from '../../../server/tables.ts'

/** Ready by default; without a confirmed host key no worker connects. */
export async function makeShownServer(
  db: Db,
  workspace_id: Id<'workspace'>,
  given: Partial<Insertable<Tables['servers']>> = {},
): Promise<Id<'server'>> {
  const id = newId('server')
  const row = { id, workspace_id, name: 'web-1', address: '203.0.113.10', status: 'ready' as const }
  await db
    .insertInto('servers')
    .values({ ...row, ...given })
    .execute()
  return id
}
