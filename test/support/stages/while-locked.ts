import { sql } from 'kysely'
import { vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { transaction } from '../../../server/platform/transaction.ts'
import type { Db, Trx } from '../../../server/tables.ts'

/**
 * Runs calls that wait for a locked row, changes the row, and returns their results. Each call must wait for the row.
 */
export async function whileLocked<T>(
  db: Db,
  id: Id<'server'> | Id<'cloudToken'>,
  calls: (() => Promise<T>)[],
  act: (trx: Trx) => Promise<unknown> = async () => {},
): Promise<T[]> {
  const coming: Promise<T>[] = []
  await transaction(db, async (trx) => {
    const table = id.startsWith('srv_') ? 'servers' : 'cloud_tokens'
    await sql`select from ${sql.table(table)} where id = ${id} for update`.execute(trx)
    for (const call of calls) {
      coming.push(call())
      await vi.waitFor(async () => {
        if ((await waiting(db)) < coming.length) throw new Error('It does not wait for the row.')
      })
    }
    await act(trx)
  })
  return Promise.all(coming)
}

async function waiting(db: Db): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return Number(rows[0]?.count)
}
