import { z } from 'zod'
import { type Call, lacking, missingParam, named, refuse } from './answer.ts'
import { merge, namedCustomer } from './customer-calls.ts'
import { boolean, expand, integer, metadata, text, url } from './params.ts'
import { day } from './proration.ts'
import type { CheckoutSession, Price } from './records.ts'
import { listRoute, one, type Route, route } from './routes.ts'
import { expireSession } from './sessions.ts'
import { showSession } from './show-checkout.ts'
import { newId, type State } from './state.ts'

const enabled = z.strictObject({ enabled: boolean })
const update = z.enum(['auto', 'never']).optional()
const missing_payment_method = z.enum(['cancel', 'create_invoice', 'pause'])
const subscriptionData = z.strictObject({
  metadata: metadata.optional(),
  description: text.max(500).optional(),
  trial_end: integer.optional(),
  trial_period_days: integer.optional(),
  trial_settings: z.strictObject({ end_behavior: z.strictObject({ missing_payment_method }) }).optional(),
})
const lineItem = z.strictObject({ price: text, quantity: integer.optional() })
const sessionParams = z.strictObject({
  mode: z.enum(['payment', 'setup', 'subscription']),
  line_items: z.array(lineItem).max(20).optional(),
  customer: text.optional(),
  customer_email: text.optional(),
  customer_update: z.strictObject({ address: update, name: update, shipping: update }).optional(),
  client_reference_id: text.max(200).optional(),
  metadata: metadata.optional(),
  subscription_data: subscriptionData.optional(),
  success_url: url.optional(),
  cancel_url: url.optional(),
  automatic_tax: enabled.optional(),
  tax_id_collection: enabled.extend({ required: z.enum(['if_supported', 'never']).optional() }).optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  allow_promotion_codes: boolean.optional(),
  payment_method_collection: z.enum(['always', 'if_required']).optional(),
  payment_method_types: z.array(z.enum(['card'])).optional(),
  locale: text.optional(),
  expires_at: integer.optional(),
  ui_mode: z.enum(['hosted_page']).optional(),
  expand,
})
type Given = z.output<typeof sessionParams>

const path = '/v1/checkout/sessions'
const find = (call: Call) => named(call, call.state.sessions, 'checkout.session', 'session')

export const sessionRoutes: Route[] = [
  route(`POST ${path}`, 'checkout.session', sessionParams, ({ state }, given) => {
    const session = createSession(state, given)
    state.sessions.push(session)
    return showSession(state, session)
  }),
  route(`GET ${path}/:id`, 'checkout.session', one, (call) => showSession(call.state, find(call))),
  listRoute(
    path,
    'checkout.session',
    {
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(['complete', 'expired', 'open']).optional(),
    },
    (state, { customer }) => {
      if (typeof customer === 'string') namedCustomer(state, customer)
      return state.sessions
    },
    (session, state) => showSession(state, session),
  ),
  route(`POST ${path}/:id/expire`, 'checkout.session', one, (call) => {
    const session = find(call)
    if (session.status !== 'open')
      throw refuse(`Only open sessions can be expired. This one has a status of ${session.status}.`)
    expireSession(call.state, session)
    return showSession(call.state, session)
  }),
]

function createSession(state: State, given: Given): CheckoutSession {
  if (given.mode !== 'subscription') throw refuse('This account only sells subscriptions.', 'mode')
  if (!given.success_url) throw lacking('success_url')
  const [first] = checkLines(state, given)
  checkCustomer(state, given)
  checkTimes(state, given)
  const data = given.subscription_data
  return {
    id: newId('cs_test', 58),
    status: 'open',
    payment_status: 'unpaid',
    created: state.now(),
    expires_at: given.expires_at ?? state.now() + day,
    customer: given.customer ?? null,
    customer_email: given.customer_email ?? null,
    client_reference_id: given.client_reference_id ?? null,
    metadata: merge({}, given.metadata),
    success_url: given.success_url,
    cancel_url: given.cancel_url ?? null,
    line_items: (given.line_items ?? []).map(({ price, quantity = 1 }) => ({
      id: newId('li'),
      price,
      quantity,
    })),
    currency: first?.currency ?? '',
    subscription: null,
    invoice: null,
    subscription_data: {
      metadata: merge({}, data?.metadata),
      description: data?.description ?? null,
      trial_end: data?.trial_end ?? null,
      trial_period_days: data?.trial_period_days ?? null,
      missingCard: data?.trial_settings?.end_behavior.missing_payment_method ?? 'create_invoice',
    },
    automatic_tax: given.automatic_tax?.enabled ?? false,
    tax_id_collection: given.tax_id_collection?.enabled ?? false,
    billing_address_collection: given.billing_address_collection ?? 'auto',
    customer_update: {
      address: given.customer_update?.address ?? 'never',
      name: given.customer_update?.name ?? 'never',
    },
    allow_promotion_codes: given.allow_promotion_codes ?? null,
    payment_method_collection: given.payment_method_collection ?? 'always',
    locale: given.locale ?? null,
  }
}

function checkLines(state: State, { line_items = [] }: Given): Price[] {
  if (line_items.length === 0) throw lacking('line_items')
  const prices = line_items.map(({ price, quantity }, index) => {
    const param = (name: string) => `line_items[${index}][${name}]`
    if (quantity === undefined) throw refuse('Quantity is required.', param('quantity'))
    if (quantity < 1)
      throw refuse('This value must be at least 1.', param('quantity'), 'parameter_invalid_integer')
    return sellablePrice(state, price, param('price'))
  })
  if (!prices.some(({ recurring }) => recurring))
    throw refuse('Provide at least one recurring price in `subscription` mode.', 'line_items')
  if (new Set(prices.map(({ currency }) => currency)).size > 1)
    throw refuse('All prices on a Checkout Session must be in the same currency.', 'line_items')
  return prices
}

export function sellablePrice({ prices, products }: State, id: string, param: string): Price {
  const price = prices.find((one) => one.id === id && !one.isRemoved)
  if (!price) throw missingParam('price', id, param)
  if (!price.active || !products.find((one) => one.id === price.product)?.active)
    throw refuse('The price specified is inactive. This field only accepts active prices.', param)
  return price
}

function checkCustomer(state: State, given: Given) {
  const { customer, customer_email, customer_update, automatic_tax, tax_id_collection } = given
  if (customer !== undefined && customer_email !== undefined)
    throw refuse('You may only specify one of these parameters: customer, customer_email.', 'customer')
  if (customer === undefined) {
    if (customer_update) throw refuse('`customer_update` needs `customer`.', 'customer_update')
    return
  }
  const { address } = namedCustomer(state, customer)
  if (automatic_tax?.enabled && !address?.country && customer_update?.address !== 'auto') {
    const why = "Automatic tax needs an address of the Customer, or `customer_update[address]` of 'auto'."
    throw refuse(why, undefined, 'customer_tax_location_invalid')
  }
  if (tax_id_collection?.enabled && customer_update?.name !== 'auto')
    throw refuse('Tax ID collection needs `customer_update[name]` of `auto`.')
}

function checkTimes(state: State, { subscription_data, expires_at }: Given) {
  const { trial_end, trial_period_days: days } = subscription_data ?? {}
  const [end, period] = ['subscription_data[trial_end]', 'subscription_data[trial_period_days]']
  const now = state.now()
  if (trial_end !== undefined && days !== undefined)
    throw refuse(`You may only specify one of these parameters: ${end}, ${period}.`, end)
  if (trial_end !== undefined && trial_end < now + 2 * day)
    throw refuse('The `trial_end` date has to be at least 2 days in the future.', end)
  if (days !== undefined && days < 1)
    throw refuse('The minimum number of trial period days is 1.', period, 'parameter_invalid_integer')
  if (expires_at !== undefined && expires_at < now + 1800)
    throw refuse('The `expires_at` timestamp must be at least 30 minutes from creation.', 'expires_at')
  if (expires_at !== undefined && expires_at > now + day)
    throw refuse('The `expires_at` timestamp must be less than 24 hours from creation.', 'expires_at')
}
