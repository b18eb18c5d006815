import type { Stripe } from 'stripe'
import { getCustomerParam, readMetadata, updateCustomer } from './customers.ts'
import { invalidRequest, missingParam, notImplemented } from './errors.ts'
import { emit } from './events.ts'
import { amountIn, getActivePrice } from './prices.ts'
import type { Address, Card, CheckoutSession, Price } from './records.ts'
import { type Call, filterBy, getNamed, listRoute, type Route, route } from './routes.ts'
import { type ApiObject, present } from './schema.ts'
import { day, getById, newId, type State } from './state.ts'
import { startSubscription } from './subscriptions.ts'

type Params = Stripe.Checkout.SessionCreateParams

const getSession = (call: Call) => getNamed(call, call.state.sessions, 'checkout.session', 'session')

export const checkoutRoutes: Route[] = [
  route('POST /v1/checkout/sessions', ({ state }, params: Params) => {
    const session = createSession(state, params)
    state.sessions.push(session)
    return presentSession(state, session)
  }),
  route('GET /v1/checkout/sessions/:id', (call) => presentSession(call.state, getSession(call))),
  listRoute(
    'GET /v1/checkout/sessions',
    (state, { customer, status }: Stripe.Checkout.SessionListParams) => {
      if (customer !== undefined) getCustomerParam(state, customer)
      return filterBy(state.sessions, { customer, status })
    },
    presentSession,
  ),
  route('POST /v1/checkout/sessions/:id/expire', (call) => {
    const session = getSession(call)
    if (session.status !== 'open')
      throw invalidRequest(
        `Only open sessions can be expired. This session has a status of ${session.status}.`,
      )
    expireSession(call.state, session)
    return presentSession(call.state, session)
  }),
]

function presentSession(state: State, session: CheckoutSession): ApiObject {
  const { id, status, subscription_data } = session
  const invoice = state.invoices.find((one) => one.id === session.invoice)
  const amount_subtotal =
    invoice?.subtotal ?? (subscription_data.trial_end === null ? totalOf(state, session) : 0)
  return present('Session', {
    ...session,
    // Line items are included only if expanded.
    line_items: undefined,
    amount_subtotal,
    amount_total: invoice?.total ?? amount_subtotal,
    mode: 'subscription',
    payment_method_types: ['card'],
    ui_mode: 'hosted_page',
    url: status === 'open' ? `${state.url}/c/pay/${id}` : null,
  })
}

/** The amount of each period before tax. */
export const totalOf = ({ prices }: State, { line_items }: CheckoutSession) =>
  line_items.reduce((sum, { price, quantity }) => sum + getById(prices, price).unit_amount * quantity, 0)

function createSession(state: State, params: Params): CheckoutSession {
  if (params.mode !== 'subscription') throw notImplemented(`Checkout in ${params.mode} mode`)
  if (params.success_url === undefined) throw missingParam('success_url')
  const [first] = checkLineItems(state, params)
  if (params.customer === undefined) throw notImplemented('Checkout without a customer')
  checkCustomer(state, params.customer, params)
  const trial_end = params.subscription_data?.trial_end ?? null
  if (trial_end !== null && trial_end < state.now() + 2 * day)
    throw invalidRequest(
      'The `trial_end` date has to be at least 2 days in the future.',
      'subscription_data[trial_end]',
    )
  return {
    id: newId('cs_test', 58),
    created: state.now(),
    expires_at: state.now() + day,
    status: 'open',
    payment_status: 'unpaid',
    customer: params.customer,
    client_reference_id: params.client_reference_id ?? null,
    metadata: readMetadata(params.metadata),
    currency: first?.currency ?? '',
    line_items: (params.line_items ?? []).map(({ price = '', quantity = 1 }) => ({ price, quantity })),
    subscription_data: { metadata: readMetadata(params.subscription_data?.metadata), trial_end },
    automatic_tax: { enabled: params.automatic_tax?.enabled ?? false },
    tax_id_collection: { enabled: params.tax_id_collection?.enabled ?? false, required: 'never' },
    billing_address_collection: params.billing_address_collection ?? 'auto',
    customer_update: params.customer_update ?? {},
    success_url: params.success_url,
    cancel_url: params.cancel_url ?? null,
    subscription: null,
    invoice: null,
  }
}

function checkLineItems(state: State, { line_items = [] }: Params): Price[] {
  if (line_items.length === 0) throw missingParam('line_items')
  const prices = line_items.map(({ price, quantity }, index) => {
    const paramOf = (name: string) => `line_items[${index}][${name}]`
    if (price === undefined) throw missingParam(paramOf('price'))
    if (quantity === undefined) throw invalidRequest('Quantity is required.', paramOf('quantity'))
    if (quantity < 1)
      throw invalidRequest('This value must be at least 1.', paramOf('quantity'), 'parameter_invalid_integer')
    return getActivePrice(state, price, paramOf('price'))
  })
  if (new Set(prices.map(({ currency }) => currency)).size > 1)
    throw invalidRequest('All prices on a Checkout Session must be in the same currency.', 'line_items')
  return prices
}

function checkCustomer(
  state: State,
  customer: string,
  { automatic_tax, customer_update, tax_id_collection }: Params,
) {
  const { address } = getCustomerParam(state, customer)
  if (automatic_tax?.enabled && !address?.country && customer_update?.address !== 'auto')
    throw invalidRequest(
      "Automatic tax needs an address of the Customer, or `customer_update[address]` of 'auto'.",
      undefined,
      'customer_tax_location_invalid',
    )
  if (tax_id_collection?.enabled && customer_update?.name !== 'auto')
    throw invalidRequest('Tax ID collection needs `customer_update[name]` of `auto`.')
}

/** Input on the payment page. */
export interface PaymentDetails {
  card: Card
  name: string
  address: Address
  taxId: string | undefined
}

export function completeSession(state: State, session: CheckoutSession, details: PaymentDetails) {
  const { card, name, address, taxId } = details
  const { customer_update, tax_id_collection } = session
  updateCustomer(state, getById(state.customers, session.customer), {
    card,
    ...(customer_update.address === 'auto' && { address }),
    ...(customer_update.name === 'auto' && { name }),
    ...(tax_id_collection.enabled && { taxId }),
  })
  const subscription = startSubscription(state, session, currencyFor(state, session, address))
  session.status = 'complete'
  session.payment_status = subscription.status === 'trialing' ? 'no_payment_required' : 'paid'
  session.subscription = subscription.id
  session.invoice = subscription.latest_invoice
  emit(state, 'checkout.session.completed', presentSession(state, session))
}

/** Customers in the euro area pay in euros if every price has an amount for that. */
function currencyFor({ prices }: State, { currency, line_items }: CheckoutSession, { country }: Address) {
  const isEuroArea = ['AT', 'DE', 'ES', 'FR', 'IT', 'NL'].includes(country ?? '')
  const hasEuro = line_items.every(({ price }) => amountIn(getById(prices, price), 'eur') !== undefined)
  return isEuroArea && hasEuro ? 'eur' : currency
}

export function expireSession(state: State, session: CheckoutSession) {
  session.status = 'expired'
  emit(state, 'checkout.session.expired', presentSession(state, session))
}
