import { sql } from 'kysely'
import type { EventType, Nudge } from '../contract/events.ts'
import type { Id } from '../contract/ids.ts'
import { newId } from './platform/ids.ts'
import type { Person } from './route.ts'
import type { Db, Trx } from './tables.ts'

export interface Target {
  kind: string
  id: string
  name: string
}

/** Somebody; or Slipway itself, for what nobody asked for. */
export type Doer =
  Pick<Person, 'user' | 'via' | 'address'> | { user: Person['user']; address: string } | 'slipway'

/** Tells what happened, in the transaction that makes it happen: either both are there or neither. */
export async function emit(
  trx: Trx,
  actor: Doer,
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
      ...whoOf(actor),
      target_kind: target?.kind ?? null,
      target_id: target?.id ?? null,
      target_name: target?.name ?? null,
      detail: detail ?? null,
    })
    .execute()
}

function whoOf(actor: Doer) {
  if (actor === 'slipway') return { actor_id: null, actor_name: 'Slipway', via: 'system', address: null }
  return {
    actor_id: actor.user.id,
    actor_name: actor.user.name,
    via: 'via' in actor ? actor.via.kind : 'session',
    address: actor.address,
  }
}

/** Has those who look at something ask for it again. It is not kept: who connects later asks anyway. */
export async function nudge(
  db: Db,
  workspaceId: Id<'workspace'>,
  type: Nudge,
  /** A server or an application. */
  of: Id<'server'> | Id<'application'>,
): Promise<void> {
  const kind = of.startsWith('app_') ? 'application' : 'server'
  const told = { id: '', workspace_id: workspaceId, type, kind, target: of }
  await sql`select pg_notify('events', ${JSON.stringify(told)})`.execute(db)
}
