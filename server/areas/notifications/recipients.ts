import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Trx } from '../../tables.ts'
import { findIncident } from '../alerts/incident.ts'
import { incidentStartKey } from './contents/alert.ts'
import type { Recipient } from './store.ts'
import type { NotifiedEvent } from './rendered-message.ts'

/** Of the channels that want such notices, those that this one is for. */
export type RecipientFilter = (trx: Trx, event: NotifiedEvent, takers: Recipient[]) => Promise<Recipient[]>

/** Those that the alert is for. */
export const channelsOfAlert: RecipientFilter = async (trx, { workspace_id, about }, takers) => {
  const { rows } = await sql<Pick<Recipient, 'id'>>`
    select n.id from notifications n join alerts a on a.workspace_id = n.workspace_id and a.id = ${about}
    where n.workspace_id = ${workspace_id} and (a.all_channels or exists (
      select from alert_channels c where c.alert_id = a.id and c.notification_id = n.id))`.execute(trx)
  return some(takers, rows)
}

/** Those that were told of its beginning, whatever became of the alert since. */
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
    // Of a failed deployment it may have heard before there was an incident.
    .where((is) => is.or([is('incident_id', '=', incident.id), is('key', '=', incidentStartKey(incident))]))
    .execute()
  return some(takers, rows)
}

/** Whoever was paused cannot be told of it there. */
export const otherChannels: RecipientFilter = async (_trx, { target_id }, takers) =>
  takers.filter(({ id }) => id !== target_id)

const some = (takers: Recipient[], chosen: Pick<Recipient, 'id'>[]) => {
  const ids = new Set(chosen.map(({ id }) => id))
  return takers.filter(({ id }) => ids.has(id))
}
