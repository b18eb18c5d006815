import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import { createChangeFilter } from './change-filter.ts'

export interface CheckRow {
  alert_id: Id<'alert'>
  application_id: Id<'application'>
  at: Date
  ok: boolean
  url: string
  error: string | null
}

export function createChecksReader(db: Db) {
  const fresh = createChangeFilter()
  return async (now: Date): Promise<CheckRow[]> => {
    const { rows } = await sql<CheckRow>`
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
