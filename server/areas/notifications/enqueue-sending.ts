import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Db } from '../../tables.ts'

/** Retries without limit, so that an internal error never ends the queue of a channel. */
export const enqueueSending = (
  { secrets }: Pick<Context, 'secrets'>,
  db: Db,
  workspaceId: Id<'workspace'>,
  notificationId: Id<'notification'>,
  delay?: number,
) =>
  enqueue(secrets, db, {
    kind: 'send-messages',
    payload: { workspace_id: workspaceId, notification_id: notificationId },
    key: `channel:${notificationId}`,
    lane: 'notify',
    attempts: 1_000,
    delay,
  })
