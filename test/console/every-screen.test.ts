import { expect, test, vi } from 'vitest'
import { makeEveryScreen } from '../worlds/world-screens.ts'
import type { ConsolePage } from '../support/console/page.ts'
import { openConsole } from '../support/console/open-console.ts'
import { someOf } from '../support/run/campaign.ts'
import { sees, toast } from '../support/console/see.ts'
import { until } from '../support/console/until.ts'

// No worker runs, so that everything stays as shown.
const stage = await openConsole()
const { token, paths } = await makeEveryScreen(stage.slipway.ctx)
// The query client of the console under test.
const { queryClient } = await import('../../console/lib/http/query-client.ts')

/** The API without its live streams, whose loss is shown by itself. */
const api = /^\/v1\/(?!live|stream-tickets)/
const reason = 'The disk that holds the database is full.'
const failing = JSON.stringify({ error: reason, code: 'disk_full' })

test.each(paths)('%s hides addresses, keeps its data when a refetch fails, and says why', async (path) => {
  const page = stage.page({ token })
  await page.goto(path)
  await untilLoaded(page)
  const before = shownText()
  expect(before).not.toBe('')
  expect(shownAddresses()).toEqual([])
  page.intercept(api, 500, failing)
  void queryClient.invalidateQueries()
  await sees(page.getByLabel('Out of date').getByText(reason))
  await sees(toast(page, reason))
  await untilLoaded(page)
  expect(shownText()).toBe(before)
})

// Lists, cards, dialogs and pages take the reason the same way.
const few = someOf(paths, 6, 0)

test.each(few)('%s shows the reason of the API when it cannot be loaded', async (path) => {
  const page = stage.page({ token })
  page.intercept(/^\/v1\/(?!live|stream-tickets|user$|workspaces\/current)/, 500, failing)
  await page.goto(path)
  await untilLoaded(page)
  await sees(toast(page, reason))
  const retries = [...document.querySelectorAll('button')].filter(
    ({ textContent: name }) => name === 'Try again',
  )
  for (const { parentElement: card } of retries) expect(card?.textContent).toContain(reason)
})

/** Resolves once nothing is fetched, several times in a row, because one response may start the next request. */
async function untilLoaded(page: ConsolePage) {
  await untilQuiet(page)
  // Tabs are loaded when first opened.
  await vi.dynamicImportSettled()
  await untilQuiet(page)
}

async function untilQuiet(page: ConsolePage) {
  let quiet = 0
  await until(() => {
    const busy =
      queryClient.isFetching() > 0 || document.querySelector('.animate-breathe.bg-pressed') !== null
    quiet = page.calls.length > 0 && !busy ? quiet + 1 : 0
    if (quiet < 3) throw new Error('The screen is still loading.')
  })
}

const address = /(?:203|198)[.-]\d{1,3}[.-]\d{1,3}[.-]\d{1,3}|172\.30\.\d+\.\d+|2001:db8:[\da-f:]+/

/** IPv4 and IPv6 addresses in texts and labels, except where one must be entered elsewhere. */
function shownAddresses() {
  const body = copyWithout(document.body, '[data-instruction], script, style')
  const labels = ['title', 'aria-label', 'placeholder'].flatMap((name) =>
    [...body.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name) ?? ''),
  )
  const found = [...textsIn(body), ...labels, document.title].filter((text) => address.test(text))
  return [...new Set(found)]
}

/** Page and dialogs without the notice and the toast, and without times and durations, which change by themselves. */
function shownText() {
  const body = copyWithout(
    document.body,
    '[aria-label="Out of date"], [aria-label="Notifications"], time, script, style',
  )
  return textsIn(body)
    .join('\n')
    .replaceAll(/(?:\s?\d+(?:\.\d+)?\s(?:d|h|min|s|ms)\b)+/g, '')
}

function copyWithout(element: HTMLElement, others: string) {
  const copy = element.cloneNode(true)
  if (!(copy instanceof HTMLElement)) throw new Error('The copy is not an element.')
  for (const other of copy.querySelectorAll(others)) other.remove()
  return copy
}

/** One by one: adjacent elements would run into one word. */
const textsIn = (element: HTMLElement) =>
  [...element.querySelectorAll('*')].flatMap(({ childNodes }) =>
    [...childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent ?? ''),
  )
