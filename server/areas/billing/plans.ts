import type { Stripe } from 'stripe'
import type { z } from 'zod'
import type { plan } from '../../../contract/billing.ts'
import type { ConfiguredPlan } from '../../billing-variables.ts'
import { isServiceUnavailable } from '../../call-service.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { StaleCache } from '../../platform/stale-cache.ts'
import type { Actor } from '../../route.ts'
import { planOf } from '../workspaces/standing.ts'
import { whyOtherCurrency, whyUnavailable } from './refusals.ts'
import { amountsOf, intervalOf, retrievePrice } from './sold.ts'
import { isLive } from './status.ts'
import { findSubscription } from './store.ts'
import { isMissing, StripeRefused } from './stripe-errors.ts'
import { mustBeOn } from './stripe.ts'

type Plan = z.input<typeof plan>
/** Price of a plan by currency. */
export interface Price extends Pick<Plan, 'interval' | 'interval_count'> {
  currency: string
  amounts: Record<string, number | null>
}

const minute = 60_000

export const createPriceCache = () => new StaleCache<Price | null>(5 * minute)

/** Lists the plans with cached prices in the currency of the workspace. */
export async function listPlans(ctx: Context, { workspace }: Actor) {
  mustBeOn(ctx)
  const row = await findSubscription(ctx.db, workspace.id)
  const currency = row && isLive(row) ? row.currency : null
  const plans = await Promise.all((ctx.config.PLANS ?? []).map((one) => present(ctx, one, currency)))
  return { plans, page: { next: null, total: plans.length } }
}

export function getPlan({ config }: Context, id: string): ConfiguredPlan {
  const found = planOf(config, id)
  if (!found) throw new Invalid({ plan_id: ['Must be one of the available plans.'] })
  return found
}

/** Null if the plan is unavailable. */
export async function findPrice(ctx: Context, { price }: ConfiguredPlan): Promise<Price | null> {
  const { value } = await ctx.priceCache.get(price, () => askPrice(ctx, price), isServiceUnavailable)
  return value
}

/** Re-checks the price: returns whether Stripe rejected the request for another reason. */
export async function isSold(ctx: Context, error: unknown, { price }: ConfiguredPlan): Promise<boolean> {
  const couldBe = error instanceof StripeRefused && error.code !== 'payment_failed'
  return !couldBe || (await askPrice(ctx, price)) !== null
}

async function present(ctx: Context, plan: ConfiguredPlan, paidIn: string | null): Promise<Plan> {
  const { id, name, servers, members, retention_days } = plan
  const { price, unavailableReason } = await look(ctx, plan, paidIn)
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

/** Show the plans even while Stripe is unreachable. */
async function look(
  ctx: Context,
  plan: ConfiguredPlan,
  paidIn: string | null,
): Promise<{ price: Price | null; unavailableReason: string | null }> {
  try {
    const price = await findPrice(ctx, plan)
    if (!price) return { price, unavailableReason: whyUnavailable(plan.name) }
    const fits = paidIn === null || paidIn in price.amounts
    return { price, unavailableReason: fits ? null : whyOtherCurrency(plan, price.currency, paidIn) }
  } catch (error) {
    if (!isServiceUnavailable(error)) throw error
    return { price: null, unavailableReason: 'The price could not be loaded from Stripe. Try again shortly.' }
  }
}

async function askPrice(ctx: Context, id: string): Promise<Price | null> {
  try {
    const price = await retrievePrice(ctx, id)
    if (isOffered(price))
      return {
        currency: price.currency,
        amounts: amountsOf(price),
        interval: intervalOf(price),
        interval_count: price.recurring?.interval_count ?? null,
      }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  ctx.log.error({ price: id }, 'A price in PLANS is unknown or inactive at Stripe: its plan is unavailable')
  return null
}

const isOffered = ({ active, recurring }: Stripe.Price) => active && recurring !== null
