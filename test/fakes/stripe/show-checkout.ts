import type { CheckoutSession, PortalConfiguration, PortalSession } from './checkout-records.ts'
import { list, showPrice } from './show.ts'
import type { State } from './state.ts'

/** Where a person pays. */
export const pageOf = ({ url }: State, { id }: Pick<CheckoutSession, 'id'>) => `${url}/c/pay/${id}`

export const hasTrial = ({ subscription_data: { trial_end, trial_period_days } }: CheckoutSession) =>
  trial_end !== null || trial_period_days !== null

/** What one pays for each period, before tax. */
export const totalOf = ({ prices }: State, { line_items }: CheckoutSession) =>
  line_items.reduce(
    (sum, one) => sum + (prices.find(({ id }) => id === one.price)?.unit_amount ?? 0) * one.quantity,
    0,
  )

export function showSession(state: State, session: CheckoutSession) {
  const { line_items: _, subscription_data: __, ...facts } = session
  const customer = state.customers.find(({ id }) => id === facts.customer)
  const invoice = state.invoices.find(({ id }) => id === facts.invoice)
  const subtotal = invoice?.subtotal ?? (hasTrial(session) ? 0 : totalOf(state, session))
  const tax = invoice?.tax ?? 0
  return {
    object: 'checkout.session',
    ...facts,
    adaptive_pricing: { enabled: false },
    after_expiration: null,
    allowed_payment_method_types: null,
    amount_subtotal: subtotal,
    amount_total: subtotal + tax,
    automatic_tax: {
      enabled: facts.automatic_tax,
      liability: facts.automatic_tax ? { type: 'self' } : null,
      provider: facts.automatic_tax ? 'stripe' : null,
      status: facts.automatic_tax ? (invoice ? 'complete' : 'requires_location_inputs') : null,
    },
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer_account: null,
    customer_creation: facts.customer === null ? 'always' : null,
    customer_details:
      facts.status === 'complete' && customer
        ? {
            address: customer.address,
            business_name: null,
            email: customer.email,
            individual_name: null,
            name: customer.name,
            phone: null,
            tax_exempt: 'none',
            tax_ids: customer.taxId === undefined ? [] : [{ type: 'eu_vat', value: customer.taxId }],
          }
        : null,
    discounts: [],
    integration_identifier: null,
    invoice_creation: null,
    livemode: false,
    managed_payments: null,
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    submit_type: null,
    tax_id_collection: { enabled: facts.tax_id_collection, required: 'never' },
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax },
    ui_mode: 'hosted_page',
    url: facts.status === 'open' ? pageOf(state, session) : null,
    wallet_options: null,
  }
}

export const showLineItems = (state: State, session: CheckoutSession) =>
  list(
    `/v1/checkout/sessions/${session.id}/line_items`,
    session.line_items.map(({ id, price, quantity }) => {
      const found = state.prices.find((one) => one.id === price)
      const amount = (found?.unit_amount ?? 0) * quantity
      return {
        id,
        object: 'item',
        amount_discount: 0,
        amount_subtotal: amount,
        amount_tax: 0,
        amount_total: amount,
        currency: session.currency,
        description: state.products.find((one) => one.id === found?.product)?.name ?? null,
        price: found && showPrice(found),
        quantity,
      }
    }),
  )

export const showConfiguration = ({ login_page, ...configuration }: PortalConfiguration) => ({
  object: 'billing_portal.configuration',
  ...configuration,
  application: null,
  features: {
    ...configuration.features,
    payment_method_update: {
      payment_method_configuration: null,
      ...configuration.features.payment_method_update,
    },
    subscription_cancel: {
      cancellation_reason: { enabled: false, feedback_options: null, options: [] },
      ...configuration.features.subscription_cancel,
    },
    subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
    subscription_update: {
      billing_cycle_anchor: null,
      products: null,
      schedule_at_period_end: { conditions: [] },
      trial_update_behavior: 'end_trial',
      ...configuration.features.subscription_update,
    },
  },
  livemode: false,
  login_page: { enabled: login_page, url: null },
})

export const showPortalSession = ({ url }: State, session: PortalSession) => ({
  object: 'billing_portal.session',
  ...session,
  after_expiration: null,
  customer_account: null,
  flow: null,
  livemode: false,
  on_behalf_of: null,
  url: `${url}/p/session/${session.id}`,
})
