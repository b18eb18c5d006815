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
  /** The related object that the target owns, such as a deployment of an application. */
  about?: string
}

/** An initiator without an account, such as the author of a push or a deploy hook. */
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

/** Writes an event in the transaction of its change, so that both exist or neither. */
export async function emit(
  trx: Trx,
  actor: Initiator,
  workspaceId: Id<'workspace'>,
  type: EventType,
  target?: Target,
  /** Added to the sentence in the audit log. */
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

/** Makes open consoles reload. Not stored, because a client loads everything when it connects. */
export async function nudge(
  db: Db,
  workspaceId: Id<'workspace'>,
  type: Nudge,
  of: Id<'server'> | Id<'application'> | Id<'delivery'> | Id<'alert'> | Id<'incident'> | Id<'notification'>,
): Promise<void> {
  const kind = kindOf(of)
  const told = { id: '', workspace_id: workspaceId, type, kind, target: of }
  await sql`select pg_notify('events', ${JSON.stringify(told)})`.execute(db)
}

const kindOf = (id: string) =>
  Object.entries(kinds).find(([, prefix]) => id.startsWith(`${prefix}_`))?.[0] ?? 'server'
