import type { ConfiguredPlan } from '../../config-values.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { changePlan } from './change-plan.ts'
import { openCheckout } from './checkout.ts'
import { getPlan, planTarget } from './plans.ts'
import { paidMeanwhile, paymentDue, paymentInProgress } from './billing-errors.ts'
import { isPaidSubscription, isPaymentOverdue } from '../workspaces/subscription-status.ts'
import { stripeInitiator } from './stripe.ts'
import { presentSubscription } from './subscription.ts'
import { assertBillingOn, callStripe, stripeId } from './stripe.ts'
import { findSubscription, type SubscriptionRow } from './store.ts'
import { syncBilling } from './sync-billing.ts'
import { withBillingMutex } from './billing-mutex.ts'
import type { Stripe } from 'stripe'
import type { confirmSubscription as contract } from '../../../contract/billing.ts'
import type { Reply } from '../../../contract/endpoint.ts'
import { notFound } from '../../errors.ts'
import { isMissingAtStripe } from './stripe-errors.ts'

/** Limits attempts, which repeat when an open checkout is paid while another plan is requested. */
const maxAttempts = 3

interface PlanChoice {
  plan_id: string
  expected_plan_id?: string | null | undefined
}

/** Starts a checkout or changes the plan; returns the payment or confirmation URL, if any. */
export async function subscribe(ctx: Context, actor: Actor, input: PlanChoice) {
  assertBillingOn(ctx)
  const plan = getPlan(ctx, input.plan_id)
  const { id: workspaceId } = actor.workspace
  return withBillingMutex(ctx, workspaceId, async () => {
    const known = await findSubscription(ctx.db, workspaceId)
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const synced = await syncBilling(ctx, workspaceId, stripeInitiator)
      if (synced && isPaidSubscription(synced.row)) {
        assertExpectedPlan(ctx, synced.row, plan, input, known)
        const changed = await changePlan(ctx, actor, synced, plan)
        if (!changed) continue
        const { url, row } = changed
        return { url, subscription: row ? await presentSubscription(ctx, row) : null }
      }
      if (synced && isPaymentOverdue(synced.row) && synced.row.pay_url) throw paymentDue(synced.row.pay_url)
      const url = await openCheckout(ctx, actor, synced?.row, plan)
      if (url) return { url, subscription: synced ? await presentSubscription(ctx, synced.row) : null }
    }
    throw paymentInProgress()
  })
}

/** Rejects the request if the client did not know the current plan. */
function assertExpectedPlan(
  ctx: Context,
  now: SubscriptionRow,
  { id }: ConfiguredPlan,
  { expected_plan_id: seen }: PlanChoice,
  known: SubscriptionRow | undefined,
): void {
  const before = known && isPaidSubscription(known) ? known.plan_id : undefined
  const expected = seen === undefined ? before : (seen ?? undefined)
  if (now.plan_id !== expected && now.plan_id !== id) throw paidMeanwhile(planTarget(ctx, now).name)
}

type CheckoutState = Reply<typeof contract>['state']

export async function confirmSubscription(ctx: Context, actor: Actor, sessionId: string) {
  assertBillingOn(ctx)
  const { id: workspaceId } = actor.workspace
  const row = await findSubscription(ctx.db, workspaceId)
  const session = row && (await findSession(ctx, sessionId))
  if (!session || stripeId(session.customer) !== row.customer_id) throw notFound('This payment')
  const synced = await withBillingMutex(ctx, workspaceId, () => syncBilling(ctx, workspaceId, actor))
  return {
    state: toCheckoutState(session),
    subscription: synced ? await presentSubscription(ctx, synced.row) : null,
  }
}

async function findSession(ctx: Context, id: string): Promise<Stripe.Checkout.Session | undefined> {
  // Prevents path injection into the Stripe URL.
  if (!/^cs_\w+$/.test(id)) return undefined
  try {
    return await callStripe(ctx, (stripe) => stripe.checkout.sessions.retrieve(id))
  } catch (error) {
    if (isMissingAtStripe(error)) return undefined
    throw error
  }
}

function toCheckoutState({ status, payment_status }: Stripe.Checkout.Session): CheckoutState {
  if (status === 'open') return 'open'
  if (status === 'expired') return 'expired'
  return payment_status === 'unpaid' ? 'processing' : 'paid'
}
