import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from '../../tables.ts'

// Of all workspaces: whoever holds shells, or ends those that are left, does so for everybody.

export type ShellRow = Selectable<Tables['container_shells']>

/** Whoever has not said for so long that they hold a shell is taken to be gone. */
const leaseSeconds = 60

/** Before it is opened, so that none is ever forgotten. */
export const insertShell = (db: Db, row: Omit<ShellRow, 'held_until'>) =>
  db
    .insertInto('container_shells')
    .values({ ...row, held_until: sql<Date>`now() + make_interval(secs => ${leaseSeconds})` })
    .execute()

export const renewShellLeases = (db: Db, ids: string[]) =>
  sql`update container_shells set held_until = now() + make_interval(secs => ${leaseSeconds})
    where id = any (${ids})`.execute(db)

/** Nothing of it runs any more. */
export const deleteShell = (db: Db, id: string) =>
  db.deleteFrom('container_shells').where('id', '=', id).execute()

const keptHours = 24

/** Those that nobody holds. What could not be ended for a day is forgotten: its server is away for good. */
export async function listOrphanedShells(db: Db): Promise<ShellRow[]> {
  await sql`delete from container_shells where held_until < now() - make_interval(hours => ${keptHours})`.execute(
    db,
  )
  const { rows } = await sql<ShellRow>`
    select * from container_shells where held_until < now() order by held_until limit 200`.execute(db)
  return rows
}
