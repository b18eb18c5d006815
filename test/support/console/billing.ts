import { z } from 'zod'
import type { TestSlipway } from '../stages/context.ts'
import type { startFakeStripe } from '../fakes/stripe.ts'
import type { ConsolePage } from './page.ts'
import { sees } from './see.ts'

type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>

export const plan = (page: ConsolePage, says: string) =>
  page.getByRole('button', { name: new RegExp(`^Workspace .* ${says}$`) })

export async function accountMenu(page: ConsolePage) {
  await page.getByRole('button', { name: /^Account / }).click()
  const menu = page.getByRole('menu')
  await sees(menu)
  return menu
}

/** Opens a Stripe checkout page, like an owner in another tab. */
export async function openCheckout(slipway: TestSlipway, token: string, plan_id = 'pro') {
  const { body } = await slipway.call('POST /v1/billing/subscribe', { token, body: { plan_id } })
  const { url } = z.object({ url: z.string() }).parse(body)
  const session = new URL(url).pathname.split('/').at(-1) ?? ''
  return { url, session }
}

/** Pays for a plan without a browser. */
export async function payForPlan(slipway: TestSlipway, stripe: FakeStripe, token: string) {
  const { url } = await openCheckout(slipway, token)
  await stripe.pay(url)
  const session = stripe.sessions.find(({ id }) => url.includes(id))
  const body = { session_id: session?.id ?? '' }
  await slipway.call('POST /v1/billing/confirm', { token, body })
  return { customer: session?.customer ?? '' }
}
