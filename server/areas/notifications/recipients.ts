import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Trx } from '../../tables.ts'
import { findIncident } from '../alerts/incident.ts'
import { incidentStartKey } from './contents/alert.ts'
import type { Recipient } from './store.ts'
import type { NotifiedEvent } from './rendered-message.ts'

export type RecipientFilter = (trx: Trx, event: NotifiedEvent, takers: Recipient[]) => Promise<Recipient[]>

export const selectAlertChannels: RecipientFilter = async (trx, { workspace_id, about }, takers) => {
  const { rows } = await sql<Pick<Recipient, 'id'>>`
    select n.id from notifications n join alerts a on a.workspace_id = n.workspace_id and a.id = ${about}
    where n.workspace_id = ${workspace_id} and (a.all_channels or exists (
      select from alert_channels c where c.alert_id = a.id and c.notification_id = n.id))`.execute(trx)
  return some(takers, rows)
}

/** Includes channels that were notified of the start, even when the alert has changed or was deleted. */
export const previouslyNotified: RecipientFilter = async (trx, { workspace_id, target_id }, takers) => {
  const incident = await findIncident(trx, workspace_id, target_id as Id<'incident'>)
  if (!incident) return []
  const rows = await trx
    .selectFrom('messages')
    .select('notification_id as id')
    .distinct()
    .where('workspace_id', '=', workspace_id)
    .where(
      'notification_id',
      'in',
      takers.map(({ id }) => id),
    )
    // A failed deployment may have been notified before its incident existed.
    .where((is) => is.or([is('incident_id', '=', incident.id), is('key', '=', incidentStartKey(incident))]))
    .execute()
  return some(takers, rows)
}

/** The paused channel cannot deliver its own notice. */
export const selectOtherChannels: RecipientFilter = async (_trx, { target_id }, takers) =>
  takers.filter(({ id }) => id !== target_id)

const some = (takers: Recipient[], chosen: Pick<Recipient, 'id'>[]) => {
  const ids = new Set(chosen.map(({ id }) => id))
  return takers.filter(({ id }) => ids.has(id))
}
