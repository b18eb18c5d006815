import type { InstanceEventType } from '../contract/shared/instance-events.ts'
import { type Initiator, toInitiatorColumns, type Target } from './events.ts'
import { newId } from './platform/ids.ts'
import type { Db } from './tables.ts'

/** The initiator of an instance event: a user, an admin command on the machine, or Slipway itself. */
export type InstanceInitiator = Initiator | 'admin command'

/** Writes an entry of the instance's audit log; pass the transaction of the change it is about. */
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
