import type { Card, Customer, Item, Price, Product, Subscription } from './records.ts'
import type { State } from './state.ts'

/** How the API writes things; what nobody here uses has the value that a new account has. */
export const list = (url: string, data: object[], hasMore = false) => ({
  object: 'list',
  data,
  has_more: hasMore,
  url,
})

export function showCustomer(customer: Customer): object {
  const { id, isDeleted, card, taxId: _, ...facts } = customer
  if (isDeleted) return { id, object: 'customer', deleted: true }
  return {
    id,
    object: 'customer',
    ...facts,
    currency: 'usd',
    customer_account: null,
    default_source: null,
    delinquent: false,
    discount: null,
    invoice_prefix: prefixOf(customer),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: card?.id ?? null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}

export const prefixOf = ({ id }: Customer) => id.slice(-8).toUpperCase()

export const showCard = ({ id, brand, last4, created }: Card, customer: Customer) => ({
  id,
  object: 'payment_method',
  allow_redisplay: 'limited',
  billing_details: {
    address: customer.address,
    email: customer.email,
    name: customer.name,
    phone: null,
    tax_id: null,
  },
  card: {
    brand,
    checks: null,
    country: 'US',
    display_brand: brand,
    exp_month: 12,
    exp_year: 2034,
    fingerprint: last4,
    funding: 'credit',
    last4,
    networks: { available: [brand], preferred: null },
    wallet: null,
  },
  created,
  customer: customer.id,
  livemode: false,
  metadata: {},
  type: 'card',
})

export const showProduct = (product: Product) => ({
  object: 'product',
  ...product,
  default_price: null,
  images: [],
  livemode: false,
  marketing_features: [],
  package_dimensions: null,
  shippable: null,
  statement_descriptor: null,
  tax_code: null,
  type: 'service',
  unit_label: null,
  updated: product.created,
  url: null,
})

export function showPrice(sold: Price) {
  const { isRemoved: _, currency_options: __, ...price } = sold
  return {
    object: 'price',
    ...price,
    recurring: price.recurring && {
      ...price.recurring,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    billing_scheme: 'per_unit',
    custom_unit_amount: null,
    livemode: false,
    tax_behavior: 'exclusive',
    tiers_mode: null,
    transform_quantity: null,
    type: price.recurring ? 'recurring' : 'one_time',
    unit_amount_decimal: String(price.unit_amount),
  }
}

/** Its own currency is among them. */
export const showCurrencyOptions = ({ currency, unit_amount, currency_options }: Price) =>
  Object.fromEntries(
    Object.entries({ ...currency_options, [currency]: unit_amount }).map(([name, amount]) => [
      name,
      {
        custom_unit_amount: null,
        tax_behavior: 'exclusive',
        unit_amount: amount,
        unit_amount_decimal: String(amount),
      },
    ]),
  )

function showItem({ prices }: State, subscription: Subscription, item: Item) {
  const price = prices.find(({ id }) => id === item.price)
  return {
    object: 'subscription_item',
    ...item,
    price: price && showPrice(price),
    billing_thresholds: null,
    current_period_start: subscription.current_period_start,
    current_period_end: subscription.current_period_end,
    current_trial: null,
    discounts: [],
    subscription: subscription.id,
    tax_rates: [],
  }
}

export function showSubscription(state: State, subscription: Subscription) {
  // Since 2025 the items have the period, and no longer the subscription.
  const { items, pending: _, toldOfTrialEnd: __, missingCard, ...rest } = subscription
  const { current_period_start: ___, current_period_end: ____, ...facts } = rest
  const card = state.customers.find(({ id }) => id === facts.customer)?.card
  const shown = (all: Item[]) => all.map((item) => showItem(state, subscription, item))
  return {
    object: 'subscription',
    ...facts,
    cancel_at: facts.cancel_at_period_end && !state.settings.showsCancelAt ? null : facts.cancel_at,
    application: null,
    application_fee_percent: null,
    automatic_tax: {
      disabled_reason: null,
      enabled: facts.automatic_tax,
      liability: facts.automatic_tax ? { type: 'self' } : null,
    },
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    collection_method: 'charge_automatically',
    customer_account: null,
    days_until_due: null,
    default_payment_method: card?.id ?? null,
    default_source: null,
    default_tax_rates: [],
    discounts: [],
    invoice_settings: { account_tax_ids: null, issuer: { type: 'self' } },
    items: list(`/v1/subscription_items?subscription=${facts.id}`, shown(items)),
    livemode: false,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: facts.pending_update && {
      billing_cycle_anchor: facts.pending_update.period?.start ?? null,
      cancel_at_period_end: facts.pending_update.cancel_at_period_end,
      discount: null,
      discounts: null,
      expires_at: facts.pending_update.expires_at,
      metadata: null,
      trial_end: null,
      trial_from_plan: null,
      subscription_items: shown(facts.pending_update.items),
    },
    schedule: null,
    test_clock: null,
    transfer_data: null,
    trial_settings: { end_behavior: { missing_payment_method: missingCard } },
  }
}
