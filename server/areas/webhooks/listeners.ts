import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Listener, Listeners } from '../../outbox.ts'
import { requestTelling } from './request-telling.ts'

/** Reports deployment changes as commit statuses. */
const tell: Listener = async (ctx: Context, trx, { workspace_id, target_kind, target_id }) => {
  if (target_kind === 'application' && target_id !== null)
    await requestTelling(ctx, trx, workspace_id, target_id as Id<'application'>)
}

export const listeners: Listeners[] = [
  {
    'deployment.queued': tell,
    'deployment.started': tell,
    'deployment.commit_found': tell,
    'deployment.completed': tell,
    'deployment.failed': tell,
    'deployment.cancelled': tell,
  },
]
