import { readFile } from 'node:fs/promises'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { times } from '../run/campaign.ts'
import type { Screen } from './screens.ts'
import { sees } from './see.ts'
import { walk } from './walk.ts'

const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8')

/** What axe finds at these screens, and what is too wide, at each width and in both themes. */
export async function faults(page: Page, start: string, screens: readonly Screen[]): Promise<string[]> {
  const found: string[] = []
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(start)
  await page.evaluate(axe)
  await walk(page, screens, async (screen) => {
    found.push(...(await widthFaults(page, screen)), ...(await axeFaults(page, screen)))
  })
  return found
}

/** A theme changes nothing but colours. All else that axe tells is long, and dear to bring here. */
const run = {
  everything: `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  colours: `axe.run(document, { resultTypes: ['violations'], runOnly: ['color-contrast', 'link-in-text-block'] })
    .then(({ violations }) => violations)`,
  /** What a narrow screen can have of its own: menus instead of buttons, cards instead of rows, boxes that scroll. */
  layout: `axe.run(document, { resultTypes: ['violations'], runOnly: ['target-size', 'scrollable-region-focusable',
    'button-name', 'link-name', 'label', 'aria-hidden-focus', 'nested-interactive'] }).then(({ violations }) => violations)`,
}

/** At 1440 everything, and colours in dark as well; at 390 what depends on the layout, and the rest in the long form. */
async function axeFaults(page: Page, screen: Screen): Promise<string[]> {
  const found: string[] = []
  const widths = screen.phone ? [390] : [390, 1440]
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    const coloured = width === widths.at(-1) || times(1, 2) > 1
    for (const theme of coloured ? (['light', 'dark'] as const) : (['light'] as const)) {
      await page.emulateMedia({ colorScheme: theme })
      await sees(page.locator(`html[data-theme=${theme}]`))
      const what = theme === 'dark' ? 'colours' : coloured ? 'everything' : 'layout'
      const violations = await page.evaluate<AxeResults['violations']>(run[what])
      found.push(...violations.map((rule) => `${screen.name} at ${width}, ${theme}: ${inWords(rule)}`))
    }
  }
  return found
}

const inWords = ({ id, nodes }: AxeResults['violations'][number]) =>
  `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join('\n')}`

async function widthFaults(page: Page, screen: Screen): Promise<string[]> {
  const found: string[] = []
  for (const width of screen.phone ? [390] : [1024, 768, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const over = await page.evaluate(overflow)
    found.push(...over.map((what) => `${screen.name} at ${width}: ${what}`))
  }
  return found
}

/** The page itself, and what a box cuts off where nobody can scroll to it; once it has settled into its width. */
async function overflow(): Promise<string[]> {
  let found = faultsNow()
  for (let frames = 0; frames < 30 && found.length > 0; frames++) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    found = faultsNow()
  }
  return found

  function faultsNow(): string[] {
    const { scrollWidth = 0 } = document.scrollingElement ?? {}
    const page = scrollWidth > innerWidth ? [`the page is ${scrollWidth} wide`] : []
    const cut = [...document.querySelectorAll('table, form, dl, pre, h1, h2, p, button, input')]
      .filter((element) => element.checkVisibility() && !element.closest('.sr-only, [aria-hidden=true], nav'))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return width > 1 && (right > innerWidth + 1 || left < -1)
      })
      .map((element) => `<${element.tagName.toLowerCase()}> ${element.textContent?.slice(0, 30)} is cut off`)
    return [...page, ...cut]
  }
}
