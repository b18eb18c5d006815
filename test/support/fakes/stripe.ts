import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeClock } from './stripe/clock.ts'
import { deleteCustomer } from './stripe/customer-calls.ts'
import { type Failure, makeIdempotency, makeTrouble } from './stripe/trouble.ts'
import { servePage } from './stripe/pages.ts'
import { day } from './stripe/proration.ts'
import { addConfiguration } from './stripe/portal-calls.ts'
import { cancelInPortal } from './stripe/portal-page.ts'
import type { CardKind, Customer, Price, Subscription } from './stripe/records.ts'
import { serveApi, type Stripe } from './stripe/serve.ts'
import { changeCard } from './stripe/sessions.ts'
import { plans, stock } from './stripe/shop.ts'
import { newId, type State } from './stripe/state.ts'
import { cancelNow } from './stripe/subscriptions.ts'
import { makeWebhooks } from './stripe/webhooks.ts'

export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>

/**
 * Stripe in test mode, as strict as the real one, at the API version of the SDK in use: customers, Checkout, subscriptions,
 * invoices, refunds, the customer portal, signed webhooks, idempotency keys, and a clock that tests put forward.
 */
export async function startFakeStripe() {
  const clock = makeClock()
  const trouble = makeTrouble()
  /** What went wrong with the fake itself, told at its end. */
  const faults: unknown[] = []
  const webhookSecret = `whsec_${newId('x', 32).slice(2)}`
  const webhooks = makeWebhooks(webhookSecret)
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stripe')
    const served = url.pathname.startsWith('/v1/')
      ? serveApi(stripe, request, response, url)
      : servePage(state, request, response, url)
    served.catch((error: unknown) => {
      faults.push(error)
      response.destroy()
    })
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  // It listens on a port, not on a socket with a name.
  const { port } = server.address() as AddressInfo
  const state: State = {
    url: `http://127.0.0.1:${port}`,
    secretKey: newId('sk_test', 99),
    webhookSecret,
    customers: [],
    ...stock(clock.now()),
    sessions: [],
    subscriptions: [],
    invoices: [],
    previews: [],
    paymentIntents: [],
    charges: [],
    refunds: [],
    configurations: [],
    portalSessions: [],
    events: [],
    request: { id: null, idempotency_key: null },
    settings: {
      afterRetries: 'cancel',
      retryDays: [3, 5, 7],
      portalCancels: 'cancel_at',
      showsCancelAt: true,
      newAddresses: false,
    },
    now: clock.now,
    tell: (event) => webhooks.tell(event),
  }
  const stripe: Stripe = {
    state,
    trouble,
    idempotency: makeIdempotency(state),
    requests: [],
    catchUp: () => clock.catchUp(state),
  }

  function customerOf(id: string): Customer {
    const found = state.customers.find((one) => one.id === id)
    if (!found) throw new Error(`There is no customer ${id}.`)
    return found
  }

  function subscriptionOf(id: string): Subscription {
    const found = state.subscriptions.find(
      (one) => id === one.id || (id === one.customer && one.status !== 'canceled'),
    )
    if (!found) throw new Error(`There is no subscription of ${id}.`)
    return found
  }

  async function stopListening() {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  return {
    url: state.url,
    /** What Slipway needs to know of it. */
    env: {
      STRIPE_SECRET_KEY: state.secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: state.url,
      PLANS: JSON.stringify(plans),
    },
    /** What there is, to look at. */
    state,
    customers: state.customers,
    subscriptions: state.subscriptions,
    sessions: state.sessions,
    invoices: state.invoices,
    refunds: state.refunds,
    events: state.events,
    /** Every call of the API that came, in order. */
    requests: stripe.requests,
    settings: state.settings,
    webhooks,
    /** Seconds, of a clock that goes with the real one and is ahead of it by what it was put forward. */
    now: clock.now,
    /** Time passes, and everything happens that is due by then, each thing at its time. */
    advance({ days = 0, hours = 0, seconds = 0 }: { days?: number; hours?: number; seconds?: number }) {
      clock.advance(state, days * day + hours * 3600 + seconds)
      return webhooks.settled()
    },
    addPrice(id: string, given: Partial<Price> & { name?: string } = {}): Price {
      const { name = id, ...facts } = given
      const product = {
        id: newId('prod', 14),
        name,
        description: null,
        active: true,
        created: state.now(),
        metadata: {},
      }
      state.products.push(product)
      const price: Price = {
        id,
        product: product.id,
        currency: 'usd',
        unit_amount: 2900,
        recurring: { interval: 'month', interval_count: 1 },
        active: true,
        lookup_key: null,
        nickname: null,
        metadata: {},
        created: state.now(),
        ...facts,
      }
      state.prices.push(price)
      return price
    },
    /** There is no such price any more; with `archive` it is there but no longer sold. */
    removePrice(id: string, { archive = false } = {}) {
      const price = state.prices.find((one) => one.id === id)
      if (!price) throw new Error(`There is no price ${id}.`)
      if (archive) price.active = false
      else price.isRemoved = true
    },
    /** The card on file behaves so from now on; null takes it away. */
    setCard(customer: string, kind: CardKind | null) {
      const there = customerOf(customer).card
      const card = there ?? { id: newId('pm'), brand: 'visa', last4: '4242', created: state.now() }
      changeCard(state, customerOf(customer), kind === null ? undefined : { ...card, kind })
    },
    /** Pays on the page as a person does. Says where that led, or what the page said instead. */
    async pay(
      page: string,
      {
        card = '4242 4242 4242 4242',
        email = 'buyer@example.com',
        name = 'Ada Buyer',
        country = 'US',
        postal_code = '94107',
        line1 = '1 Main Street',
        tax_id = '',
      } = {},
    ): Promise<{ to: string } | { says: string }> {
      const form = { card, email, name, country, postal_code, line1, tax_id, expiry: '12 / 34', cvc: '123' }
      const answered = await fetch(page, {
        method: 'POST',
        body: new URLSearchParams(form),
        redirect: 'manual',
      })
      const to = answered.headers.get('location')
      if (to !== null) return { to }
      const shown = await answered.text()
      const [, says = ''] = /role="alert">([^<]*)</.exec(shown) ?? /<h1>([^<]*)</.exec(shown) ?? []
      return { says }
    },
    /** The operator ends it in the dashboard, at once; by its id or its customer's. */
    endSubscription: (id: string) => cancelNow(state, subscriptionOf(id)),
    deleteCustomer: (id: string) => deleteCustomer(state, customerOf(id)),
    /** The customer cancels in the portal, to the end of the period. */
    cancelInPortal: (customer: string, how?: 'cancel_at' | 'cancel_at_period_end') =>
      cancelInPortal(state, subscriptionOf(customer), how),
    /** The operator saves the settings of the portal, which makes the default configuration. */
    savePortalSettings: () => addConfiguration(state, true),
    /** Nobody is there, or every call is answered with 500, until `up`. */
    async down(how: 'refused' | '500' = 'refused') {
      if (how === 'refused') await stopListening()
      else trouble.break(true)
    },
    async up() {
      trouble.break(false)
      if (!server.listening) await listen(port)
    },
    /** "POST /v1/customers", or without a method; a star stands for anything. */
    fail: (pattern: string, how: Failure) => trouble.fail(pattern, how),
    slow: trouble.slow,
    /** Until such a call, which is slow, is there. */
    async waits(pattern: string) {
      const until = Date.now() + 10_000
      while (!trouble.isWaiting(pattern)) {
        if (Date.now() > until) throw new Error(`Nobody asked for ${pattern}.`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
    /** So many calls are refused with 429. */
    limit: (times = 1, pattern = '*') => trouble.limit(pattern, times),
    heal: () => trouble.heal(),
    async close() {
      trouble.heal()
      webhooks.sendTo(undefined)
      if (server.listening) await stopListening()
      if (faults.length > 0)
        throw new AggregateError(faults, `The fake of Stripe failed: ${faults.join('; ')}`)
    },
  }
}
