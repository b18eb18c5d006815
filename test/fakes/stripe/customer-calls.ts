import { z } from 'zod'
import { type Call, missing, missingParam } from './answer.ts'
import { changing, emit } from './events.ts'
import { pageOfList } from './lists.ts'
import { address, expand, integer, metadata, orNone, paging, text } from './params.ts'
import type { Address, Customer, Metadata } from './records.ts'
import { type Route, route } from './routes.ts'
import { addCustomer } from './sessions.ts'
import { showCustomer } from './show.ts'
import { endSubscription } from './standing.ts'
import type { State } from './state.ts'

const email = z.string().regex(/^[^\s@]+@[^\s@]+$/, 'Invalid email address')
const facts = {
  email: orNone(email).optional(),
  name: orNone(text).optional(),
  phone: orNone(text).optional(),
  description: orNone(text).optional(),
  address: address.optional(),
  balance: integer.optional(),
  metadata: metadata.optional(),
  expand,
}

export const customerRoutes: Route[] = [
  route(['POST', '/v1/customers', 'customer'], z.strictObject(facts), ({ state }, given) => {
    const changes = changesOf(given)
    return showCustomer(addCustomer(state, { ...changes, metadata: merge({}, given.metadata) }))
  }),
  route(['GET', '/v1/customers/:id', 'customer'], z.strictObject({ expand }), (call) =>
    showCustomer(find(call)),
  ),
  route(['POST', '/v1/customers/:id', 'customer'], z.strictObject(facts), (call, given) => {
    const customer = findLiving(call)
    changing(
      call.state,
      'customer.updated',
      () => ({ ...showCustomer(customer) }),
      () => Object.assign(customer, changesOf(given), { metadata: merge(customer.metadata, given.metadata) }),
    )
    return showCustomer(customer)
  }),
  route(
    ['GET', '/v1/customers', 'list customer'],
    z.strictObject({ ...paging, email: email.optional() }),
    (call, given) => {
      const living = call.state.customers.filter(
        (one) => !one.isDeleted && (given.email === undefined || one.email === given.email),
      )
      return pageOfList(call, living, given, showCustomer)
    },
  ),
  route(['DELETE', '/v1/customers/:id', 'customer'], z.strictObject({ expand }), (call) => {
    const customer = findLiving(call)
    deleteCustomer(call.state, customer)
    return showCustomer(customer)
  }),
]

/** Its subscriptions end with it. */
export function deleteCustomer(state: State, customer: Customer) {
  for (const one of state.subscriptions)
    if (one.customer === customer.id && one.status !== 'canceled') endSubscription(state, one)
  emit(state, 'customer.deleted', showCustomer(customer))
  customer.isDeleted = true
  customer.card = undefined
}

type Facts = z.output<z.ZodObject<typeof facts>>

function changesOf(facts: Facts): Partial<Customer> {
  const { expand: _, metadata: __, address: place, ...given } = facts
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  // Only what was said is in it.
  const changes = Object.fromEntries(said) as Partial<Customer>
  return place === undefined ? changes : { ...changes, address: place && addressOf(place) }
}

export const addressOf = (place: { [Part in keyof Address]?: string | null | undefined }): Address => ({
  city: place.city ?? null,
  country: place.country ?? null,
  line1: place.line1 ?? null,
  line2: place.line2 ?? null,
  postal_code: place.postal_code ?? null,
  state: place.state ?? null,
})

/** A key whose value is empty is taken away, and nothing at all takes away all. */
export function merge(before: Metadata, given: Metadata | null | undefined): Metadata {
  if (given === null) return {}
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== ''))
}

/** Also one that was deleted. */
function find({ state, params }: Call): Customer {
  const found = state.customers.find(({ id }) => id === params['id'])
  if (!found) throw missing('customer', params['id'] ?? '')
  return found
}

function findLiving(call: Call): Customer {
  const customer = find(call)
  if (customer.isDeleted) throw missing('customer', customer.id)
  return customer
}

/** The one that a parameter names. */
export function namedCustomer({ customers }: State, id: string, param = 'customer'): Customer {
  const found = customers.find((one) => one.id === id && !one.isDeleted)
  if (!found) throw missingParam('customer', id, param)
  return found
}
