import type { Card, Customer, Item, Price, Product, Subscription, Words } from './records.ts'
import type { State } from './state.ts'

/** Fields that nobody here uses, with the value that a new account has. */
export function nulls<T extends string>(names: T): Record<Words<T>, null> {
  // The keys are exactly these words.
  return Object.fromEntries(names.split(' ').map((name) => [name, null])) as Record<Words<T>, null>
}

export const list = (url: string, data: object[], hasMore = false) => ({
  object: 'list',
  data,
  has_more: hasMore,
  url,
})

export function showCustomer(customer: Customer): object {
  const { id, isDeleted, card, taxId: _, ...facts } = customer
  if (isDeleted) return { id, object: 'customer', deleted: true }
  const invoice_settings = nulls('custom_fields footer rendering_options')
  return {
    id,
    object: 'customer',
    ...facts,
    ...nulls('customer_account default_source discount shipping test_clock'),
    currency: 'usd',
    delinquent: false,
    invoice_prefix: prefixOf(customer),
    invoice_settings: { ...invoice_settings, default_payment_method: card?.id ?? null },
    livemode: false,
    preferred_locales: [],
    tax_exempt: 'none',
  }
}

export const prefixOf = ({ id }: Customer) => id.slice(-8).toUpperCase()

export function showCard({ id, brand, last4, created }: Card, customer: Customer) {
  const { address, email, name } = customer
  const facts = { country: 'US', exp_month: 12, exp_year: 2034, fingerprint: last4, funding: 'credit' }
  const networks = { available: [brand], preferred: null }
  return {
    id,
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: { address, email, name, phone: null, tax_id: null },
    card: { brand, display_brand: brand, last4, ...facts, networks, ...nulls(cardNulls) },
    created,
    customer: customer.id,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
}

const cardNulls = 'checks generated_from regulated_status three_d_secure_usage wallet'

export const showProduct = (product: Product) => ({
  object: 'product',
  ...product,
  ...nulls('default_price package_dimensions shippable statement_descriptor tax_code unit_label url'),
  images: [],
  livemode: false,
  marketing_features: [],
  type: 'service',
  updated: product.created,
})

export function showPrice(sold: Price) {
  const { isRemoved: _, currency_options: __, ...price } = sold
  const usage = { meter: null, trial_period_days: null, usage_type: 'licensed' }
  return {
    object: 'price',
    ...price,
    ...nulls('custom_unit_amount tiers_mode transform_quantity'),
    recurring: price.recurring && { ...price.recurring, ...usage },
    billing_scheme: 'per_unit',
    livemode: false,
    tax_behavior: 'exclusive',
    type: price.recurring ? 'recurring' : 'one_time',
    unit_amount_decimal: String(price.unit_amount),
  }
}

/** The price's own currency is among them. */
export const showCurrencyOptions = ({ currency, unit_amount, currency_options }: Price) =>
  Object.fromEntries(
    Object.entries({ ...currency_options, [currency]: unit_amount }).map(([name, amount]) => {
      const amounts = { unit_amount: amount, unit_amount_decimal: String(amount) }
      return [name, { custom_unit_amount: null, tax_behavior: 'exclusive', ...amounts }]
    }),
  )

function showItem({ prices }: State, subscription: Subscription, item: Item) {
  const { current_period_start, current_period_end } = subscription
  const price = prices.find(({ id }) => id === item.price)
  return {
    object: 'subscription_item',
    ...item,
    price: price && showPrice(price),
    plan: { id: item.price, object: 'plan' },
    ...nulls('billing_thresholds current_trial'),
    current_period_start,
    current_period_end,
    discounts: [],
    subscription: subscription.id,
    tax_rates: [],
  }
}

const subscriptionNulls =
  'application application_fee_percent billing_cycle_anchor_config billing_thresholds customer_account days_until_due default_source managed_payments next_pending_invoice_item_invoice on_behalf_of pause_collection pending_invoice_item_interval pending_setup_intent schedule test_clock transfer_data'

export function showSubscription(state: State, subscription: Subscription) {
  // Since 2025 the items have the period, and no longer the subscription.
  const { items, pending: _, toldOfTrialEnd: __, missingCard, ...rest } = subscription
  const { current_period_start: ___, current_period_end: ____, automatic_tax, ...facts } = rest
  const card = state.customers.find(({ id }) => id === facts.customer)?.card
  const shown = (all: Item[]) => all.map((item) => showItem(state, subscription, item))
  const held = facts.pending_update
  return {
    object: 'subscription',
    ...facts,
    ...nulls(subscriptionNulls),
    cancel_at: facts.cancel_at_period_end && !state.settings.showsCancelAt ? null : facts.cancel_at,
    automatic_tax: showTax(automatic_tax),
    cancellation_details: { ...facts.cancellation_details, feedback_option: null },
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    collection_method: 'charge_automatically',
    default_payment_method: card?.id ?? null,
    default_tax_rates: [],
    discounts: [],
    invoice_settings: {
      ...nulls('account_tax_ids custom_fields description footer'),
      issuer: { type: 'self' },
    },
    items: list(`/v1/subscription_items?subscription=${facts.id}`, shown(items)),
    livemode: false,
    payment_settings: {
      ...nulls('payment_method_options payment_method_types'),
      save_default_payment_method: 'off',
    },
    pending_update: held && {
      ...nulls('discount discounts metadata trial_end trial_from_plan'),
      billing_cycle_anchor: held.period?.start ?? null,
      cancel_at_period_end: held.cancel_at_period_end,
      expires_at: held.expires_at,
      subscription_items: shown(held.items),
    },
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: missingCard } },
  }
}

export const showTax = (enabled: boolean) => ({
  disabled_reason: null,
  enabled,
  liability: enabled ? { type: 'self' } : null,
})
