import type { Page } from 'playwright-core'
import { isLong } from '../run/campaign.ts'
import { goTo, heading, misses, sees } from './see.ts'
import { forgetAnswers, recordShifts, shiftClock, shiftFaults } from './shifts.ts'

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

const phone = { width: 390, height: 844 }
type Size = typeof phone

/**
 * Visits screens without reloading the console. Returns those whose parts move while they load, at the width of the page
 * and on a phone; the short form opens only some of them on a phone.
 */
export async function walk(
  page: Page,
  screens: readonly Screen[],
  at: (screen: Screen) => Promise<void>,
): Promise<string[]> {
  const wide = page.viewportSize() ?? { width: 1440, height: 900 }
  const [faults, measured]: [string[], Set<string>] = [[], new Set()]
  await recordShifts(page)
  for (const screen of screens) {
    const size = screen.phone ? phone : wide
    await page.setViewportSize(size)
    await leave(page, screen)
    const since = await open(page, screen, screen.path)
    await screen.after?.(page)
    await screen.shows(page)
    const { pathname, search } = new URL(page.url())
    // What moves after an action is what the user asked for.
    const found = screen.after ? [] : await shiftFaults(page, since)
    if (!screen.after) measured.add(`${size.width} ${pathname}`)
    await at(screen)
    faults.push(...found.map((fault) => `${screen.name} at ${size.width} ${fault}`))
    for (const again of [wide, phone]) {
      const key = `${again.width} ${pathname}`
      if (measured.has(key)) continue
      measured.add(key)
      if (isLong || measured.size % 3 === 0)
        faults.push(...(await coldFaults(page, { ...screen, path: pathname + search }, again)))
    }
  }
  await page.setViewportSize(wide)
  return faults
}

/** Reopens a screen with nothing cached and without actions. */
async function coldFaults(page: Page, screen: Screen, size: Size): Promise<string[]> {
  await page.setViewportSize(size)
  await forgetAnswers(page)
  await leave(page, screen)
  const found = await shiftFaults(page, await open(page, screen, screen.path))
  return found.map((fault) => `${screen.name} at ${size.width} ${fault}`)
}

async function open(page: Page, screen: Screen, path: string): Promise<number> {
  const since = await shiftClock(page)
  await goTo(page, path)
  await misses(between(page, screen))
  return since
}

/** Goes through another page, so that no dialog or error remains. */
async function leave(page: Page, screen: Screen) {
  await goTo(page, screen.path.startsWith('/signup') ? '/verify' : '/signup')
  await sees(between(page, screen))
}

const between = (page: Page, screen: Screen) =>
  heading(page, screen.path.startsWith('/signup') ? 'Incomplete link' : 'Sign up')
