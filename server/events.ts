import { type Selectable, sql } from 'kysely'
import type { EventType, InstanceEventType, Nudge } from '../contract/shared/events.ts'
import { type Id, kinds } from '../contract/shared/ids.ts'
import { newId } from './platform/ids.ts'
import type { User } from './route.ts'
import type { Db, Tables, Trx } from './tables.ts'
import type { Context } from './context.ts'
import type { z } from 'zod'
import type { auditEntry } from '../contract/audit.ts'

export interface Target {
  kind: string
  id: string
  name: string
  /** A related object, such as the deployment of an application. */
  about?: string
}

export interface ExternalInitiator {
  name: string
  via: 'webhook'
  address: string | null
}

export type Initiator =
  | Pick<User, 'user' | 'via' | 'address'>
  | { user: User['user']; address: string }
  | ExternalInitiator
  | 'slipway'

export const isExternalInitiator = (initiator: Initiator): initiator is ExternalInitiator =>
  initiator !== 'slipway' && !('user' in initiator)

/**
 * Writes an event in the transaction of its change, so that either both exist or neither does. The row is the audit log
 * entry and the outbox message for listeners.
 */
export async function emit(
  trx: Trx,
  actor: Initiator,
  workspaceId: Id<'workspace'>,
  type: EventType,
  target?: Target,
  detail?: string,
): Promise<void> {
  await trx
    .insertInto('events')
    .values({
      id: newId('event'),
      workspace_id: workspaceId,
      type,
      ...toInitiatorColumns(actor),
      target_kind: target?.kind ?? null,
      target_id: target?.id ?? null,
      target_name: target?.name ?? null,
      about: target?.about ?? null,
      detail: detail ?? null,
    })
    .execute()
}

export function toActorColumns(initiator: Initiator): { actor_id: string | null; actor_name: string } {
  if (initiator === 'slipway') return { actor_id: null, actor_name: 'Slipway' }
  return 'user' in initiator
    ? { actor_id: initiator.user.id, actor_name: initiator.user.name }
    : { actor_id: null, actor_name: initiator.name }
}

export function toInitiatorColumns(initiator: Initiator) {
  const actor = toActorColumns(initiator)
  if (initiator === 'slipway') return { ...actor, via: 'system', address: null }
  return { ...actor, via: initiatorVia(initiator), address: initiator.address }
}

const initiatorVia = (initiator: Exclude<Initiator, 'slipway'>) =>
  'via' in initiator ? (initiator.via === 'webhook' ? initiator.via : initiator.via.kind) : 'session'

/** Makes open consoles reload. A nudge is not stored, because a client loads everything when it connects. */
export async function nudge(
  db: Db,
  workspaceId: Id<'workspace'>,
  type: Nudge,
  target:
    | Id<'server'>
    | Id<'application'>
    | Id<'delivery'>
    | Id<'alert'>
    | Id<'incident'>
    | Id<'notification'>,
): Promise<void> {
  const kind = findKind(target)
  const message = { id: '', workspace_id: workspaceId, type, kind, target }
  await sql`select pg_notify('events', ${JSON.stringify(message)})`.execute(db)
}

const findKind = (id: string) =>
  Object.entries(kinds).find(([, prefix]) => id.startsWith(`${prefix}_`))?.[0] ?? 'server'

export type InstanceInitiator = Initiator | 'admin command'

export async function recordInstanceEvent(
  db: Db,
  initiator: InstanceInitiator,
  type: InstanceEventType,
  target?: Omit<Target, 'about'>,
  detail?: string,
): Promise<void> {
  await db
    .insertInto('instance_events')
    .values({
      id: newId('event'),
      type,
      ...(initiator === 'admin command' ? adminCommand : toInitiatorColumns(initiator)),
      target_kind: target?.kind ?? null,
      target_id: target?.id ?? null,
      target_name: target?.name ?? null,
      detail: detail ?? null,
    })
    .execute()
}

const adminCommand = { actor_id: null, actor_name: 'npm run admin', via: 'command', address: null }

type EventRow = Selectable<Tables['events']>

/**
 * Handles an event in the transaction that marks it as delivered. That may be long after the change, so a listener must
 * read the current state.
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

type Row = Omit<Selectable<Tables['events'] | Tables['instance_events']>, 'workspace_id'>

export const toAuditEntry = (row: Row, summary: string): z.input<typeof auditEntry> => ({
  id: row.id,
  type: row.type,
  summary,
  actor: { id: row.actor_id, name: row.actor_name, via: row.via },
  target:
    row.target_kind && row.target_id
      ? { kind: row.target_kind, id: row.target_id, name: row.target_name ?? '' }
      : null,
  detail: row.detail,
  address: row.address,
  created_at: row.created_at.toISOString(),
})
