import { type Selectable, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { containsPattern, readPage, type SearchQuery } from '../../platform/page.ts'
import type { Db, Tables } from '../../tables.ts'

/** Newest first. */
export function listEvents(db: Db, workspaceId: Id<'workspace'>, query: SearchQuery) {
  const like = containsPattern(query.q ?? '')
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

/** Ids sort by time but not by commit: a little overlap loses none, and telling twice does no harm. */
export async function listEventsSince(db: Db, workspaceId: Id<'workspace'>, id: string, most: number) {
  const events = db.selectFrom('events').where('workspace_id', '=', workspaceId)
  const known = await events
    .select('created_at')
    .where('id', '=', id as Id<'event'>)
    .executeTakeFirst()
  if (!known) return undefined
  const since = new Date(known.created_at.getTime() - 10_000)
  return events.selectAll().where('created_at', '>', since).orderBy('id').limit(most).execute()
}
