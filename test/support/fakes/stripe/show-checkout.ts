import type { CheckoutSession, Customer, PortalConfiguration, PortalSession } from './records.ts'
import { nulls, showTax } from './show.ts'
import type { State } from './state.ts'

export const hasTrial = ({ subscription_data: { trial_end, trial_period_days } }: CheckoutSession) =>
  trial_end !== null || trial_period_days !== null

/** What one pays for each period, before tax. */
export const totalOf = ({ prices }: State, { line_items }: CheckoutSession) =>
  line_items.reduce(
    (sum, one) => sum + (prices.find(({ id }) => id === one.price)?.unit_amount ?? 0) * one.quantity,
    0,
  )

const sessionNulls =
  'after_expiration allowed_payment_method_types client_secret collected_information consent consent_collection currency_conversion customer_account integration_identifier invoice_creation managed_payments origin_context payment_intent payment_link payment_method_configuration_details permissions recovered_from saved_payment_method_options setup_intent shipping_address_collection shipping_cost submit_type wallet_options'

export function showSession(state: State, session: CheckoutSession) {
  const { line_items: _, subscription_data: __, customer_update: ___, ...kept } = session
  const { automatic_tax, tax_id_collection, ...facts } = kept
  const customer = state.customers.find(({ id }) => id === facts.customer)
  const invoice = state.invoices.find(({ id }) => id === facts.invoice)
  const subtotal = invoice?.subtotal ?? (hasTrial(session) ? 0 : totalOf(state, session))
  const tax = invoice?.tax ?? 0
  const { liability } = showTax(automatic_tax)
  return {
    object: 'checkout.session',
    ...facts,
    ...nulls(sessionNulls),
    adaptive_pricing: { enabled: false },
    amount_subtotal: subtotal,
    amount_total: subtotal + tax,
    automatic_tax: {
      enabled: automatic_tax,
      liability,
      provider: automatic_tax ? 'stripe' : null,
      status: automatic_tax ? (invoice ? 'complete' : 'requires_location_inputs') : null,
    },
    custom_fields: [],
    custom_text: nulls('after_submit shipping_address submit terms_of_service_acceptance'),
    customer_creation: facts.customer === null ? 'always' : null,
    customer_details: facts.status === 'complete' && customer ? detailsOf(customer) : null,
    discounts: [],
    livemode: false,
    mode: 'subscription',
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    phone_number_collection: { enabled: false },
    shipping_options: [],
    tax_id_collection: { enabled: tax_id_collection, required: 'never' },
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: tax },
    ui_mode: 'hosted_page',
    url: facts.status === 'open' ? `${state.url}/c/pay/${session.id}` : null,
  }
}

const detailsOf = ({ address, email, name, taxId }: Customer) => ({
  ...nulls('business_name individual_name phone'),
  address,
  email,
  name,
  tax_exempt: 'none',
  tax_ids: taxId === undefined ? [] : [{ type: 'eu_vat', value: taxId }],
})

export function showConfiguration({ login_page, features, ...configuration }: PortalConfiguration) {
  const { payment_method_update, subscription_cancel, subscription_update } = features
  const reason = { enabled: false, feedback_options: null, options: [] }
  return {
    object: 'billing_portal.configuration',
    ...configuration,
    application: null,
    features: {
      ...features,
      payment_method_update: { payment_method_configuration: null, ...payment_method_update },
      subscription_cancel: { cancellation_reason: reason, ...subscription_cancel },
      subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
      subscription_update: {
        ...nulls('billing_cycle_anchor products'),
        schedule_at_period_end: { conditions: [] },
        trial_update_behavior: 'end_trial',
        ...subscription_update,
      },
    },
    livemode: false,
    login_page: { enabled: login_page, url: null },
  }
}

export const showPortalSession = ({ url }: State, session: PortalSession) => ({
  object: 'billing_portal.session',
  ...session,
  ...nulls('after_expiration customer_account flow on_behalf_of'),
  livemode: false,
  url: `${url}/p/session/${session.id}`,
})
