import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Listener, Listeners } from '../../outbox.ts'
import { requestCommitStatuses } from './request-commit-statuses.ts'

/** Reports deployment changes as commit statuses. */
const reportStatus: Listener = async (ctx: Context, trx, { workspace_id, target_kind, target_id }) => {
  if (target_kind === 'application' && target_id !== null)
    await requestCommitStatuses(ctx, trx, workspace_id, target_id as Id<'application'>)
}

export const listeners: Listeners[] = [
  {
    'deployment.queued': reportStatus,
    'deployment.started': reportStatus,
    'deployment.commit_found': reportStatus,
    'deployment.completed': reportStatus,
    'deployment.failed': reportStatus,
    'deployment.cancelled': reportStatus,
  },
]
