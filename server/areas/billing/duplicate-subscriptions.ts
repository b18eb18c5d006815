import type { Stripe } from 'stripe'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { expireCheckout, listOpenCheckouts } from './checkout.ts'
import { planTarget } from './plans.ts'
import { findSubscribedPlan } from './subscribed-plan.ts'
import { isLiveSubscription, isPaidSubscription } from '../workspaces/subscription-status.ts'
import { toStatus } from './stripe.ts'
import {
  lockExistingWorkspace,
  recordNotice,
  requestBillingSync,
  setSubscription,
  type SubscriptionRow,
} from './store.ts'
import { isMissingAtStripe, StripeRequestFailed } from './stripe-errors.ts'
import { callStripe } from './stripe.ts'

type Subscription = Stripe.Subscription

const retryDelayMs = 60_000

/**
 * Prefers paid subscriptions, then those that Slipway created, then newer ones. Subscriptions of other origin are never
 * ended as duplicates.
 */
export function pickSubscription(workspaceId: Id<'workspace'>, all: Subscription[]) {
  const isOurs = ({ metadata }: Subscription) => metadata['workspace_id'] === workspaceId
  const rank = (subscription: Subscription) =>
    (isPaidSubscription(toStatus(subscription)) ? 0 : 2) + (isOurs(subscription) ? 0 : 1)
  const [first, ...others] = all
    .filter((subscription) => isLiveSubscription(toStatus(subscription)))
    .toSorted((a, b) => rank(a) - rank(b) || b.created - a.created || (a.id < b.id ? 1 : -1))
  const subscription = first ?? all.toSorted((a, b) => endTime(b) - endTime(a))[0]
  return { subscription, duplicates: others.filter(isOurs) }
}

const endTime = ({ ended_at, created }: Subscription) => ended_at ?? created

/** Cancels other subscriptions and checkouts, in case two checkouts were open. A failure does not affect the plan. */
export async function keepOneSubscription(
  ctx: Context,
  row: SubscriptionRow,
  duplicates: Subscription[],
): Promise<void> {
  const { workspace_id: workspace } = row
  try {
    for (const duplicate of duplicates) await endDuplicate(ctx, workspace, duplicate)
    if (!isLiveSubscription(row) || !row.checkout_until) return
    for (const checkout of await listOpenCheckouts(ctx, row.customer_id)) await expireCheckout(ctx, checkout)
    await setSubscription(ctx.db, workspace, { checkout_until: null })
  } catch (error) {
    ctx.log.error({ workspace, reason: String(error) }, 'Failed to end a duplicate subscription or checkout')
    // The daily reconciliation retries requests that Stripe rejects.
    if (!(error instanceof StripeRequestFailed))
      await requestBillingSync(ctx, ctx.db, workspace, retryDelayMs)
  }
}

/** Reports the payment before the subscription ends, since it is no longer recognizable as a duplicate afterwards. */
async function endDuplicate(ctx: Context, workspace: Id<'workspace'>, duplicate: Subscription) {
  if (isPaidSubscription(toStatus(duplicate))) await reportPaidTwice(ctx, workspace, duplicate)
  await endSubscriptionNow(ctx, duplicate.id)
}

async function reportPaidTwice(ctx: Context, workspace: Id<'workspace'>, duplicate: Subscription) {
  const { id } = duplicate
  const plan_id = findSubscribedPlan(ctx.config, duplicate)?.id ?? null
  await transaction(ctx.db, async (trx) => {
    if (!(await lockExistingWorkspace(trx, workspace))) return
    if (!(await recordNotice(trx, workspace, 'duplicate', id))) return
    const target = { ...planTarget(ctx, { plan_id }), about: id }
    const detail = 'The operator of this instance must refund the payment in Stripe.'
    await emit(trx, 'slipway', workspace, 'billing.duplicate_ended', target, detail)
    ctx.log.error(
      { workspace, subscription: id },
      'Received a duplicate payment from a workspace: refund it in Stripe',
    )
  })
}

export async function endSubscriptionNow(ctx: Context, subscription: string): Promise<void> {
  try {
    await callStripe(ctx, (stripe) => stripe.subscriptions.cancel(subscription))
  } catch (error) {
    if (isMissingAtStripe(error)) return
    if (!(error instanceof StripeRequestFailed)) throw error
    const current = await callStripe(ctx, (stripe) => stripe.subscriptions.retrieve(subscription))
    if (isLiveSubscription(toStatus(current))) throw error
  }
}
