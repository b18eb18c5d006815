import type { ConfiguredPlan } from '../../billing-variables.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { changePlan } from './change-plan.ts'
import { openCheckout } from './checkout.ts'
import { getPlan } from './plans.ts'
import { paidMeanwhile, paymentDue, paymentUnderWay } from './refusals.ts'
import { byStripe, isOwed, isPaid } from './status.ts'
import { presentSubscription } from './subscription.ts'
import { mustBeOn } from './stripe.ts'
import { findSubscription, type SubscriptionRow } from './store.ts'
import { sync, targetOf } from './sync.ts'
import { underBillingLock } from './under-lock.ts'

/** An open checkout may be paid while another plan is requested. */
const tries = 3

interface Choice {
  plan_id: string
  expected_plan_id?: string | null | undefined
}

/** Starts a checkout or changes the plan; returns the payment or confirmation URL, if any. */
export async function subscribe(ctx: Context, actor: Actor, given: Choice) {
  mustBeOn(ctx)
  const plan = getPlan(ctx, given.plan_id)
  const { id: workspaceId } = actor.workspace
  return underBillingLock(ctx, workspaceId, async () => {
    const known = await findSubscription(ctx.db, workspaceId)
    for (let attempt = 1; attempt <= tries; attempt++) {
      const found = await sync(ctx, workspaceId, byStripe)
      if (found && isPaid(found.row)) {
        mustBeAsExpected(ctx, found.row, plan, given, known)
        const changed = await changePlan(ctx, actor, found, plan)
        if (!changed) continue
        const { url, row } = changed
        return { url, subscription: row ? await presentSubscription(ctx, row) : null }
      }
      if (found && isOwed(found.row) && found.row.pay_url) throw paymentDue(found.row.pay_url)
      const url = await openCheckout(ctx, actor, found?.row, plan)
      if (url) return { url, subscription: found ? await presentSubscription(ctx, found.row) : null }
    }
    throw paymentUnderWay()
  })
}

/** Rejects the request if the client did not know the current plan. */
function mustBeAsExpected(
  ctx: Context,
  now: SubscriptionRow,
  { id }: ConfiguredPlan,
  { expected_plan_id: seen }: Choice,
  known: SubscriptionRow | undefined,
): void {
  const before = known && isPaid(known) ? known.plan_id : undefined
  const expected = seen === undefined ? before : (seen ?? undefined)
  if (now.plan_id !== expected && now.plan_id !== id) throw paidMeanwhile(targetOf(ctx, now).name)
}
