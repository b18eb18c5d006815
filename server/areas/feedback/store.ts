import type { Insertable, Selectable } from 'kysely'
import type { Db, Tables } from '../../tables.ts'

export type FeedbackRow = Selectable<Tables['feedback']>

export const insertFeedback = (db: Db, row: Insertable<Tables['feedback']>): Promise<FeedbackRow> =>
  db.insertInto('feedback').values(row).returningAll().executeTakeFirstOrThrow()

export const listFeedback = (db: Db): Promise<FeedbackRow[]> =>
  db.selectFrom('feedback').selectAll().orderBy('id', 'desc').limit(1_000).execute()
