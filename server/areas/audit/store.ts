import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/ids.ts'
import { containing, type PageQuery, readPage } from '../../platform/page.ts'
import type { Db, Tables } from '../../tables.ts'

/** Newest first. */
export function listEvents(
  db: Db,
  workspaceId: Id<'workspace'>,
  query: PageQuery & { q?: string | undefined },
) {
  const like = containing(query.q ?? '')
  const matching = query.q
    ? sql`and (actor_name ilike ${like} or target_name ilike ${like} or type ilike ${like})`
    : sql``
  return readPage<Selectable<Tables['events']>>(
    db,
    {
      from: sql`select * from events where workspace_id = ${workspaceId} ${matching}`,
      order: ['id'],
      direction: 'desc',
    },
    query,
  )
}
