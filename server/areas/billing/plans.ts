import type { Stripe } from 'stripe'
import type { z } from 'zod'
import type { plan } from '../../../contract/billing.ts'
import type { ConfiguredPlan } from '../../config-values.ts'
import { isServiceUnavailable } from '../../call-service.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { StaleCache } from '../../platform/cache.ts'
import type { Actor } from '../../route.ts'
import { findConfiguredPlan, isBillingOn } from '../workspaces/plan-access.ts'
import { otherCurrencyReason, planUnavailableReason } from './billing-errors.ts'
import { amountsByCurrency, toInterval, retrievePrice } from './subscribed-plan.ts'
import { isLiveSubscription } from '../workspaces/subscription-status.ts'
import { findSubscription } from './store.ts'
import { isMissingAtStripe, StripeRequestFailed } from './stripe-errors.ts'

type Plan = z.input<typeof plan>
export interface PlanPrice extends Pick<Plan, 'interval' | 'interval_count'> {
  currency: string
  amounts: Record<string, number | null>
}

const minute = 60_000

export const createPriceCache = () => new StaleCache<PlanPrice | null>(5 * minute)

export async function listPlans(ctx: Context, { workspace }: Actor) {
  if (!isBillingOn(ctx.config)) return { plans: [], page: { next: null, total: 0 } }
  const row = await findSubscription(ctx.db, workspace.id)
  const currency = row && isLiveSubscription(row) ? row.currency : null
  const plans = await Promise.all((ctx.config.PLANS ?? []).map((plan) => presentPlan(ctx, plan, currency)))
  return { plans, page: { next: null, total: plans.length } }
}

export function getPlan({ config }: Context, id: string): ConfiguredPlan {
  const plan = findConfiguredPlan(config, id)
  if (!plan) throw new Invalid({ plan_id: ['Must be one of the available plans.'] })
  return plan
}

export function planTarget({ config }: Context, { plan_id }: { plan_id: string | null }) {
  const name = findConfiguredPlan(config, plan_id)?.name ?? 'created manually in Stripe'
  return { kind: 'plan', id: plan_id ?? '', name }
}

/** Returns null if the plan is unavailable. */
export async function findPrice(ctx: Context, { price }: ConfiguredPlan): Promise<PlanPrice | null> {
  const { value } = await ctx.priceCache.get(price, () => fetchPrice(ctx, price), isServiceUnavailable)
  return value
}

/** Re-checks the price: returns whether Stripe rejected the request for another reason. */
export async function isStillSold(ctx: Context, error: unknown, { price }: ConfiguredPlan): Promise<boolean> {
  const couldBe = error instanceof StripeRequestFailed && error.code !== 'payment_failed'
  return !couldBe || (await fetchPrice(ctx, price)) !== null
}

async function presentPlan(ctx: Context, plan: ConfiguredPlan, paidIn: string | null): Promise<Plan> {
  const { id, name, servers, members, retention_days } = plan
  const { price, unavailableReason } = await findAvailability(ctx, plan, paidIn)
  const currency = price && (paidIn !== null && paidIn in price.amounts ? paidIn : price.currency)
  return {
    id,
    name,
    amount: price?.amounts[currency ?? ''] ?? null,
    currency,
    interval: price?.interval ?? null,
    interval_count: price?.interval_count ?? null,
    limits: { servers, members, retention_days },
    unavailable_reason: unavailableReason,
  }
}

/** Turns a failure into a reason, so that the plans are shown even while Stripe is unreachable. */
async function findAvailability(
  ctx: Context,
  plan: ConfiguredPlan,
  paidIn: string | null,
): Promise<{ price: PlanPrice | null; unavailableReason: string | null }> {
  try {
    const price = await findPrice(ctx, plan)
    if (!price) return { price, unavailableReason: planUnavailableReason(plan.name) }
    const fits = paidIn === null || paidIn in price.amounts
    return { price, unavailableReason: fits ? null : otherCurrencyReason(plan, price.currency, paidIn) }
  } catch (error) {
    if (!isServiceUnavailable(error)) throw error
    return { price: null, unavailableReason: 'The price could not be loaded from Stripe. Try again shortly.' }
  }
}

async function fetchPrice(ctx: Context, id: string): Promise<PlanPrice | null> {
  try {
    const price = await retrievePrice(ctx, id)
    if (isOffered(price))
      return {
        currency: price.currency,
        amounts: amountsByCurrency(price),
        interval: toInterval(price),
        interval_count: price.recurring?.interval_count ?? null,
      }
  } catch (error) {
    if (!isMissingAtStripe(error)) throw error
  }
  ctx.log.error({ price: id }, 'Disabled a plan: its price does not exist or is inactive in Stripe')
  return null
}

const isOffered = ({ active, recurring }: Stripe.Price) => active && recurring !== null
