import type { Page } from 'playwright-core'

/** What Chromium measures; the libraries of TypeScript do not know it. */
interface LayoutShift extends PerformanceEntry {
  value: number
  sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
}

interface Shift {
  at: number
  score: number
  /** The element that Chromium names first. */
  what: string
}

declare global {
  interface Window {
    layoutShifts?: Shift[]
    /** Requests without an answer, and answers that the page has not painted yet. */
    awaitedAnswers?: number
  }
}

/** The limit of the sum of a screen, a fifth of what web.dev calls good. */
const limit = 0.02

/**
 * Records the layout shifts of the page. Each answer of the API is painted before the next one is seen, as on a slow
 * network: on this machine all of them would arrive before the skeletons are painted.
 */
export async function recordShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (window.layoutShifts) return
    const shifts: Shift[] = (window.layoutShifts = [])
    window.awaitedAnswers = 0
    const inWords = ({ x, y, width, height }: DOMRect) =>
      `${Math.round(x)},${Math.round(y)} ${Math.round(width)}×${Math.round(height)}`
    const describe = ({ node, previousRect, currentRect }: LayoutShift['sources'][number]) => {
      const element = node instanceof Element ? node : node?.parentElement
      const text = (element?.getAttribute('aria-label') ?? element?.textContent ?? '').slice(0, 40)
      return `<${element?.tagName.toLowerCase()}> “${text}” from ${inWords(previousRect)} to ${inWords(currentRect)}`
    }
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        // oxlint-disable-next-line no-unsafe-type-assertion -- it observes nothing else
        const { value, startTime, sources } = entry as LayoutShift
        const [most] = sources
        const what = most ? describe(most) : 'removed element'
        shifts.push({ at: startTime, score: value, what })
      }
    }).observe({ type: 'layout-shift', buffered: true })
    const painted = () =>
      new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(undefined))))
    const ask = window.fetch
    let turn: Promise<unknown> = Promise.resolve()
    window.fetch = async (...request) => {
      window.awaitedAnswers = (window.awaitedAnswers ?? 0) + 1
      try {
        const answer = await ask(...request)
        await (turn = turn.then(painted))
        return answer
      } finally {
        void painted().then(() => (window.awaitedAnswers = (window.awaitedAnswers ?? 1) - 1))
      }
    }
  })
}

/** The time from which on shifts count, in milliseconds since the page was loaded. */
export const shiftClock = (page: Page): Promise<number> => page.evaluate(() => performance.now())

/**
 * Waits until the screen has its data. Returns the sum of its shifts if that is above the limit, with the largest one. Those
 * after a change of the width, which counts as input, are included. A busy machine may take so long that the console shows
 * the parts in any order, which says nothing about the screen.
 */
export async function shiftFaults(page: Page, since: number): Promise<string[]> {
  const shifts = await page.evaluate(async (most) => {
    const isLoading = () =>
      (window.awaitedAnswers ?? 0) > 0 || document.querySelector('main[data-loading=ordered]') !== null
    const until = performance.now() + most
    for (let quiet = 0; quiet < 2 && performance.now() < until; quiet = isLoading() ? 0 : quiet + 1)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(undefined))))
    const isLate = document.querySelector('main[data-loading=late]') !== null
    return isLate ? [] : (window.layoutShifts ?? [])
  }, 10_000)
  const counted = shifts.filter(({ at }) => at >= since)
  const sum = counted.reduce((total, { score }) => total + score, 0)
  const [largest] = counted.toSorted((a, b) => b.score - a.score)
  if (!largest || sum <= limit) return []
  return [`shifted by ${sum.toFixed(3)}, limit ${limit}; ${largest.score.toFixed(3)} is ${largest.what}`]
}

/** Empties the cache of the console, as another tab does that changes the workspace. */
export const forgetAnswers = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const [sender, witness] = [new BroadcastChannel('slipway'), new BroadcastChannel('slipway')]
    const delivered = new Promise((resolve) => witness.addEventListener('message', resolve))
    // oxlint-disable-next-line require-post-message-target-origin -- a channel has no other origin
    sender.postMessage('workspace')
    await delivered
    sender.close()
    witness.close()
  })
