import { afterAll, expect, test, vi } from 'vitest'
import { longTest, times } from '../support/run/campaign.ts'
import { startSlipway } from '../support/stages/context.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeStripe } from '../support/fakes/stripe.ts'
import { ask, type SlipwayProcess, startOn } from '../support/programs/slipway-process.ts'

const stripe = await startFakeStripe()
const slipway = await startSlipway(stripe.env)
afterAll(async () => {
  await slipway.close()
  await stripe.close()
})
const { db } = slipway
const patiently = { interval: 20 }

// No webhook arrives, so that all state must be requested.
const start = () =>
  startOn(slipway.database, slipway.key, 'web', {
    ...stripe.env,
    PUBLIC_URL: 'http://slipway.test',
    LOG_LEVEL: 'error',
  })

type When = 'before' | 'after'
type Blow = [call: string, when: When]

/** The page for another plan replaces the one for Hobby. */
const blows: Blow[] = [
  ['POST /v1/checkout/sessions', 'after'],
  ['POST /v1/checkout/sessions/*/expire', 'after'],
  ['POST /v1/customers', 'after'],
  ['POST /v1/checkout/sessions', 'before'],
  ['POST /v1/checkout/sessions/*/expire', 'before'],
  ['POST /v1/customers', 'before'],
  ['GET /v1/checkout/sessions', 'after'],
  ['GET /v1/subscriptions', 'after'],
]

test(
  'creates one page and one subscription when it is killed at any call of subscribe',
  { timeout: times(120_000, 600_000) },
  async () => {
    let running = await start()
    for (const blow of blows.slice(0, times(2, blows.length))) {
      const yard = await openYard()
      const isSecond = /expire|subscriptions$/.test(blow[0])
      if (isSecond) await yard.press(running, 'hobby')
      await killAt(running, blow, () => yard.press(running, 'pro'))
      running = await start()
      const { status, text } = await yard.press(running, 'pro')
      expect([blow, status, text]).toEqual([blow, 200, expect.stringContaining('/c/pay/')])
      const [open, ...more] = yard.sessions().filter((one) => one.status === 'open')
      expect([open?.line_items[0]?.price, more]).toEqual(['price_pro', []])
      await yard.pay(running, text)
      expect(yard.bought()).toEqual({ live: ['price_pro'], paid: [2900] })
      expect(await yard.auditEvents()).toEqual([
        ...(isSecond ? ['checkout_started'] : []),
        'checkout_started',
        'subscribed',
      ])
    }
  },
)

longTest(
  'charges a plan change once when it is killed meanwhile',
  { timeout: times(120_000, 300_000) },
  async () => {
    let running = await start()
    const waysToDie: When[] = ['after', 'before']
    for (const when of waysToDie.slice(0, times(1, 2))) {
      const yard = await openYard()
      await yard.pay(running, (await yard.press(running, 'pro')).text)
      await killAt(running, ['POST /v1/subscriptions/*', when], () => yard.press(running, 'team'))
      running = await start()
      expect(await yard.press(running, 'team')).toMatchObject({ status: 409 })
      const { live, paid } = yard.bought()
      expect([live, paid.length]).toEqual([['price_team'], 2])
      expect(await yard.auditEvents()).toEqual(['checkout_started', 'subscribed', 'plan_changed'])
    }
  },
)

/** Stripe holds this request before or after it is done; it is done in any case. */
async function killAt(running: SlipwayProcess, [call, when]: Blow, act: () => Promise<unknown>) {
  const asked = stripe.requests.length
  stripe.slow(call, Infinity, { times: 1, afterDoing: when === 'after' })
  let answered: unknown = 'nothing yet'
  const acted = act().then((answer) => (answered = answer))
  const pattern = new RegExp(`^${call.replace('*', '[^/]+')}$`)
  await vi.waitFor(() => {
    const waiting = stripe.requests.slice(asked).filter(({ status }) => status === undefined)
    const calls = waiting.map(({ method, path }) => `${method} ${path}`)
    expect({ calls, answered }).toEqual({ calls: [expect.stringMatching(pattern)], answered: 'nothing yet' })
  }, patiently)
  await running.end('SIGKILL')
  await acted
  stripe.heal()
}

/** A workspace with a short trial, and its objects at Stripe. */
async function openYard() {
  const { workspace, owner } = await makeTeam(db)
  const { token } = owner
  /** All customers created for it: an abandoned one has bought nothing. */
  const isOurs = ({ customer }: { customer: string | null }) =>
    stripe.customers.some(({ id, metadata }) => id === customer && metadata['workspace_id'] === workspace)
  return {
    press: ({ url }: SlipwayProcess, plan_id: string) =>
      ask(url, '/v1/billing/subscribe', token, { plan_id }),
    /** Pays on the page and returns. */
    async pay({ url }: SlipwayProcess, answer: string) {
      const page = /"url":"([^"]+)"/.exec(answer)?.[1] ?? ''
      const paid = await stripe.pay(page)
      const session_id = 'to' in paid ? new URL(paid.to).searchParams.get('session_id') : undefined
      expect(await ask(url, '/v1/billing/confirm', token, { session_id })).toMatchObject({ status: 200 })
    },
    sessions: () => stripe.sessions.filter(isOurs),
    bought: () => ({
      live: stripe.subscriptions
        .filter((one) => isOurs(one) && one.status !== 'canceled')
        .flatMap(({ items }) => items.map(({ price }) => price)),
      paid: stripe.invoices
        .filter((one) => isOurs(one) && one.status === 'paid')
        .map(({ amount_paid }) => amount_paid),
    }),
    async auditEvents() {
      const events = db.selectFrom('events').select('type').where('workspace_id', '=', workspace)
      const types = (await events.orderBy('id').execute()).map(({ type }) => type)
      return types.filter((type) => type.startsWith('billing.')).map((type) => type.replace('billing.', ''))
    },
  }
}
