import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../tables.ts'

// Queries span all workspaces, because one process serves all of them.

export type ShellRow = Selectable<Tables['container_shells']>

/** Seconds after which a process that has not renewed its lease no longer holds the shell. */
const leaseSeconds = 60

/** Inserts the row before the shell opens, so that no shell exists without a row. */
export const insertShell = (db: Db, row: Omit<ShellRow, 'held_until'>) =>
  db
    .insertInto('container_shells')
    .values({ ...row, held_until: sql<Date>`now() + make_interval(secs => ${leaseSeconds})` })
    .execute()

export const renewShellLeases = (db: Db, ids: string[]) =>
  sql`update container_shells set held_until = now() + make_interval(secs => ${leaseSeconds})
    where id = any (${ids})`.execute(db)

export const deleteShell = (db: Db, id: string) =>
  db.deleteFrom('container_shells').where('id', '=', id).execute()

const keptHours = 24

/** Lists orphaned shells, and drops those that could not be ended for a day, because their server no longer exists. */
export async function listOrphanedShells(db: Db): Promise<ShellRow[]> {
  await sql`delete from container_shells where held_until < now() - make_interval(hours => ${keptHours})`.execute(
    db,
  )
  const { rows } = await sql<ShellRow>`
    select * from container_shells where held_until < now() order by held_until limit 200`.execute(db)
  return rows
}
