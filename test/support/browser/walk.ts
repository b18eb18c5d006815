import type { Page } from 'playwright-core'
import { goTo, heading, misses, sees } from './see.ts'

/** Something that a person can have before them. */
export interface Screen {
  name: string
  path: string
  /** What shows that it is all there. */
  shows: (page: Page) => Promise<void>
  /** What has to be done first, once the address is open. */
  after?: (page: Page) => Promise<void>
  /** Only where the sidebar is a sheet. */
  phone?: true
  /** Another state of a screen that is in the list as well: left to the long form. */
  long?: true
}

/** Shows one screen after the other, without loading the console anew, and does something at each. */
export async function walk(page: Page, screens: readonly Screen[], at: (screen: Screen) => Promise<void>) {
  const wide = page.viewportSize() ?? { width: 1440, height: 900 }
  for (const screen of screens) {
    await page.setViewportSize(screen.phone ? { width: 390, height: 844 } : wide)
    await leave(page, screen)
    await goTo(page, screen.path)
    await misses(between(page, screen))
    await screen.after?.(page)
    await screen.shows(page)
    await at(screen)
  }
  await page.setViewportSize(wide)
}

/** By way of another page, so that no dialog or error of the screen before stays. */
async function leave(page: Page, screen: Screen) {
  await goTo(page, screen.path.startsWith('/signup') ? '/verify' : '/signup')
  await sees(between(page, screen))
}

const between = (page: Page, screen: Screen) =>
  heading(page, screen.path.startsWith('/signup') ? 'This link is incomplete' : 'Sign up')
