import type { Id } from '../../../contract/shared/ids.ts'
import { reconcile } from '../../../server/areas/billing/reconcile.ts'
import { byStripe } from '../../../server/areas/billing/status.ts'
import { sync } from '../../../server/areas/billing/sync.ts'
import { underBillingLock } from '../../../server/areas/billing/under-lock.ts'
import { watchBilling } from '../../../server/areas/billing/watch.ts'
import type { Context } from '../../../server/context.ts'

const { signal } = new AbortController()

/** The hourly and daily jobs. */
export const runWatch = (ctx: Context) => watchBilling(ctx, signal)
export const runReconciliation = (ctx: Context) => reconcile(ctx, signal)

/** The job after a Stripe webhook. */
export const runSync = (ctx: Context, workspace: Id<'workspace'>) =>
  underBillingLock(ctx, workspace, () => sync(ctx, workspace, byStripe))
