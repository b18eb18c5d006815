import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import type { Stripe } from 'stripe'
import { afterAll, expect, test } from 'vitest'
import { button, field, heading, sees } from '../support/browser/see.ts'
import { openVisitors } from '../support/browser/visitors.ts'
import { connectStripe, stripeStage } from '../support/fakes/stripe-stage.ts'
import { startFakeStripe } from '../support/fakes/stripe.ts'

const fake = await startFakeStripe()
const sdk = connectStripe(fake)
const stage = stripeStage(fake, sdk)
const visitors = await openVisitors(fake.url)
const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8')
afterAll(() => fake.close())

/** Return URL; any existing page works. */
const { url: elsewhere } = await stage.newSession((await sdk.customers.create({})).id)

async function isFitForAll(page: Page) {
  await page.evaluate(axe)
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  expect(found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

async function type(page: Page, card: string) {
  await field(page, 'Card number').fill(card)
  await field(page, 'Expiration').fill('12 / 34')
  await field(page, 'CVC').fill('123')
}

test('pays at Stripe, with another card after a decline, and returns', async () => {
  const { id: customer } = await sdk.customers.create({ email: 'ada@example.com' })
  const more: Partial<Stripe.Checkout.SessionCreateParams> = {
    automatic_tax: { enabled: true },
    customer_update: { address: 'auto', name: 'auto' },
    billing_address_collection: 'required',
    tax_id_collection: { enabled: true },
    success_url: `${elsewhere ?? ''}?paid={CHECKOUT_SESSION_ID}`,
    cancel_url: elsewhere ?? '',
  }
  const session = await stage.newSession(customer, more)
  const page = await visitors.visitor()
  await page.goto(session.url ?? '')
  await sees(heading(page, 'Subscribe to Pro'))
  await isFitForAll(page)
  expect(await field(page, 'Email').inputValue()).toBe('ada@example.com')
  await type(page, '4000 0000 0000 0002')
  await field(page, 'Cardholder name').fill('Ada')
  await field(page, 'Country or region').selectOption('Germany')
  await field(page, 'Address').fill('Unter den Linden 1')
  await field(page, 'Postal code').fill('10117')
  await button(page, 'Subscribe').click()
  await sees(page.getByText('Your card was declined.'))
  await type(page, '4242 4242 4242 4242')
  await button(page, 'Subscribe').click()
  await page.waitForURL(`**/*?paid=${session.id}`)
  expect(fake.invoices.at(-1)).toMatchObject({ customer, status: 'paid', total: 3451 })
  await page.goto(`${fake.url}/c/pay/${session.id}`)
  await sees(heading(page, 'You’re all done here'))
  await page.getByRole('link', { name: 'Back' }).click()
  await page.waitForURL(elsewhere ?? '')
})

test('changes the card, cancels, resumes and reads invoices in the portal', async () => {
  const { customer, id } = await stage.subscribe()
  fake.savePortalSettings()
  const { url } = await sdk.billingPortal.sessions.create({ customer, return_url: elsewhere ?? '' })
  const page = await visitors.visitor()
  await page.goto(url)
  await sees(heading(page, 'Pro'))
  await isFitForAll(page)
  await type(page, '5555 5555 5555 4444')
  await button(page, 'Update card').click()
  await sees(page.getByText('mastercard ending in 4444'))
  await button(page, 'Cancel subscription').click()
  await sees(button(page, 'Don’t cancel subscription'))
  expect((await stage.read(id)).cancel_at).not.toBeNull()
  await button(page, 'Don’t cancel subscription').click()
  await sees(button(page, 'Cancel subscription'))
  expect((await stage.read(id)).cancel_at).toBeNull()
  await page.getByRole('row', { name: '$29.00' }).getByRole('link').click()
  await sees(page.getByText('Status: paid'))
  await isFitForAll(page)
  await page.goBack()
  await page.getByRole('link', { name: 'Return to Slipway test' }).click()
  await page.waitForURL(elsewhere ?? '')
})
