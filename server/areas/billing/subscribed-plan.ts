import type { Stripe } from 'stripe'
import type { ConfiguredPlan } from '../../config-values.ts'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { SubscriptionRow } from './store.ts'
import { isMissingAtStripe } from './stripe-errors.ts'
import { callStripe } from './stripe.ts'

type Plans = Pick<Config, 'PLANS'>

/** Returns the item of the plan; the operator may have added other items manually. */
export const planItem = (
  config: Plans,
  { items: { data } }: Stripe.Subscription,
): Stripe.SubscriptionItem | undefined =>
  data.find(({ price }) => findPlanByPrice(config, price.id)) ?? data[0]

export function findSubscribedPlan(
  config: Plans,
  subscription: Stripe.Subscription,
): ConfiguredPlan | undefined {
  const item = planItem(config, subscription)
  return item && findPlanByPrice(config, item.price.id)
}

export function findPendingPlan(
  config: Plans,
  { pending_update }: Stripe.Subscription,
): ConfiguredPlan | undefined {
  const plans = pending_update?.subscription_items?.map(({ price }) => findPlanByPrice(config, price.id))
  return plans?.find((plan) => plan !== undefined)
}

/** Matches former prices of a plan as well, because existing subscriptions keep them. */
const findPlanByPrice = ({ PLANS = [] }: Plans, price: string): ConfiguredPlan | undefined =>
  PLANS.find((plan) => plan.price === price || plan.former_prices.includes(price))

type SubscriptionPrice = Pick<SubscriptionRow, 'amount' | 'currency' | 'interval' | 'interval_count'>

export async function readSubscriptionPrice(
  ctx: Context,
  subscription: Stripe.Subscription,
): Promise<SubscriptionPrice> {
  const { currency } = subscription
  const item = planItem(ctx.config, subscription)
  const each = item ? await amountIn(ctx, item.price, currency) : null
  return {
    amount: each === null ? null : each * (item?.quantity ?? 1),
    currency,
    interval: toInterval(item?.price),
    interval_count: item?.price.recurring?.interval_count ?? null,
  }
}

/** A price can have several currencies besides its default one. */
async function amountIn(ctx: Context, price: Stripe.Price, currency: string): Promise<number | null> {
  if (price.currency === currency) return price.unit_amount
  try {
    return amountsByCurrency(await retrievePrice(ctx, price.id))[currency] ?? null
  } catch (error) {
    if (isMissingAtStripe(error)) return null
    throw error
  }
}

export const retrievePrice = (ctx: Context, id: string): Promise<Stripe.Price> =>
  callStripe(ctx, (stripe) => stripe.prices.retrieve(id, { expand: ['currency_options'] }))

export function amountsByCurrency({
  currency,
  unit_amount,
  currency_options = {},
}: Stripe.Price): Record<string, number | null> {
  const others = Object.entries(currency_options).map(([name, option]) => [name, option.unit_amount] as const)
  return { ...Object.fromEntries(others), [currency]: unit_amount }
}

const intervals = ['day', 'week', 'month', 'year'] as const

export const toInterval = (price: Stripe.Price | undefined): SubscriptionRow['interval'] =>
  intervals.find((interval) => interval === price?.recurring?.interval) ?? null
