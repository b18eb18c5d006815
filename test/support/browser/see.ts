import type { Locator, Page } from 'playwright-core'

export const sees = (locator: Locator) => locator.waitFor()

export const misses = (locator: Locator) => locator.waitFor({ state: 'hidden' })

export const isAt = (page: Page, path: string) =>
  page.waitForURL(({ pathname, search }) => pathname + search === path)

export const button = (within: Page | Locator, name: string) =>
  within.getByRole('button', { name, exact: true })

export const field = (within: Page | Locator, label: string) => within.getByLabel(label, { exact: true })

export const heading = (within: Page | Locator, name: string) =>
  within.getByRole('heading', { name, exact: true })

export const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text, { exact: true })

/** Presses keys without waiting in between, because a page counts them as one sequence only within a second. */
export const pressInTurn = (page: Page, ...keys: string[]) =>
  Promise.all(keys.map((key) => page.keyboard.press(key)))

/** Navigates like a link, without reloading the console. */
export const goTo = (page: Page, path: string) =>
  page.evaluate((to) => {
    window.history.pushState({}, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
