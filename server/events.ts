import { sql } from 'kysely'
import type { EventType, Nudge } from '../contract/shared/events.ts'
import { type Id, kinds } from '../contract/shared/ids.ts'
import { newId } from './platform/ids.ts'
import type { User } from './route.ts'
import type { Db, Trx } from './tables.ts'

export interface Target {
  kind: string
  id: string
  name: string
  /** What exactly it is about, where this is what holds it: the deployment of an application. */
  about?: string
}

/** Somebody who is no user of ours, such as whoever pushed, or the deploy hook that CI has called. */
export interface ExternalInitiator {
  name: string
  via: 'webhook'
  address: string | null
}

/** Somebody; or Slipway itself, for what nobody asked for. */
export type Initiator =
  | Pick<User, 'user' | 'via' | 'address'>
  | { user: User['user']; address: string }
  | ExternalInitiator
  | 'slipway'

export const isExternalInitiator = (doer: Initiator): doer is ExternalInitiator =>
  doer !== 'slipway' && !('user' in doer)

/** Tells what happened, in the transaction that makes it happen: either both are there or neither. */
export async function emit(
  trx: Trx,
  actor: Initiator,
  workspaceId: Id<'workspace'>,
  type: EventType,
  target?: Target,
  /** What the words and the target do not say. */
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

/** How a row names whoever did it. */
export function toActorColumns(doer: Initiator): { actor_id: string | null; actor_name: string } {
  if (doer === 'slipway') return { actor_id: null, actor_name: 'Slipway' }
  return 'user' in doer
    ? { actor_id: doer.user.id, actor_name: doer.user.name }
    : { actor_id: null, actor_name: doer.name }
}

/** The same with how they came and from where. */
export function toInitiatorColumns(doer: Initiator) {
  const actor = toActorColumns(doer)
  if (doer === 'slipway') return { ...actor, via: 'system', address: null }
  return { ...actor, via: initiatorVia(doer), address: doer.address }
}

const initiatorVia = (doer: Exclude<Initiator, 'slipway'>) =>
  'via' in doer ? (doer.via === 'webhook' ? doer.via : doer.via.kind) : 'session'

/** Has those who look at something ask for it again. It is not kept: who connects later asks anyway. */
export async function nudge(
  db: Db,
  workspaceId: Id<'workspace'>,
  type: Nudge,
  /** What it is about. */
  of: Id<'server'> | Id<'application'> | Id<'delivery'> | Id<'alert'> | Id<'incident'> | Id<'notification'>,
): Promise<void> {
  const kind = kindOf(of)
  const told = { id: '', workspace_id: workspaceId, type, kind, target: of }
  await sql`select pg_notify('events', ${JSON.stringify(told)})`.execute(db)
}

const kindOf = (id: string) =>
  Object.entries(kinds).find(([, prefix]) => id.startsWith(`${prefix}_`))?.[0] ?? 'server'
