import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runContainer } from '../support/stages/containers.ts'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { takeHost } from '../support/stages/take-host.ts'
import { faults } from '../support/browser/faults.ts'
import { button, field, misses, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'

const host = await takeHost()
const stage = await openStage()
const team = await makeTeam(stage.database.db)
const { token } = team.viewer
const server = await makeServer(stage.ctx, team.workspace, host, { name: 'web-1' })
const soon = { timeout: 120_000 }

const patient = 'trap "exit 0" TERM; while :; do sleep 1 & wait $!; done'
const pathOf = (id: string, query = '') => `/dashboard/servers/${server}/containers/${id}/logs${query}`

/** Opens the log of a container that runs this script and waits; with `last`, once it has written this line. */
async function open(page: Page, script: string, { query = '', last = '' } = {}) {
  const id = await runContainer(host, { script: `${script}\n${patient}` })
  const lastLine = async () => (await host.exec('docker', 'logs', '--tail', '1', id)).trim()
  await vi.waitUntil(async () => last === '' || (await lastLine()) === last)
  await page.goto(pathOf(id, query))
  await sees(status(page, 'Live'))
  return id
}
const say = (id: string, script: string) =>
  host.exec('docker', 'exec', id, 'sh', '-c', `{ ${script}; } > /proc/1/fd/1 2> /proc/1/fd/2`)

const view = (page: Page) => page.getByRole('region', { name: /^Log of / })
const log = (page: Page) => page.getByRole('log')
const status = (page: Page, words: string) => view(page).locator('output').getByText(words, { exact: true })
const row = (page: Page, text: string | RegExp) =>
  log(page).locator('[data-number]').filter({ hasText: text })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search the log' })
const count = (page: Page, lines: number) =>
  view(page).getByText(`${lines.toLocaleString('en')} lines`, { exact: true })

/** Texts of visible lines without times. */
const shown = (page: Page) =>
  log(page)
    .locator('[data-number]')
    .evaluateAll((rows) =>
      rows.map((line) =>
        line.lastElementChild?.matches('p, span') ? line.lastElementChild.textContent : '',
      ),
    )

test('shows lines live with times and streams', async () => {
  const page = await stage.page({ token })
  const id = await open(page, 'echo first; echo trouble >&2')
  await sees(row(page, 'first'))
  await sees(row(page, 'trouble').getByText('Error output:'))
  await expect.poll(() => row(page, 'first').getByText('Error output:').count()).toBe(0)
  await say(id, 'echo second')
  await sees(row(page, 'second'))
  const time = row(page, 'second').locator('time')
  await expect.poll(() => time.textContent()).toMatch(/^\d\d \w{3} \d\d:\d\d:\d\d\.\d{3}$/)
  const link = row(page, 'second').getByRole('link')
  await expect.poll(() => link.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ UTC$/)
  await button(page, 'Timestamps').click()
  await misses(time)
  // Remembered in this browser.
  await page.reload()
  await sees(row(page, 'second'))
  await expect.poll(() => time.count()).toBe(0)
})

test('searches, steps and filters by text and regular expression', async () => {
  const page = await stage.page({ token })
  const id = await open(page, 'for n in $(seq 300); do echo "line $n of [many]"; done; echo needle; seq 5')
  await sees(row(page, 'needle'))
  await page.keyboard.press('/')
  await page.keyboard.type('[MANY]')
  await sees(status(page, '300 lines'))
  await page.keyboard.press('Shift+Enter')
  await sees(status(page, '300 of 300'))
  await page.keyboard.press('Shift+Enter')
  await sees(status(page, '299 of 300'))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await sees(status(page, '1 of 300'))
  await sees(row(page, 'line 1 of [many]').locator('mark', { hasText: '[many]' }))
  await say(id, 'echo another of [many]')
  await sees(status(page, '1 of 301'))

  await search(page).fill('line 29\\d')
  await sees(status(page, 'No lines'))
  await button(page, 'Regular expression').click()
  await sees(status(page, '10 lines'))
  await button(page, 'Only matching lines').click()
  await expect.poll(() => log(page).locator('[data-number]').count(), soon).toBe(10)
  // The URL shows a colleague the same.
  await page.reload()
  await expect.poll(() => log(page).locator('[data-number]').count(), soon).toBe(10)
  await search(page).fill('line (')
  await sees(page.getByText('Invalid regular expression. Check its brackets and backslashes.'))
  await search(page).press('Escape')
  await sees(row(page, 'needle'))
  await expect.poll(() => search(page).inputValue()).toBe('')
  expect(new URL(page.url()).searchParams.has('only')).toBe(false)
  await expect
    .poll(() => log(page).evaluate((element) => element === document.activeElement), soon)
    .toBe(true)
})

longTest('stops a regular expression that takes too long, without freezing', async () => {
  const page = await stage.page({ token })
  await open(page, `echo ${'a'.repeat(40)}!; echo fine`)
  await sees(row(page, 'fine'))
  await search(page).fill('fine')
  await button(page, 'Regular expression').click()
  await search(page).fill('(a+)+$')
  await page.getByText('This regular expression is too slow. Simplify it.').waitFor(soon)
  await search(page).fill('fin[e]')
  await sees(status(page, '1 line'))
})

test('marks and filters levels', async () => {
  const page = await stage.page({ token })
  const id = await open(page, 'echo "level=error msg=no"; echo "[WARN] hm"; echo "INFO ok"; echo plain')
  await sees(row(page, 'plain'))
  const levels = () =>
    log(page)
      .locator('[data-number]')
      .evaluateAll((rows) => rows.map((line) => line.getAttribute('data-level')))
  expect(await levels()).toEqual(['error', 'warn', 'info', null])
  await button(page, 'Levels: all').click()
  await page.getByRole('menuitem', { name: 'Errors and warnings only' }).click()
  await expect.poll(levels, soon).toEqual(['error', 'warn'])
  await say(id, 'echo "DEBUG x"; echo "ERROR again"')
  await expect.poll(levels, soon).toEqual(['error', 'warn', 'error'])
  await button(page, 'Levels: Errors, Warnings').click()
  await page.getByRole('menuitemcheckbox', { name: 'Warnings' }).click()
  await expect.poll(levels, soon).toEqual(['error', 'error'])
})

test('shows colors and drops other escape sequences', async () => {
  const page = await stage.page({ token })
  await open(
    page,
    String.raw`printf '\033[31mred\033[0m \033[38;2;255;255;0myellow\033[0m \033[2Jplain\n'; printf 'a\000b\n'; echo '<b>bold</b>'`,
  )
  await sees(row(page, 'red yellow plain'))
  const colour = (text: string) =>
    row(page, 'red yellow')
      .getByText(text, { exact: true })
      .evaluate((element) => getComputedStyle(element).color)
  expect(await colour('red')).toBe('rgb(173, 32, 24)')
  // Darkened, so that yellow is readable on white.
  expect(await colour('yellow')).toMatch(/^oklch\(0\.52 /)
  await sees(row(page, 'a␀b'))
  await sees(row(page, '<b>bold</b>'))
})

test('holds lines during a pause and shows them afterwards', async () => {
  const page = await stage.page({ token })
  const id = await open(page, 'echo before')
  await sees(row(page, 'before'))
  await button(page, 'Pause').click()
  await sees(status(page, 'Paused'))
  await say(id, 'seq 1 123')
  await sees(view(page).getByText('123 new lines', { exact: true }))
  expect(await shown(page)).toEqual(['before'])
  await button(page, 'Resume').click()
  await sees(row(page, /123$/))
  await sees(count(page, 124))
  await button(page, 'Clear').click()
  await sees(count(page, 0))
  await say(id, 'echo after')
  await expect.poll(() => shown(page), soon).toEqual(['after'])
  await button(page, 'Show earlier lines').click()
  await sees(count(page, 125))
})

longTest('jumps to a time and back to the end', async () => {
  const page = await stage.page({ token })
  const id = await open(page, 'echo old; sleep 3; echo young')
  await row(page, 'young').waitFor(soon)
  const at = await row(page, 'young').locator('time').getAttribute('datetime')
  await button(page, 'Jump to time').click()
  await sees(page.getByRole('dialog', { name: 'Jump to time' }))
  const local = await page.evaluate((time) => {
    const then = new Date(time)
    return new Date(then.getTime() - then.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
  }, at ?? '')
  await field(page, 'Show lines from').fill(local)
  await button(page, 'Jump').click()
  await sees(row(page, 'young'))
  await misses(page.getByRole('dialog'))
  await expect.poll(() => row(page, 'old').count()).toBe(0)
  await say(id, 'echo younger')
  await sees(row(page, 'younger'))
  await button(page, 'Back to live').click()
  await sees(row(page, 'old'))
  await sees(row(page, 'younger'))
  // The time of a line links to it.
  await row(page, 'young').first().getByRole('link').click()
  await misses(row(page, 'old'))
  await sees(row(page, 'young').first())
})

test('downloads all lines or the loaded ones', async () => {
  const page = await stage.page({ token })
  // The page loads the last thousand lines, and all that are written later.
  await open(page, 'seq 1 1500', { last: '1500' })
  await sees(row(page, /1500$/))
  const download = async (which: string) => {
    await button(page, 'Download').click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: which }).click(),
    ])
    return (await text(await file.createReadStream())).trimEnd().split('\n')
  }
  await button(page, 'Timestamps').click()
  const all = Array.from({ length: 1500 }, (_, index) => String(index + 1))
  expect(await download('All lines')).toEqual(all)
  expect(await download('Displayed lines')).toEqual(all.slice(-1000))
})

longTest('copies selected lines as plain text, including those not rendered', async () => {
  const page = await stage.page({ token })
  const id = await open(page, 'seq 1 400')
  await sees(row(page, /400$/))
  await say(id, 'echo trouble >&2')
  await sees(row(page, 'trouble'))
  await button(page, 'Timestamps').click()
  await log(page).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  const all = [...Array.from({ length: 400 }, (_, index) => String(index + 1)), 'trouble'].join('\n')
  await expect.poll(copied, soon).toBe(all)
  // Pressing on a selection would start a drag.
  await row(page, 'trouble').click()
  const from = await row(page, /^399$/).boundingBox()
  const to = await row(page, 'trouble').boundingBox()
  await page.mouse.move((from?.x ?? 0) + 40, (from?.y ?? 0) + 10)
  await page.mouse.down()
  await page.mouse.move((to?.x ?? 0) + 80, (to?.y ?? 0) + 10, { steps: 5 })
  await page.mouse.up()
  await page.keyboard.press('Control+c')
  await expect.poll(copied, soon).toBe('399\n400\ntrouble')
})

longTest('truncates a line of a megabyte and opens it in a dialog', async () => {
  const page = await stage.page({ token })
  await open(page, `seq 1 3000; head -c 1048576 /dev/zero | tr '\\0' x; echo; echo after`)
  await sees(row(page, 'after'))
  const text = (await row(page, /x{9}/).textContent()) ?? ''
  expect(text.length).toBeLessThan(2100)
  await sees(row(page, 'Truncated at 2,000 characters'))
  const mark = await button(page, 'Show all (1 MiB)').boundingBox()
  expect(mark?.x).toBeLessThan(800)
  await button(page, 'Show all (1 MiB)').click()
  const whole = page.getByRole('dialog', { name: 'Line (1 MiB)' })
  await sees(whole)
  expect((await whole.locator('pre').textContent())?.length).toBe(1_048_576)
  await page.keyboard.press('Escape')
  await button(page, 'Show earlier lines').click()
  await sees(count(page, 3002))
  await misses(button(page, 'Show earlier lines'))
})

longTest('continues after a restart without lost or repeated lines', async () => {
  const page = await stage.page({ token })
  const id = await runContainer(host, {
    script: `for n in $(seq 20); do echo "run $(cat /proc/uptime) $n"; done; ${patient}`,
  })
  await page.goto(pathOf(id))
  await sees(count(page, 20))
  await host.exec('docker', 'stop', id)
  await row(page, 'The container stopped.').waitFor(soon)
  await sees(status(page, 'Ended'))
  await host.exec('docker', 'start', id)
  await count(page, 40).waitFor(soon)
  await sees(status(page, 'Live'))
  await sees(row(page, 'The container stopped.'))
  await sees(row(page, /The container restarted at \d\d:\d\d:\d\d\.$/))
  await say(id, 'echo end')
  await sees(row(page, /end$/))
  const texts = (await shown(page)).filter((text) => text?.startsWith('run'))
  expect(new Set(texts).size).toBe(texts.length)
})

test('continues after a lost stream without lost or repeated lines', async () => {
  // Not the shared page, whose scripts stay loaded.
  const page = await stage.visitor({ token })
  await page.addInitScript(keepStreams)
  const id = await open(page, 'seq 1 20')
  await sees(count(page, 20))
  for (let cut = 1; cut <= 3; cut++) {
    await page.evaluate('window.cutStreams()')
    await say(id, `seq ${cut}001 ${cut}020`)
    await sees(count(page, 20 + cut * 20))
  }
  await sees(status(page, 'Live'))
  await say(id, 'echo end')
  await sees(row(page, /end$/))
  const texts = await shown(page)
  expect(new Set(texts).size).toBe(texts.length)
})

/** Allows a test to cut the streams. */
function keepStreams() {
  const Real = window.EventSource
  const streams: EventSource[] = []
  window.EventSource = class extends Real {
    constructor(...given: ConstructorParameters<typeof Real>) {
      super(...given)
      streams.push(this)
    }
  }
  Object.assign(window, {
    cutStreams: () => streams.forEach((stream) => stream.dispatchEvent(new Event('error'))),
  })
}

longTest('explains a log that Docker does not keep', async () => {
  const page = await stage.page({ token })
  const id = await runContainer(host, { options: ['--log-driver', 'none'] })
  await page.goto(pathOf(id))
  await sees(status(page, 'Ended'))
  await sees(row(page, /Docker cannot read the log of this container: .*does not support reading/))
  await sees(button(page, 'Reconnect'))
})

longTest('loads earlier lines above the current one', async () => {
  const page = await stage.page({ token })
  await open(page, 'seq 1 3000', { last: '3000' })
  await sees(count(page, 1000))
  await log(page).press('Home')
  await sees(row(page, /2001$/))
  await button(page, 'Show earlier lines').click()
  await sees(count(page, 3000))
  await sees(row(page, /2001$/))
  await sees(row(page, /1999$/))
  await log(page).press('Home')
  await expect.poll(() => shown(page), soon).toContain('1')
})

longTest('ignores an invalid time, and shows nothing yet for a future one', async () => {
  const page = await stage.page({ token })
  const id = await open(page, 'echo here', { query: '?since=nonsense' })
  await sees(row(page, 'here'))
  await expect.poll(() => button(page, 'Back to live').count()).toBe(0)
  await page.goto(pathOf(id, '?since=2090-01-01T00:00:00Z'))
  await sees(log(page).getByText(/^No log lines since \d\d \w{3} (2089|2090) \d\d:00:00$/))
})

longTest('keeps lines when the container is removed', async () => {
  const page = await stage.page({ token })
  const id = await open(page, 'echo last words')
  await sees(row(page, 'last words'))
  await host.exec('docker', 'rm', '--force', id)
  await row(page, 'The container was removed.').waitFor(soon)
  await sees(status(page, 'Ended'))
  await sees(row(page, 'last words'))
  expect(await shown(page)).toHaveLength(2)
  await sees(view(page).getByText('1 line', { exact: true }))
  await expect.poll(() => view(page).getByText('The container was removed.').count()).toBe(1)
})

test('has an accessible log in both themes and every width', async () => {
  const page = await stage.page({ token })
  const colours = String.raw`for n in $(seq 0 15) 208 21 226 232 255; do printf "\033[38;5;%dmcolour %d\033[0m \033[48;5;%dmground\033[0m\n" $n $n $n; done`
  const id = await open(
    page,
    `${colours}; echo "[ERROR] no" >&2; echo "WARN hm"; echo "level=info x"; seq 40`,
  )
  const screens = [
    { name: 'log', path: pathOf(id), shows: () => sees(row(page, 'level=info')) },
    { name: 'log, searched', path: pathOf(id, '?q=colour'), shows: () => sees(status(page, '21 lines')) },
    {
      name: 'jump to time',
      path: pathOf(id, '?dialog=jump-to-time'),
      shows: () => sees(page.getByRole('dialog')),
    },
  ]
  expect(await faults(page, pathOf(id), screens)).toEqual([])
})

longTest('shows nothing as live while the server is unreachable', async () => {
  const page = await stage.page({ token })
  const id = await open(page, 'echo before')
  await sees(row(page, 'before'))
  onTestFinished(() => host.plug())
  await host.cut()
  await status(page, 'Reconnecting…').waitFor({ timeout: 120_000 })
  await host.plug()
  await status(page, 'Live').waitFor({ timeout: 120_000 })
  await say(id, 'echo back')
  await row(page, 'back').waitFor(soon)
})
