import { sql } from 'kysely'
import type { Db } from '../server/tables.ts'

/** Attempts are counted even where nothing else happens, and a shell that was left goes a moment later. */
const moving = ['login_failures', 'migrations', 'container_shells']

/** Whoever calls is noted to have been here once a minute; all else of these is looked at by content. */
const touched: Record<string, string> = {
  sessions: `to_jsonb(t) - 'last_seen_at' - 'expires_at'`,
  api_tokens: `to_jsonb(t) - 'last_used_at'`,
  // Who follows it is noted again and again, and taken back when nothing of it is left on the server.
  commands: `to_jsonb(t) - 'follower' - 'followed_until'`,
}

/** Of every table how many rows it has and which transactions wrote them; the same when nothing was changed. */
export async function fingerprint(db: Db, except: string[] = []): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' order by table_name`.execute(db)
  const looked = tables.map(({ name }) => name).filter((name) => ![...moving, ...except].includes(name))
  const counts = looked.map((name) => {
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
