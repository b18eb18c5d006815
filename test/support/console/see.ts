import type { Locator, Scope } from './locator.ts'
import type { ConsolePage } from './page.ts'
import { until } from './until.ts'

export const sees = (locator: Locator) => locator.waitFor()

export const misses = (locator: Locator) => locator.waitFor({ state: 'hidden' })

export const isAt = (page: ConsolePage, path: string) =>
  until(() => {
    const { pathname, search } = new URL(page.url())
    if (pathname + search !== path) throw new Error(`The address is ${pathname}${search}, not ${path}.`)
  })

export const button = (within: Scope, name: string) => within.getByRole('button', { name, exact: true })

export const field = (within: Scope, label: string) => within.getByLabel(label, { exact: true })

export const heading = (within: Scope, name: string) => within.getByRole('heading', { name, exact: true })

export const toast = (page: ConsolePage, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text, { exact: true })
