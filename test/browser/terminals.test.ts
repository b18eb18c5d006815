import { readFile } from 'node:fs/promises'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { takeHost } from '../support/stages/take-host.ts'
import { button, goTo, misses, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'

const host = await takeHost()
const stage = await openStage()
const team = await makeTeam(stage.database.db)
const { token } = team.admin
const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8')

/** Each test has its own server with all slots free. */
async function arrive(page: Page) {
  const server = await makeServer(stage.ctx, team.workspace, host, { name: 'web-1' })
  await page.addInitScript(keepSockets)
  await page.goto(`/dashboard/servers/${server}/terminal`)
  await sees(state(page, 'Connected'))
  return `/dashboard/servers/${server}`
}

/** Allows a test to cut a socket. */
function keepSockets() {
  const Real = window.WebSocket
  const sockets: WebSocket[] = []
  window.WebSocket = class extends Real {
    constructor(...given: ConstructorParameters<typeof Real>) {
      super(...given)
      sockets.push(this)
    }
  }
  Object.assign(window, {
    cutSockets: () => sockets.forEach((socket) => socket.close(4999)),
    countSockets: () => sockets.length,
  })
}
const cutSockets = (page: Page) => page.evaluate('window.cutSockets()')
const countSockets = (page: Page) => page.evaluate('window.countSockets()')

const pane = (page: Page) => page.getByRole('region', { name: 'Terminal' })
const state = (page: Page, words: string) => pane(page).getByRole('status').getByText(words, { exact: true })
const lines = (page: Page) => page.locator('.xterm-rows > div')
const shows = (page: Page, text: string | RegExp) => sees(lines(page).filter({ hasText: text }).first())
const type = (page: Page, text: string) => page.keyboard.type(`${text}\n`)

test('runs input in a terminal that fits the window', async () => {
  const page = await stage.visitor({ token })
  await arrive(page)
  await type(page, 'echo $((6 * 7))')
  await shows(page, /^42/)
  const before = await size(page)
  expect(before.cols).toBeGreaterThan(120)
  await page.setViewportSize({ width: 900, height: 600 })
  await expect.poll(async () => (await size(page)).cols).toBeLessThan(before.cols - 30)
  expect((await size(page)).rows).toBeLessThan(before.rows)
  expect(await tooWide(page)).toBe(false)
})

test('reconnects a lost socket with the same shell', async () => {
  const page = await stage.visitor({ token })
  await arrive(page)
  await type(page, 'pearl=oyster; echo before-$pearl')
  await shows(page, 'before-oyster')
  await cutSockets(page)
  // "Reconnecting…" may be shown too briefly to be seen.
  await expect.poll(() => countSockets(page)).toBe(2)
  await sees(state(page, 'Connected'))
  await shows(page, 'before-oyster')
  await type(page, 'echo after-$pearl')
  await shows(page, 'after-oyster')
})

longTest('keeps the shell over navigation and reload', async () => {
  const page = await stage.visitor({ token })
  const server = await arrive(page)
  await type(page, 'pearl=oyster; clear')
  await goTo(page, server)
  await misses(pane(page))
  await goTo(page, `${server}/terminal`)
  await sees(state(page, 'Connected'))
  await type(page, 'echo first-$pearl')
  await shows(page, 'first-oyster')
  await page.reload()
  await sees(state(page, 'Connected'))
  await shows(page, 'first-oyster')
  await type(page, 'echo second-$pearl')
  await shows(page, 'second-oyster')
})

longTest('does not answer replayed terminal queries', async () => {
  const page = await stage.visitor({ token })
  await arrive(page)
  // Queries for cursor position and terminal type, whose answers a program reads.
  await type(page, String.raw`printf '\033[6n\033[c'; read -rsd c; clear -x; echo asked-$((1))`)
  await shows(page, 'asked-1')
  const sent: string[] = []
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
  await page.reload()
  await sees(state(page, 'Connected'))
  await shows(page, 'asked-1')
  await page.keyboard.type('pearl')
  await shows(page, 'pearl')
  const typed = sent.filter((message) => message.includes('"input"'))
  expect(typed).toEqual('pearl'.split('').map((data) => JSON.stringify({ type: 'input', data })))
})

longTest('reports an ended shell and opens a new one', async () => {
  const page = await stage.visitor({ token })
  await arrive(page)
  await type(page, 'exit')
  await sees(state(page, 'Connection closed'))
  await sees(state(page, 'The shell exited.'))
  await button(page, 'Open again').click()
  await sees(state(page, 'Connected'))
  await type(page, 'echo $((6 * 7))')
  await shows(page, /^42/)
})

longTest('reconnects after the server was unreachable, with a new shell', async () => {
  const page = await stage.visitor({ token })
  await arrive(page)
  await host.cut()
  await state(page, 'Reconnecting…').waitFor({ timeout: 120_000 })
  await host.plug()
  await state(page, 'Opened a new shell.').waitFor({ timeout: 120_000 })
  await type(page, 'echo $((6 * 7))')
  await shows(page, /^42/)
})

test('sends every key to the shell except leave, copy and paste', async () => {
  const page = await stage.visitor({ token })
  await arrive(page)
  // Before its prompt, the shell does not edit the line.
  await shows(page, /@\S+[#$]/)
  await page.keyboard.type('echo cut')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+k')
  await misses(page.getByRole('dialog'))
  await page.keyboard.type('ls /etc/host')
  await page.keyboard.press('Tab')
  await shows(page, '/etc/host')
  await page.keyboard.press('Control+c')
  await shows(page, '^C')
  await page.evaluate(() => navigator.clipboard.writeText('echo past$((1))ed'))
  await page.keyboard.press('Control+Shift+V')
  await shows(page, 'echo past$((1))ed')
  await page.keyboard.press('Enter')
  await shows(page, /^past1ed/)
  const output = lines(page)
    .filter({ hasText: /^past1ed/ })
    .first()
  // The next prompt may still move the line.
  const copyLine = async () => {
    const box = await output.boundingBox()
    await page.mouse.click((box?.x ?? 0) + 10, (box?.y ?? 0) + 8, { clickCount: 3 })
    await page.keyboard.press('Control+Shift+C')
    return page.evaluate(() => navigator.clipboard.readText())
  }
  await expect.poll(copyLine).toContain('past1ed')
  await sees(toast(page, 'Copied to clipboard'))
  await page.keyboard.press('Control+Shift+Enter')
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Terminal')
  await page.keyboard.press('Shift+Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).not.toBe('')
})

longTest('renders a flood to its end, and can stop it', async () => {
  const page = await stage.visitor({ token })
  await arrive(page)
  await type(page, 'seq 600000; echo en$((1))ded')
  await lines(page).filter({ hasText: 'en1ded' }).first().waitFor({ timeout: 120_000 })
  await shows(page, /^600000$/)
  await type(page, 'yes')
  await shows(page, /^y$/)
  await page.keyboard.press('Control+c')
  await type(page, 'echo cal$((1))m')
  await shows(page, 'cal1m')
})

test('hides terminals from viewers', async () => {
  const page = await stage.visitor({ token: team.viewer.token })
  const server = await makeServer(stage.ctx, team.workspace, host, { name: 'web-1' })
  await page.goto(`/dashboard/servers/${server}/terminal`)
  await sees(page.getByText('You do not have access'))
  await misses(page.getByRole('link', { name: 'Terminal' }))
})

test('has an accessible terminal in both themes and every width', async () => {
  const page = await stage.visitor({ token })
  await arrive(page)
  await type(page, String.raw`printf '\033[3%dmcolour %d\033[0m\n' 1 1 2 2 3 3 4 4 5 5 6 6 7 7; ls --color /`)
  await shows(page, 'colour 7')
  await page.evaluate(axe)
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await sees(page.locator(`html[data-theme=${colorScheme}]`))
    const { violations } = await page.evaluate<AxeResults>(
      `axe.run(document, { resultTypes: ['violations'] })`,
    )
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    expect(await tooWide(page)).toBe(false)
  }
})

let asked = 0
/** Size as the shell reports it. */
async function size(page: Page) {
  asked += 1
  await type(page, `echo size-${asked}: $(stty size)`)
  const answer = lines(page).filter({ hasText: new RegExp(`^size-${asked}: \\d+ \\d+`) })
  const [, rows = 0, cols = 0] = ((await answer.textContent()) ?? '').split(' ').map(Number)
  return { rows, cols }
}

const tooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
