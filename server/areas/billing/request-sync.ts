import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Db } from '../../tables.ts'
import { billingSyncKey } from './store.ts'

/** Queues a sync with Stripe, with retries. */
export const requestBillingSync = (ctx: Context, db: Db, workspaceId: Id<'workspace'>, delay = 0) =>
  enqueue(ctx.secrets, db, {
    kind: 'sync-billing',
    payload: { workspace_id: workspaceId },
    key: billingSyncKey(workspaceId),
    lane: 'webhooks',
    attempts: 50,
    delay,
  })
