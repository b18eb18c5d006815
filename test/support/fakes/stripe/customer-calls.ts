import { z } from 'zod'
import { type Call, missing, missingParam, named } from './answer.ts'
import { changing, emit } from './events.ts'
import { address, boolean, expand, integer, metadata, orNone, text } from './params.ts'
import { day } from './proration.ts'
import type { Address, Customer, Metadata } from './records.ts'
import { listRoute, one, type Route, route } from './routes.ts'
import { addCustomer } from './sessions.ts'
import { showCustomer, showPrice } from './show.ts'
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
  route('POST /v1/customers', 'customer', z.strictObject(facts), ({ state }, given) => {
    const changes = changesOf(given)
    return showCustomer(addCustomer(state, { ...changes, metadata: merge({}, given.metadata) }))
  }),
  // Also one that was deleted.
  route('GET /v1/customers/:id', 'customer', one, (call) =>
    showCustomer(named(call, call.state.customers, 'customer')),
  ),
  route('POST /v1/customers/:id', 'customer', z.strictObject(facts), (call, given) => {
    const customer = findLiving(call)
    const changes = { ...changesOf(given), metadata: merge(customer.metadata, given.metadata) }
    changeCustomer(call.state, customer, changes)
    return showCustomer(customer)
  }),
  listRoute(
    '/v1/customers',
    'customer',
    { email: email.optional() },
    (state) => state.customers.filter(({ isDeleted }) => !isDeleted),
    showCustomer,
  ),
  route('DELETE /v1/customers/:id', 'customer', one, (call) => {
    const customer = findLiving(call)
    deleteCustomer(call.state, customer)
    return showCustomer(customer)
  }),
]

export const catalogueRoutes: Route[] = [
  route('GET /v1/prices/:id', 'price', one, (call) =>
    showPrice(named(call, sold(call.state), 'price', 'price')),
  ),
  listRoute(
    '/v1/prices',
    'price',
    {
      // Without this parameter, only those that are sold.
      active: boolean.optional().transform((is) => is ?? true),
      currency: text.optional(),
      lookup_keys: z.array(text).max(10).optional(),
      product: text.optional(),
      type: z.enum(['one_time', 'recurring']).optional(),
    },
    sold,
    showPrice,
    (price, name, value) => {
      if (name === 'lookup_keys') return Array.isArray(value) && value.includes(price.lookup_key)
      return Reflect.get(showPrice(price), name) === value
    },
  ),
]

function sold({ prices }: State) {
  return prices.filter(({ isRemoved }) => !isRemoved)
}

export const eventRoutes: Route[] = [
  route('GET /v1/events/:id', 'event', one, (call) => named(call, call.state.events, 'event')),
  listRoute(
    '/v1/events',
    'event',
    { type: text.optional(), types: z.array(text).max(20).optional() },
    // After thirty days they are gone.
    (state) => state.events.filter(({ created }) => created > state.now() - 30 * day),
    (event) => event,
    ({ type }, _, wanted) => {
      if (Array.isArray(wanted)) return wanted.includes(type)
      const prefix = /^(.*)\*$/.exec(String(wanted))?.[1]
      return prefix === undefined ? type === wanted : type.startsWith(prefix)
    },
  ),
]

/** Its subscriptions end with it. */
export function deleteCustomer(state: State, customer: Customer) {
  for (const subscription of state.subscriptions)
    if (subscription.customer === customer.id && subscription.status !== 'canceled')
      endSubscription(state, subscription)
  emit(state, 'customer.deleted', showCustomer(customer))
  Object.assign(customer, { isDeleted: true, card: undefined })
}

export const changeCustomer = (state: State, customer: Customer, changes: Partial<Customer>) =>
  changing(
    state,
    'customer.updated',
    () => ({ ...showCustomer(customer) }),
    () => Object.assign(customer, changes),
  )

type Facts = z.output<z.ZodObject<typeof facts>>

function changesOf(facts: Facts): Partial<Customer> {
  const { expand: _, metadata: __, address: place, ...given } = facts
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  // Only what was given is in it.
  const changes = Object.fromEntries(said) as Partial<Customer>
  return place === undefined ? changes : { ...changes, address: place && addressOf(place) }
}

export function addressOf(place: { [Part in keyof Address]?: string | null | undefined }): Address {
  const { city = null, country = null, line1 = null, line2 = null, postal_code = null } = place
  return { city, country, line1, line2, postal_code, state: place.state ?? null }
}

/** A key whose value is empty is removed, and null removes all. */
export function merge(before: Metadata, given: Metadata | null | undefined): Metadata {
  if (given === null) return {}
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== ''))
}

function findLiving(call: Call): Customer {
  const customer = named(call, call.state.customers, 'customer')
  if (customer.isDeleted) throw missing('customer', customer.id)
  return customer
}

/** The customer that a parameter names. */
export function namedCustomer({ customers }: State, id: string, param = 'customer'): Customer {
  const found = customers.find((customer) => customer.id === id && !customer.isDeleted)
  if (!found) throw missingParam('customer', id, param)
  return found
}
