import { readFile } from 'node:fs/promises'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { isLong } from '../run/campaign.ts'
import { sees } from './see.ts'
import { type Screen, walk } from './walk.ts'

const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8')

/** Accessibility violations, overflow and layout shifts of these screens, at each width and in both themes. */
export async function faults(page: Page, start: string, screens: readonly Screen[]): Promise<string[]> {
  const found: string[] = []
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(start)
  await page.evaluate(axe)
  let turn = 0
  const chosen = screens.filter(({ long }) => !long || isLong)
  const shifted = await walk(page, chosen, async (screen) => {
    found.push(...(await widthFaults(page, screen)), ...(await axeFaults(page, screen, turn++)))
  })
  return [...found, ...shifted]
}

/** The rest of the report is large and expensive to transfer. */
const run = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`

/** Alternates themes and widths; the long form covers all combinations. */
async function axeFaults(page: Page, screen: Screen, turn: number): Promise<string[]> {
  const found: string[] = []
  for (const [width, theme] of variantsOf(screen, turn)) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: theme })
    await sees(page.locator(`html[data-theme=${theme}]`))
    const violations = await page.evaluate<AxeResults['violations']>(run)
    found.push(...violations.map((rule) => `${screen.name} at ${width}, ${theme}: ${inWords(rule)}`))
  }
  return found
}

type Variant = [width: number, theme: 'light' | 'dark']

function variantsOf({ phone }: Screen, turn: number): Variant[] {
  const all: Variant[] = [
    [390, 'light'],
    [390, 'dark'],
    ...(phone
      ? []
      : ([
          [1440, 'light'],
          [1440, 'dark'],
        ] satisfies Variant[])),
  ]
  // Wide screens more often than narrow ones.
  const chosen = phone ? turn % 2 : ([2, 3, 0, 2, 3, 1][turn % 6] ?? 2)
  return all.filter((_, index) => isLong || index === chosen)
}

const inWords = ({ id, nodes }: AxeResults['violations'][number]) =>
  `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(' ')} ${failureSummary}`).join('\n')}`

async function widthFaults(page: Page, screen: Screen): Promise<string[]> {
  const found: string[] = []
  for (const width of screen.phone ? [390] : [1024, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const over = await page.evaluate(overflow)
    found.push(...over.map((what) => `${screen.name} at ${width}: ${what}`))
  }
  return found
}

/** Checks the page, and boxes that cut off content, once the layout has settled. */
async function overflow(): Promise<string[]> {
  const began = performance.now()
  let found = faultsNow()
  while (found.length > 0 && performance.now() - began < 30_000) {
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
