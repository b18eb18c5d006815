import type { Id } from '../../../contract/shared/ids.ts'
import { reconcileBilling } from '../../../server/areas/billing/reconcile.ts'
import { stripeInitiator } from '../../../server/areas/billing/stripe.ts'
import { syncBilling } from '../../../server/areas/billing/sync-billing.ts'
import { withBillingMutex } from '../../../server/areas/billing/billing-mutex.ts'
import { sendBillingNotices } from '../../../server/areas/billing/billing-notices.ts'
import type { Context } from '../../../server/context.ts'

const { signal } = new AbortController()

/** The hourly and daily jobs. */
export const runWatch = (ctx: Context) => sendBillingNotices(ctx, signal)
export const runReconciliation = (ctx: Context) => reconcileBilling(ctx, signal)

/** The job after a Stripe webhook. */
export const runSync = (ctx: Context, workspace: Id<'workspace'>) =>
  withBillingMutex(ctx, workspace, () => syncBilling(ctx, workspace, stripeInitiator))
