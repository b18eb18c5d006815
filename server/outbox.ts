import { type Selectable, sql } from 'kysely'
import type { EventType } from '../contract/shared/events.ts'
import type { Context } from './context.ts'
import type { Tables, Trx } from './tables.ts'

type EventRow = Selectable<Tables['events']>

/**
 * Hears of an event in the transaction that marks it as handed on, and does no more there than to write rows and to enqueue
 * jobs. It may hear of it long after it happened, so what it does looks how things are by then.
 */
export type Listener = (ctx: Context, trx: Trx, event: EventRow) => Promise<void>
export type Listeners = Partial<Record<EventType, Listener>>

const FROZEN = '10s'

/** The oldest that were not handed on yet. Nobody else hands on any until the transaction ends, so they go in their order. */
export async function takeEvents(trx: Trx, most: number): Promise<EventRow[]> {
  // Listeners wait for nothing but the database: a process that is frozen half way does not hold up the others for long.
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
