import { type Selectable, sql } from 'kysely'
import type { EventType } from '../contract/shared/events.ts'
import type { Context } from './context.ts'
import type { Tables, Trx } from './tables.ts'

type EventRow = Selectable<Tables['events']>

/**
 * Runs in the transaction that marks the event as delivered, so it only writes rows and enqueues jobs. It may run long
 * after the event, so it must read the current state.
 */
export type Listener = (ctx: Context, trx: Trx, event: EventRow) => Promise<void>
export type Listeners = Partial<Record<EventType, Listener>>

const FROZEN = '10s'

/** Locks delivery until the transaction ends, so that events are delivered in order. */
export async function lockPendingEvents(trx: Trx, most: number): Promise<EventRow[]> {
  // Listeners only use the database, so a short idle timeout keeps a frozen process from blocking others.
  await sql`select pg_advisory_xact_lock(4, 0), set_config('idle_in_transaction_session_timeout', ${FROZEN}, true)`.execute(
    trx,
  )
  return trx.selectFrom('events').selectAll().where('relayed', '=', false).orderBy('id').limit(most).execute()
}

export const markRelayed = (trx: Trx, events: EventRow[]) =>
  trx
    .updateTable('events')
    .set({ relayed: true })
    .where(
      'id',
      'in',
      events.map(({ id }) => id),
    )
    .execute()
