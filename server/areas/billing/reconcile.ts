import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { requestSubscriptionEnd } from '../workspaces/workspace.ts'
import { isBillingOn } from '../workspaces/plan-access.ts'
import { endSubscriptionsOfDeletedWorkspace } from './deleted-workspaces.ts'
import { listDepartedCustomers, listSubscribed, requestBillingSync } from './store.ts'
import { stripeInitiator } from './stripe.ts'
import { syncBilling } from './sync-billing.ts'
import { withBillingMutex } from './billing-mutex.ts'
import { isStripeUnreachable, StripeRequestFailed } from './stripe-errors.ts'

const batchSize = 100

/** Syncs all workspaces with Stripe, since webhooks can be lost. */
export async function reconcileBilling(ctx: Context, signal: AbortSignal): Promise<void> {
  if (!isBillingOn(ctx.config)) return
  const each = createReconcileRunner(ctx, signal)
  for await (const workspace of iterateSubscribed(ctx))
    await each(
      { workspace },
      () => withBillingMutex(ctx, workspace, () => syncBilling(ctx, workspace, stripeInitiator)),
      () => requestBillingSync(ctx, ctx.db, workspace),
    )
  for (const { customer_id: customer } of await listDepartedCustomers(ctx.db))
    await each(
      { customer },
      () => endSubscriptionsOfDeletedWorkspace(ctx, customer),
      () => requestSubscriptionEnd(ctx, ctx.db, customer),
    )
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

const maxConsecutiveFailures = 3

type ReconcileTask = () => Promise<unknown>

/** A failure for one customer does not stop the others; an unreachable Stripe or a rejected key does. */
export function createReconcileRunner(ctx: Context, signal: AbortSignal) {
  let unanswered = 0
  return async (of: object, work: ReconcileTask, again?: ReconcileTask): Promise<void> => {
    signal.throwIfAborted()
    try {
      await work()
      unanswered = 0
    } catch (error) {
      signal.throwIfAborted()
      const why = String(error)
      ctx.log.error({ ...of, reason: why }, 'Failed to reconcile a subscription with Stripe')
      unanswered = isStripeUnreachable(error) ? unanswered + 1 : 0
      if (unanswered >= maxConsecutiveFailures || isKeyRejected(error)) {
        ctx.log.error({ reason: why }, 'Stopped reconciling subscriptions: Stripe is unreachable')
        throw error
      }
      if (unanswered > 0) await again?.()
    }
  }
}

const isKeyRejected = (error: unknown) => error instanceof StripeRequestFailed && error.isKeyRejected
