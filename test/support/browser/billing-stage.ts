import type { Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { openBillingStage } from '../stages/billing-stage.ts'
import { unique } from '../factories/factories.ts'
import { button, field, isAt, sees, toast } from './see.ts'
import { openVisitors, type VisitorOptions } from './visitors.ts'

const hour = 3_600_000

/** Slipway, Stripe and browsers whose clocks advance together. */
export async function openPayingStage(env: Record<string, string> = {}) {
  // A busy machine responds late to its own requests.
  const stage = await openBillingStage({ OUTSIDE_TIMEOUT: '30', ...env })
  afterAll(() => stage.close())
  const url = await stage.slipway.listen()
  // The port is known only now.
  stage.ctx.config.PUBLIC_URL = url
  const visitors = await openVisitors(url)
  const pages = new Set<Page>()

  /** A visitor whose clock follows Stripe's. */
  async function visitor(options?: VisitorOptions): Promise<Page> {
    const page = await visitors.visitor(options)
    await page.clock.install({ time: stage.stripe.now() * 1000 })
    pages.add(page)
    page.on('close', () => pages.delete(page))
    return page
  }

  /** Advances all clocks; open pages behave like tabs that slept except for the last hour. */
  async function pass(time: { days?: number; hours?: number }) {
    await stage.pass(time)
    for (const page of pages) {
      // Timers can be advanced by at most 24 days; later pages would have none.
      await page.clock.setSystemTime(stage.stripe.now() * 1000 - hour)
      await page.clock.fastForward(hour)
    }
  }

  return { ...stage, url, visitor, pass }
}

/** Signs up as a new user and logs in. */
export async function enter(page: Page, url: string) {
  const [email, password] = [`${unique('ada')}@harbour.example`, 'correct horse battery']
  await page.goto(`${url}/signup`)
  await field(page, 'Organisation').fill('Harbour Works')
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await button(page, 'Sign up').click()
  await sees(toast(page, 'Signup successful! Please log in.'))
  await isAt(page, '/login')
  await button(page, 'Log in').click()
  await isAt(page, '/dashboard')
  return { email }
}

export const plan = (page: Page, says: string) =>
  page.getByRole('button', { name: new RegExp(`^Workspace .* ${says}$`) })

export async function accountMenu(page: Page) {
  await page.getByRole('button', { name: /^Account / }).click()
  const menu = page.getByRole('menu')
  await sees(menu)
  return menu
}

export const cards = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  /** Accepted at first, declined later. */
  failing: '4000 0000 0000 0341',
}

export async function typeCard(page: Page, card: string) {
  await field(page, 'Card number').fill(card)
  await field(page, 'Expiration').fill('12 / 40')
  await field(page, 'CVC').fill('123')
}

/** Fills in the Stripe page and submits it. */
export async function payOnPage(page: Page, card: string, press: 'Start trial' | 'Subscribe') {
  await typeCard(page, card)
  await field(page, 'Cardholder name').fill('Ada Harbour')
  await field(page, 'Address').fill('1 Quay')
  await field(page, 'Postal code').fill('94107')
  await button(page, press).click()
}
