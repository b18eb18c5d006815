import type { Page } from 'playwright-core'
import type { Screen } from './screens.ts'
import { goTo, sees } from './see.ts'

/** Shows one screen after the other, without loading the console anew, and does something at each. */
export async function walk(page: Page, screens: readonly Screen[], at: (screen: Screen) => Promise<void>) {
  const wide = page.viewportSize() ?? { width: 1440, height: 900 }
  for (const screen of screens) {
    await page.setViewportSize(screen.phone ? { width: 390, height: 844 } : wide)
    // By way of nothing, so that no dialog or error of the screen before stays.
    await goTo(page, '/in/between')
    await goTo(page, screen.path)
    await sees(page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first())
    await screen.after?.(page)
    await screen.shows(page)
    await at(screen)
  }
  await page.setViewportSize(wide)
}
