import type { Locator, Scope } from './locator.ts'
import type { ConsolePage } from './page.ts'
import { until } from './until.ts'

/** Waits until it is on screen. */
export const sees = (locator: Locator) => locator.waitFor()

/** Waits until it is not, or no longer, on screen. */
export const misses = (locator: Locator) => locator.waitFor({ state: 'hidden' })

/** Waits until the address is this one. */
export const isAt = (page: ConsolePage, path: string) =>
  until(() => {
    const { pathname, search } = new URL(page.url())
    if (pathname + search !== path) throw new Error(`The address is ${pathname}${search}, not ${path}.`)
  })

export const button = (within: Scope, name: string) => within.getByRole('button', { name, exact: true })

export const field = (within: Scope, label: string) => within.getByLabel(label, { exact: true })

export const heading = (within: Scope, name: string) => within.getByRole('heading', { name, exact: true })

/** The toast with this text. */
export const toast = (page: ConsolePage, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text, { exact: true })
