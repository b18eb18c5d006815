import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import { createFresh } from './fresh.ts'

export interface Checked {
  alert_id: Id<'alert'>
  application_id: Id<'application'>
  at: Date
  ok: boolean
  url: string
  error: string | null
}

/** What addresses answered last, where that is new; of all workspaces, each by its alert. */
export function createChecksReader(db: Db) {
  const fresh = createFresh()
  return async (now: Date): Promise<Checked[]> => {
    const { rows } = await sql<Checked>`
      select distinct on (alert_id, application_id) alert_id, application_id, at, ok, url, error
      from checks
      where at between ${now}::timestamptz - interval '30 seconds' and ${now}::timestamptz + interval '30 seconds'
      order by alert_id, application_id, at desc`.execute(db)
    fresh.begin()
    const found = rows.filter((row) => fresh.isNew(`${row.alert_id} ${row.application_id}`, row.at))
    fresh.end()
    return found
  }
}
