import type { Page } from 'playwright-core'
import { goTo, heading, misses, sees } from './see.ts'

export interface Screen {
  name: string
  path: string
  /** Waits until the screen is complete. */
  shows: (page: Page) => Promise<void>
  /** Actions after opening the URL. */
  after?: (page: Page) => Promise<void>
  /** Only at widths with a sheet as sidebar. */
  phone?: true
  /** A variant of another screen, only in the long form. */
  long?: true
}

/** Visits screens without reloading the console. */
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

/** Goes through another page, so that no dialog or error remains. */
async function leave(page: Page, screen: Screen) {
  await goTo(page, screen.path.startsWith('/signup') ? '/verify' : '/signup')
  await sees(between(page, screen))
}

const between = (page: Page, screen: Screen) =>
  heading(page, screen.path.startsWith('/signup') ? 'Incomplete link' : 'Sign up')
