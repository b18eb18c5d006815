import type { Kysely, Transaction } from 'kysely'
import { errorCode } from './db.ts'

export async function transaction<Tables, T>(
  db: Kysely<Tables>,
  work: (trx: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const code = errorCode(error)
      if (tries >= 5 || (code !== '40001' && code !== '40P01')) throw error
    }
  }
}
