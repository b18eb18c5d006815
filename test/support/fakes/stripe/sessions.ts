import { changeCustomer } from './customer-calls.ts'
import { emit } from './events.ts'
import { customerOf } from './invoices.ts'
import { amountIn, day, priceOf } from './proration.ts'
import type { CheckoutSession } from './records.ts'
import { type Address, type Card, type CardKind, type Customer } from './records.ts'
import { showSession } from './show-checkout.ts'
import { showCard, showCustomer } from './show.ts'
import { newId, type State } from './state.ts'
import { startSubscription } from './subscriptions.ts'

/** The numbers that one types in tests: what they do now, and whenever they are charged later. */
const cards: Record<string, { now: CardKind; later: CardKind; brand: string }> = {
  '4242424242424242': { now: 'ok', later: 'ok', brand: 'visa' },
  '5555555555554444': { now: 'ok', later: 'ok', brand: 'mastercard' },
  '4000000000000002': { now: 'declined', later: 'declined', brand: 'visa' },
  '4000000000000341': { now: 'ok', later: 'declined', brand: 'visa' },
  '4000002500003155': { now: 'ok', later: 'needs_action', brand: 'visa' },
}

/** A sentence where it is none, or is declined. */
export function readCard(typed: string, now: number): Card | string {
  const number = typed.replaceAll(/[\s-]/g, '')
  if (number === '') return 'Enter your card number.'
  const found = cards[number]
  if (!found) return 'Your card number is invalid.'
  if (found.now === 'declined') return 'Your card was declined. Please try a different card.'
  const { later: kind, brand } = found
  return { id: newId('pm'), kind, brand, last4: number.slice(-4), created: now }
}

export interface Payer {
  /** None where nothing is to be paid and none is asked for. */
  card: Card | undefined
  email: string
  name: string
  address: Address
  taxId: string | undefined
}

/** The person paid: there is a subscription. */
export function completeSession(state: State, session: CheckoutSession, payer: Payer) {
  const customer = payingCustomer(state, session, payer)
  const { trial_end, trial_period_days, ...data } = session.subscription_data
  const trialEnd = trial_period_days === null ? trial_end : state.now() + trial_period_days * day
  const isTrial = trialEnd !== null && trialEnd > state.now()
  const subscription = startSubscription(state, {
    ...data,
    customer: customer.id,
    currency: currencyFor(state, session, payer.address.country),
    automatic_tax: session.automatic_tax,
    items: session.line_items.map(({ price, quantity }) => ({ price, quantity })),
    trialEnd: isTrial ? trialEnd : null,
  })
  Object.assign(session, {
    status: 'complete',
    payment_status: isTrial ? 'no_payment_required' : 'paid',
    customer: customer.id,
    subscription: subscription.id,
    invoice: subscription.latest_invoice,
  })
  emit(state, 'checkout.session.completed', showSession(state, session))
}

/** Where a price has an amount for the currency of the country, that is what one pays. */
function currencyFor(state: State, { currency, line_items }: CheckoutSession, country: string | null) {
  const isEuro = ['AT', 'DE', 'ES', 'FR', 'IT', 'NL'].includes(country ?? '')
  const hasEuro = line_items.every(({ price }) => amountIn(priceOf(state, price), 'eur') !== undefined)
  return isEuro && hasEuro ? 'eur' : currency
}

function payingCustomer(state: State, session: CheckoutSession, payer: Payer): Customer {
  const { card, email, name, address, taxId } = payer
  const customer =
    session.customer === null
      ? addCustomer(state, { email, name, address })
      : customerOf(state, { customer: session.customer })
  const takes = session.customer === null ? { address: 'auto', name: 'auto' } : session.customer_update
  if (card) emit(state, 'payment_method.attached', showCard(card, customer))
  changeCustomer(state, customer, {
    ...(card && { card }),
    ...(takes.address === 'auto' && { address }),
    ...(takes.name === 'auto' && { name }),
    ...(session.tax_id_collection && { taxId }),
  })
  return customer
}

export function addCustomer(state: State, given: Partial<Customer>): Customer {
  const customer: Customer = {
    id: newId('cus', 14),
    created: state.now(),
    email: null,
    name: null,
    phone: null,
    description: null,
    address: null,
    metadata: {},
    balance: 0,
    card: undefined,
    taxId: undefined,
    isDeleted: false,
    ...given,
  }
  state.customers.push(customer)
  emit(state, 'customer.created', showCustomer(customer))
  return customer
}

/** From now on this one is charged. */
export function changeCard(state: State, customer: Customer, card: Card | undefined) {
  if (card) emit(state, 'payment_method.attached', showCard(card, customer))
  changeCustomer(state, customer, { card })
}

export function expireSession(state: State, session: CheckoutSession) {
  session.status = 'expired'
  emit(state, 'checkout.session.expired', showSession(state, session))
}
