import type { Locator, Page } from 'playwright-core'

/** Waits until it is on screen. */
export const sees = (locator: Locator) => locator.waitFor()

/** Waits until it is not, or no longer, on screen. */
export const misses = (locator: Locator) => locator.waitFor({ state: 'hidden' })

/** Waits until the address is this one. */
export const isAt = (page: Page, path: string) =>
  page.waitForURL(({ pathname, search }) => pathname + search === path)

export const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true })

export const field = (within: Page | Locator, label: string) => within.getByLabel(label, { exact: true })

export const heading = (within: Page | Locator, name: string) =>
  within.getByRole('heading', { name, exact: true })

/** The toast with this text. */
export const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text, { exact: true })

/** Goes there as a link inside the console does, without loading the console anew. */
export const goTo = (page: Page, path: string) =>
  page.evaluate((to) => {
    window.history.pushState({}, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
