import { once } from 'node:events'
import { createServer } from 'node:http'
import { freePort } from '../programs/slipway-process.ts'
import { type Api, serveApi } from './stripe/api.ts'
import { createClock } from './stripe/clock.ts'
import { presentCustomer, updateCustomer } from './stripe/customers.ts'
import { emit } from './stripe/events.ts'
import { createFaults } from './stripe/faults.ts'
import { createIdempotency } from './stripe/idempotency.ts'
import { servePage } from './stripe/pages.ts'
import { addConfiguration, cancelInPortal } from './stripe/portal.ts'
import { addDefaultPrices, addPrice, plans } from './stripe/prices.ts'
import type { CardBehavior, Price } from './stripe/records.ts'
import { createState, day, getById, newId } from './stripe/state.ts'
import { cancelNow } from './stripe/subscription-status.ts'
import { findSubscription } from './stripe/subscriptions.ts'
import { createWebhooks } from './stripe/webhooks.ts'

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>

const rateLimited = { error: { code: 'rate_limit', message: 'Request rate limit exceeded.' } }

/**
 * Stripe in test mode, as strict as the real one, at the API version of the SDK in use: customers, Checkout, subscriptions,
 * invoices, the customer portal, signed webhooks, idempotency keys, and a clock that tests advance.
 */
export async function startFakeStripe() {
  const clock = createClock()
  const faults = createFaults()
  /** Errors of the fake itself, which `close` throws. */
  const errors: unknown[] = []
  const webhookSecret = newId('whsec', 32)
  const webhooks = createWebhooks(webhookSecret)
  // A client that has other work must not use a connection that the server is about to close.
  const server = createServer({ keepAliveTimeout: 3_600_000 }, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://stripe')
    const served = url.pathname.startsWith('/v1/')
      ? serveApi(api, request, response, url)
      : servePage(state, request, response, url)
    served.catch((error: unknown) => {
      errors.push(error)
      response.destroy()
    })
  })
  // No other process takes the port while the server is down.
  const port = Number(await freePort())
  const listen = () => once(server.listen(port, '127.0.0.1'), 'listening')
  await listen()
  const state = createState(`http://127.0.0.1:${port}`, clock.now, (event) => webhooks.deliver(event))
  addDefaultPrices(state)
  const api: Api = {
    state,
    faults,
    idempotency: createIdempotency(state),
    requests: [],
    catchUp: () => clock.catchUp(state),
  }

  async function stopListening() {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  return {
    ...state,
    state,
    /** The environment variables of Slipway. */
    env: {
      STRIPE_SECRET_KEY: state.secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: state.url,
      PLANS: JSON.stringify(plans),
    },
    /** Every API request, in order. */
    requests: api.requests,
    webhooks,
    /** Advances the clock, and runs everything that becomes due, each at its own time. */
    advance({ days = 0, hours = 0, seconds = 0 }: { days?: number; hours?: number; seconds?: number }) {
      clock.advance(state, days * day + hours * 3600 + seconds)
      return webhooks.settled()
    },
    addPrice: (id: string, values: Partial<Price> & { name?: string } = {}) => addPrice(state, id, values),
    /** Deletes a price, or archives it: then it still exists but is no longer sold. */
    removePrice(id: string, { archive = false } = {}) {
      Object.assign(getById(state.prices, id), archive ? { active: false } : { isRemoved: true })
    },
    /** Sets how the card on file behaves from now on. */
    setCard(customer: string, behavior: CardBehavior) {
      const { card = { id: newId('pm'), brand: 'visa', last4: '4242' } } = getById(state.customers, customer)
      updateCustomer(state, getById(state.customers, customer), { card: { ...card, behavior } })
    },
    /** Pays on a page. Returns where it redirected to, or the error that it showed. */
    async pay(
      page: string,
      { card = '4242 4242 4242 4242', name = 'Ada Buyer', country = 'US', tax_id = '' } = {},
    ): Promise<{ to: string } | { says: string }> {
      const address = { country, postal_code: '94107', line1: '1 Main Street' }
      const response = await fetch(page, {
        method: 'POST',
        body: new URLSearchParams({ card, email: 'buyer@example.com', name, ...address, tax_id }),
        redirect: 'manual',
      })
      const to = response.headers.get('location')
      if (to !== null) return { to }
      const shown = await response.text()
      const [, says = ''] = /role="alert">([^<]*)</.exec(shown) ?? /<h1>([^<]*)</.exec(shown) ?? []
      return { says }
    },
    /** Cancels a subscription in the dashboard, at once; by its id or its customer's. */
    endSubscription: (id: string) => cancelNow(state, findSubscription(state, id)),
    deleteCustomer(id: string) {
      const customer = getById(state.customers, id)
      for (const subscription of state.subscriptions)
        if (subscription.customer === id && subscription.status !== 'canceled') cancelNow(state, subscription)
      emit(state, 'customer.deleted', presentCustomer(state, customer))
      Object.assign(customer, { isDeleted: true, card: undefined })
    },
    /** Cancels the subscription of a customer in the portal, at the end of the period. */
    cancelInPortal: (customer: string, mode?: 'cancel_at' | 'cancel_at_period_end') =>
      cancelInPortal(state, findSubscription(state, customer), mode),
    /** Saves the portal settings in the dashboard, which creates the default configuration. */
    savePortalSettings: () => addConfiguration(state, true),
    /** Refuses connections, or answers every request with 500, until `up`. */
    async down(mode: 'refused' | '500' = 'refused') {
      if (mode === 'refused') await stopListening()
      else faults.setDown(true)
    },
    async up() {
      faults.setDown(false)
      if (!server.listening) await listen()
    },
    fail: faults.fail,
    slow: faults.slow,
    /** Waits until such a request, which is slow, has arrived. */
    async waits(pattern: string) {
      const until = Date.now() + 120_000
      while (!faults.isWaiting(pattern)) {
        if (Date.now() > until) throw new Error(`There was no request ${pattern}.`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    /** Answers so many requests with 429. */
    limit: (times = 1) => faults.fail('*', { status: 429, body: rateLimited, times }),
    heal: () => faults.heal(),
    async close() {
      faults.heal()
      webhooks.sendTo(undefined)
      if (server.listening) await stopListening()
      if (errors.length > 0)
        throw new AggregateError(errors, `The fake of Stripe failed: ${errors.join('; ')}`)
    },
  }
}
