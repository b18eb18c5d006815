import { sql } from 'kysely'
import type { Db } from '../server/tables.ts'

/** Attempts are counted even where nothing else happens. */
const moving = ['login_failures', 'migrations']

/** Of every table how many rows it has and which transactions wrote them; the same when nothing was changed. */
export async function fingerprint(db: Db, except: string[] = []): Promise<Record<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' order by table_name`.execute(db)
  const looked = tables.map(({ name }) => name).filter((name) => ![...moving, ...except].includes(name))
  const counts = looked.map(
    (
      name,
    ) => sql`select ${sql.lit(name)} as name, count(*) || ' rows of ' || coalesce(sum(xmin::text::bigint), 0)
      as written from ${sql.table(name)}`,
  )
  const all = sql<{ name: string; written: string }>`${sql.join(counts, sql` union all `)}`
  const { rows } = await all.execute(db)
  return Object.fromEntries(rows.map(({ name, written }) => [name, written]))
}
