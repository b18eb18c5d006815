import type { Insertable } from 'kysely'
import type { AlertKindName } from '../../../contract/shared/alert-kinds.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { toAlertColumns, toAlertDefinition } from '../../../server/areas/alerts/definition.ts'
import { newId } from '../../../server/platform/ids.ts'
import type { Db, Tables } from '../../../server/tables.ts'
import { unique } from './factories.ts'

/** Defaults of its kind, with all channels. */
export async function makeAlert(
  db: Db,
  workspace_id: Id<'workspace'>,
  given: Partial<Insertable<Tables['alerts']>> & { kind?: AlertKindName } = {},
): Promise<Id<'alert'>> {
  const id = newId('alert')
  const kind = given.kind ?? 'cpu'
  const usual = toAlertColumns(toAlertDefinition({ kind, name: unique(kind) }))
  await db
    .insertInto('alerts')
    .values({ ...usual, id, workspace_id, kind, ...given })
    .execute()
  return id
}

/** Firing and notified once by default. */
export async function makeIncident(
  db: Db,
  workspace_id: Id<'workspace'>,
  alert_id: Id<'alert'> | null,
  given: Partial<Insertable<Tables['incidents']>> = {},
): Promise<Id<'incident'>> {
  const id = given.id ?? newId('incident')
  const subject = unique('web')
  const now = new Date()
  await db
    .insertInto('incidents')
    .values({
      id,
      workspace_id,
      alert_id,
      alert_name: 'CPU',
      kind: 'cpu',
      severity: 'warning',
      state: 'firing',
      summary: `The CPU of ${subject} is busy.`,
      subject_kind: 'server',
      subject_id: subject,
      subject_name: subject,
      value: 97,
      threshold: 90,
      began_at: now,
      fired_at: now,
      notified_at: now,
      notification_count: 1,
      ...given,
    })
    .execute()
  return id
}
