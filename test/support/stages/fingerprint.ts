import { sql } from 'kysely'
import type { Db } from '../../../server/tables.ts'

/** Tables that change without a request: attempts are counted, and orphaned shells are removed. */
const moving = ['login_failures', 'account_events', 'migrations', 'container_shells']

/** Columns that every call updates, such as the last use. */
const touched: Record<string, string> = {
  sessions: `to_jsonb(t) - 'last_seen_at' - 'expires_at'`,
  api_tokens: `to_jsonb(t) - 'last_used_at'`,
  // Followers renew their lease all the time.
  commands: `to_jsonb(t) - 'follower' - 'followed_until'`,
}

/** Counter of writing statements, and the last fingerprint. */
interface Watched {
  tables: string[]
  at?: string
  seen?: Record<string, string>
}
const watched = new WeakMap<Db, Promise<Watched>>()

/** Row counts and transaction IDs of every table; equal if nothing changed. */
export async function fingerprint(db: Db): Promise<Record<string, string>> {
  const watching = watched.get(db) ?? watch(db)
  watched.set(db, watching)
  const known = await watching
  const { rows } = await sql<{
    at: string
  }>`select last_value || ' ' || is_called as at from written`.execute(db)
  const at = rows[0]?.at ?? ''
  // Reading all tables is expensive, and nothing was written since.
  if (known.at === at && known.seen) return known.seen
  const seen = await look(db, known.tables)
  Object.assign(known, { at, seen })
  return seen
}

async function look(db: Db, tables: string[]): Promise<Record<string, string>> {
  const counts = tables.map((name) => {
    const content = touched[name]
    const mark = content
      ? sql.raw(`sum(hashtext((${content})::text)::bigint)`)
      : sql`sum(t.xmin::text::bigint)`
    return sql`select ${sql.lit(name)} as name, count(*) || ' rows of ' || coalesce(${mark}, 0)
      as written from ${sql.table(name)} t`
  })
  const all = sql<{ name: string; written: string }>`${sql.join(counts, sql` union all `)}`
  const { rows } = await all.execute(db)
  return Object.fromEntries(rows.map(({ name, written }) => [name, written]))
}

/** Sequences survive a rollback, so that aborted writes are noticed. */
async function watch(db: Db): Promise<Watched> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' order by table_name`.execute(db)
  const tables = rows.map(({ name }) => name).filter((name) => !moving.includes(name))
  await sql`create sequence written`.execute(db)
  await sql`create function count_written() returns trigger language plpgsql
    as $$ begin perform nextval('written'); return null; end $$`.execute(db)
  for (const name of tables)
    await sql`create trigger written after insert or update or delete or truncate on ${sql.table(name)}
      for each statement execute function count_written()`.execute(db)
  return { tables }
}
