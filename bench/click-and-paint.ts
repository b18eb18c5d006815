import type { Page } from 'playwright-core'

const areas = ['Servers', 'Applications', 'Projects', 'Home']

/** Milliseconds from a click in the sidebar to the painted page, whose data is cached: each was visited before. */
export async function timeRouteChanges(page: Page): Promise<number[]> {
  for (const name of areas) await clickAndPaint(page, name)
  const times: number[] = []
  for (let round = 0; round < 5; round++)
    for (const name of areas) times.push(await clickAndPaint(page, name))
  return times
}

const headings: Record<string, string> = { Home: 'Welcome back,' }

/** Measured in the page, without overhead of the test: click, heading, two frames. */
function clickAndPaint(page: Page, name: string): Promise<number> {
  return page.evaluate(
    async ([link, heading]) => {
      const target = [...document.querySelectorAll('nav a, aside a')].find(
        (a) => a.textContent?.trim() === link,
      )
      if (!(target instanceof HTMLElement)) throw new Error(`There is no link ${link}.`)
      const began = performance.now()
      target.click()
      const painted = () => document.querySelector('h1')?.textContent?.includes(heading)
      while (!painted()) {
        if (performance.now() - began > 10_000) throw new Error(`${link} was not painted.`)
        await new Promise(requestAnimationFrame)
      }
      await new Promise(requestAnimationFrame)
      return performance.now() - began
    },
    [name, headings[name] ?? name] as const,
  )
}
