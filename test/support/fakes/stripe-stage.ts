import { Stripe } from 'stripe'
import { type FakeStripe, startFakeStripe } from './stripe.ts'

/** The real SDK, which asks once. */
export function connectStripe(fake: FakeStripe, key = fake.env.STRIPE_SECRET_KEY) {
  const { hostname: host, port } = new URL(fake.url)
  return new Stripe(key, { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false })
}

/** Shared steps of the tests of the fake. */
export function stripeStage(fake: FakeStripe, sdk: Stripe) {
  const read = (id: string) => sdk.subscriptions.retrieve(id)

  const newSession = (customer: string, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
    sdk.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: 'price_pro', quantity: 1 }],
      success_url: 'http://slipway.test/done',
      ...more,
    })

  return {
    read,
    newSession,
    /** A customer who went through Checkout. */
    async subscribe(
      more: Partial<Stripe.Checkout.SessionCreateParams> = {},
      payer: Parameters<FakeStripe['pay']>[1] = {},
    ) {
      const { id: customer } = await sdk.customers.create({ email: 'ada@example.com', name: 'Ada' })
      const session = await newSession(customer, more)
      const paid = await fake.pay(session.url ?? '', payer)
      if (!('to' in paid)) throw new Error(`It was not paid: ${paid.says}`)
      const [made] = (await sdk.subscriptions.list({ customer })).data
      if (!made) throw new Error('There is no subscription.')
      return { customer, session: session.id, id: made.id, item: made.items.data[0]?.id ?? '' }
    },
    async periodOf(id: string) {
      const [item] = (await read(id)).items.data
      if (!item) throw new Error('There is no item.')
      const { current_period_start: start, current_period_end: end } = item
      return { start, end, length: end - start }
    },
    /** Its newest invoice. */
    async newest(subscription: string) {
      const [invoice] = (await sdk.invoices.list({ subscription, limit: 1 })).data
      if (!invoice) throw new Error('There is no invoice.')
      return invoice
    },
  }
}

/** For a file of tests: the fake, the real SDK at it, and what they do again and again. */
export async function openStripeStage() {
  const fake = await startFakeStripe()
  const sdk = connectStripe(fake)
  return { fake, sdk, stage: stripeStage(fake, sdk) }
}
