import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { requestSubscriptionEnd } from '../workspaces/end-subscription.ts'
import { isBillingOn } from '../workspaces/plan-access.ts'
import { endSubscriptionsOfDeletedWorkspace } from './deleted-workspaces.ts'
import { createReconcileRunner } from './reconcile-runner.ts'
import { payOwedRefund } from './owed-refunds.ts'
import { requestBillingSync } from './request-sync.ts'
import { stripeInitiator } from './subscription-status.ts'
import { listDepartedCustomers, listOwedRefunds, listSubscribed } from './store.ts'
import { syncBilling } from './sync-billing.ts'
import { withBillingLock } from './billing-lock.ts'

const batchSize = 100

/** Syncs all workspaces with Stripe, since webhooks can be lost. */
export async function reconcileBilling(ctx: Context, signal: AbortSignal): Promise<void> {
  if (!isBillingOn(ctx.config)) return
  const each = createReconcileRunner(ctx, signal)
  for await (const workspace of iterateSubscribed(ctx))
    await each(
      { workspace },
      () => withBillingLock(ctx, workspace, () => syncBilling(ctx, workspace, stripeInitiator)),
      () => requestBillingSync(ctx, ctx.db, workspace),
    )
  for (const { customer_id: customer } of await listDepartedCustomers(ctx.db))
    await each(
      { customer },
      () => endSubscriptionsOfDeletedWorkspace(ctx, customer),
      () => requestSubscriptionEnd(ctx, ctx.db, customer),
    )
  for (const owed of await listOwedRefunds(ctx.db))
    await each({ subscription: owed.subscription_id }, () => payOwedRefund(ctx, owed))
}

async function* iterateSubscribed(ctx: Context): AsyncIterable<Id<'workspace'>> {
  let last = ''
  for (;;) {
    const some = await listSubscribed(ctx.db, last, batchSize)
    yield* some
    last = some.at(-1) ?? ''
    if (some.length < batchSize) return
  }
}
