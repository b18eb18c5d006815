import { type Selectable, sql } from 'kysely'
import { containing, readPage, type SearchQuery } from '../../platform/page.ts'
import type { Db, Tables } from '../../tables.ts'

/** Newest first. */
export function listInstanceEvents(db: Db, query: SearchQuery) {
  const like = containing(query.q ?? '')
  const matching = query.q
    ? sql`where actor_name ilike ${like} or target_name ilike ${like} or type ilike ${like} or detail ilike ${like}`
    : sql``
  return readPage<Selectable<Tables['instance_events']>>(
    db,
    { from: sql`select * from instance_events ${matching}`, order: ['id'], direction: 'desc' },
    query,
  )
}

interface Facts {
  users: number
  workspaces: number
  servers: number
  applications: number
  workers: number
  failing_mails: number
}

export const readFacts = async (db: Db): Promise<Facts> => {
  const { rows } = await sql<Facts>`
    select (select count(*) from users) as users,
      (select count(*) from workspaces) as workspaces,
      (select count(*) from servers) as servers,
      (select count(*) from applications where deleting_at is null) as applications,
      (select count(*) from workers where alive_until > now()) as workers,
      (select count(*) from jobs where kind = 'send-mail'
        and (state = 'queued' and failures > 0 or state = 'failed' and finished_at > now() - interval '1 day'))
        as failing_mails`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('A query without a table gave no row.')
  return facts
}
