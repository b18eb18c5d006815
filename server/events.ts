import type { EventType } from '../contract/events.ts'
import type { Id } from '../contract/ids.ts'
import { newId } from './platform/ids.ts'
import type { Person } from './route.ts'
import type { Trx } from './tables.ts'

export interface Target {
  kind: string
  id: string
  name: string
}

/** Tells what happened, in the transaction that makes it happen: either both are there or neither. */
export async function emit(
  trx: Trx,
  actor: Pick<Person, 'user' | 'via' | 'address'> | { user: Person['user']; address: string },
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
      actor_id: actor.user.id,
      actor_name: actor.user.name,
      via: 'via' in actor ? actor.via.kind : 'session',
      target_kind: target?.kind ?? null,
      target_id: target?.id ?? null,
      target_name: target?.name ?? null,
      address: actor.address,
      detail: detail ?? null,
    })
    .execute()
}
