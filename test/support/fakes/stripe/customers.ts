import type { Stripe } from 'stripe'
import { noSuch } from './errors.ts'
import { emit, update } from './events.ts'
import type { Card, CardBehavior, Customer } from './records.ts'
import { getNamed, type Route, route } from './routes.ts'
import { type ApiObject, present } from './schema.ts'
import { newId, type State } from './state.ts'

export const customerRoutes: Route[] = [
  route('POST /v1/customers', ({ state }, { email, name, metadata }: Stripe.CustomerCreateParams) => {
    const customer: Customer = {
      id: newId('cus', 14),
      created: state.now(),
      email: email ?? null,
      name: name ?? null,
      address: null,
      metadata: readMetadata(metadata),
      balance: 0,
      card: undefined,
      taxId: undefined,
      isDeleted: false,
    }
    state.customers.push(customer)
    const presented = presentCustomer(state, customer)
    emit(state, 'customer.created', presented)
    return presented
  }),
  // A deleted customer is still found.
  route('GET /v1/customers/:id', (call) =>
    presentCustomer(call.state, getNamed(call, call.state.customers, 'customer')),
  ),
]

export function presentCustomer(_state: State, customer: Customer): ApiObject {
  const { id, isDeleted, card } = customer
  if (isDeleted) return { id, object: 'customer', deleted: true }
  const invoice_settings = { default_payment_method: card?.id ?? null }
  return present('Customer', { ...customer, invoice_settings })
}

/** A key with an empty value is not set. */
export const readMetadata = (given: Stripe.Emptyable<Stripe.MetadataParam> | undefined) =>
  Object.fromEntries(
    Object.entries(given || {}).flatMap(([key, value]) => (value ? [[key, String(value)]] : [])),
  )

/** The customer that a parameter names. */
export function getCustomerParam({ customers }: State, id: string): Customer {
  const found = customers.find((customer) => customer.id === id && !customer.isDeleted)
  if (!found) throw noSuch(400, 'customer', id, 'customer')
  return found
}

export const updateCustomer = (state: State, customer: Customer, changes: Partial<Customer>) =>
  update(state, 'customer.updated', customer, changes, presentCustomer)

/** Stripe's test cards: what they do when entered, and whenever they are charged later. */
const testCards: Record<string, { now: CardBehavior; later: CardBehavior; brand: string }> = {
  '4242424242424242': { now: 'ok', later: 'ok', brand: 'visa' },
  '5555555555554444': { now: 'ok', later: 'ok', brand: 'mastercard' },
  '4000000000000002': { now: 'declined', later: 'declined', brand: 'visa' },
  '4000000000000341': { now: 'ok', later: 'declined', brand: 'visa' },
  '4000002500003155': { now: 'ok', later: 'needs_action', brand: 'visa' },
}

/** Reads the card number of a form; a string is the error to show. */
export function readCard(form: URLSearchParams): Card | string {
  const number = (form.get('card') ?? '').replaceAll(/[\s-]/g, '')
  if (number === '') return 'Enter your card number.'
  const found = testCards[number]
  if (!found) return 'Your card number is invalid.'
  if (found.now === 'declined') return 'Your card was declined. Please try a different card.'
  return { id: newId('pm'), behavior: found.later, brand: found.brand, last4: number.slice(-4) }
}
