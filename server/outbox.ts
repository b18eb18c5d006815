import type { Selectable } from 'kysely'
import type { EventType } from '../contract/events.ts'
import type { Context } from './context.ts'
import type { Tables, Trx } from './tables.ts'

type EventRow = Selectable<Tables['events']>

/**
 * Hears of an event in the transaction that marks it as handed on, and does no more there than to enqueue a job. It may
 * hear of it long after it happened, so what it enqueues looks how things are by then.
 */
export type Listener = (ctx: Context, trx: Trx, event: EventRow) => Promise<void>
export type Listeners = Partial<Record<EventType, Listener>>

/** The oldest that were not handed on yet; nobody else takes them until the transaction ends. */
export const takeEvents = (trx: Trx, most: number): Promise<EventRow[]> =>
  trx
    .selectFrom('events')
    .selectAll()
    .where('relayed', '=', false)
    .orderBy('id')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute()

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
