import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import type { ServerRow } from '../server.ts'

export interface LeasedServer {
  id: Id<'server'>
  version: number
  taken: boolean
}

const watchable = sql`status in ('ready', 'unreachable', 'setting_up', 'failed')
  and (kind = 'local' or cardinality(host_keys) > 0)`

export async function renewServerLeases(
  db: Db,
  watcher: string,
  { seconds, most }: { seconds: number; most: number },
): Promise<LeasedServer[]> {
  const until = sql`now() + make_interval(secs => ${seconds})`
  const { rows } = await sql<LeasedServer>`
    with kept as (
      update servers set watched_until = ${until}
      where watcher = ${watcher} and watched_until >= now() and ${watchable}
      returning id, version
    ), free as (
      select id from servers
      where (watched_until is null or watched_until < now()) and ${watchable}
      order by watched_until nulls first limit ${most} for update skip locked
    ), taken as (
      -- The previous holder may have been killed while the containers were followed.
      update servers s set watcher = ${watcher}, watched_until = ${until}, containers_live = false
      from free where s.id = free.id returning s.id, s.version
    )
    select id, version, false as taken from kept union all select id, version, true from taken`.execute(db)
  return rows
}

export const readLeasedServers = (db: Db, watcher: string, ids: Id<'server'>[]): Promise<ServerRow[]> =>
  db
    .selectFrom('servers')
    .selectAll()
    .where('watcher', '=', watcher)
    .where(sql<boolean>`id = any (${ids})`)
    .execute()

export async function releaseServerLeases(db: Db, watcher: string): Promise<void> {
  await sql`
    with given_back as (
      update servers set watcher = null, watched_until = null where watcher = ${watcher} returning id
    )
    select pg_notify('servers', '') from given_back limit 1`.execute(db)
}

export async function markSeen(db: Db, watcher: string, ids: Id<'server'>[]): Promise<void> {
  await sql`update servers set last_seen_at = now() where watcher = ${watcher} and id = any (${ids})`.execute(
    db,
  )
}

export const lockLeasedServer = (db: Db, watcher: string, id: Id<'server'>) =>
  db
    .selectFrom('servers')
    .selectAll()
    .where('id', '=', id)
    .where('watcher', '=', watcher)
    .where('watched_until', '>', sql<Date>`now()`)
    .forUpdate()
    .executeTakeFirst()

export const isServerDeleted = async (db: Db, id: string): Promise<boolean> =>
  (await sql`select from servers where id = ${id}`.execute(db)).rows.length === 0
