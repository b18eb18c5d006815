import { readFile } from 'node:fs/promises'
import type { AxeResults } from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { Id } from '../../contract/shared/ids.ts'
import { newId } from '../../server/platform/ids.ts'
import { makeApplication, makeDeployment, makeRelease } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { button, isAt, misses, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'
import { insertApplicationSamples, insertServerSamples } from '../../server/areas/metrics/sample-writer.ts'

const stage = await openStage()
const { db } = stage.database
const { workspace, viewer } = await makeTeam(db)
const { token } = viewer
const minute = 60_000

/** Without a confirmed host key no worker connects, so that metrics are those of the test. */
async function makeServer(): Promise<Id<'server'>> {
  const id = newId('server')
  await db
    .insertInto('servers')
    .values({ id, workspace_id: workspace, name: 'web-1', status: 'ready', last_seen_at: new Date() })
    .execute()
  return id
}

const sample = (server_id: Id<'server'>, age: number, cpu = 0.25) => ({
  workspace_id: workspace,
  server_id,
  at: new Date(Date.now() - age),
  cpu,
  memory_used: 3 * 1024 ** 3,
  memory_total: 8 * 1024 ** 3,
  disk_used: 20 * 1024 ** 3,
  disk_total: 80 * 1024 ** 3,
  network_in: 2048,
  network_out: 1024,
  load_1: 0.5,
  load_5: 0.25,
  load_15: 0.12,
})

const begun = Date.now()
/** The last hour without the last minute, with a gap of ten minutes. */
const hour = (id: Id<'server'>) =>
  Array.from({ length: 350 }, (_, n) => sample(id, minute + n * 10_000)).filter(
    ({ at }) => Math.abs(begun - at.getTime() - 30 * minute) > 5 * minute,
  )

const id = await makeServer()
await insertServerSamples(db, hour(id))
const path = `/dashboard/servers/${id}`

const chart = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Horizontal positions of a line, one per minute. */
const drawn = (within: Locator, dark = false) =>
  within.locator('canvas').evaluate((element, wantsLight) => {
    if (!(element instanceof HTMLCanvasElement)) throw new Error('There is no drawing.')
    const { width, height } = element
    const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
    copy?.drawImage(element, 0, 0)
    const data = copy?.getImageData(0, 0, width, height).data ?? []
    const plot = element.closest('.uplot')?.querySelector('.u-over')?.getBoundingClientRect()
    if (!plot) throw new Error('There is no chart.')
    const scale = width / element.clientWidth
    const left = (plot.left - element.getBoundingClientRect().left) * scale
    const minutes = Array.from({ length: 60 }, () => false)
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, , blue = 0, alpha = 0] = [data[at], data[at + 1], data[at + 2], data[at + 3]]
      const x = ((at / 4) % width) - left
      const ofLine = alpha > 150 && blue - red > 70 && (wantsLight ? red > 80 : red < 80)
      if (ofLine && x >= 0) minutes[Math.min(59, Math.floor((x / (plot.width * scale)) * 60))] = true
    }
    return minutes
  }, dark)

test('charts metrics with current values and gaps', async () => {
  await insertServerSamples(db, [sample(id, 0)])
  const page = await stage.page({ token })
  await page.goto(path)
  const figures: [name: string, ...words: string[]][] = [
    ['CPU', '25%'],
    ['Memory', '3 GiB', 'of 8 GiB'],
    ['Disk', '20 GiB', 'of 80 GiB'],
    ['Network', 'In', '2 KiB/s', 'Out', '1 KiB/s'],
    ['Load', '1 min', '0.5', '5 min', '0.25', '15 min', '0.12'],
  ]
  for (const [name, ...words] of figures) {
    for (const word of words) await sees(chart(page, name).getByText(word, { exact: true }).first())
    await sees(chart(page, name).locator('canvas'))
  }
  await sees(page.getByText('Usage: lowest 25%, highest 25%, on average 25%.'))
  // The gap moves to the left by what has passed since the samples were made.
  const passed = (Date.now() - begun) / minute
  const minutesBefore = (age: number) => Math.round(60 - age - passed)
  const line = await drawn(chart(page, 'CPU'))
  const [gapFrom, gapUntil] = [minutesBefore(35), minutesBefore(25)]
  expect(line.slice(2, gapFrom - 2)).not.toContain(false)
  expect(line.slice(gapFrom + 2, gapUntil - 2)).not.toContain(true)
  expect(line.slice(gapUntil + 2, minutesBefore(1) - 2)).not.toContain(false)
})

test('zooms all charts into a dragged span, until it is reset', async () => {
  const page = await stage.page({ token })
  await page.goto(path)
  const over = chart(page, 'CPU').locator('.u-over')
  await sees(over)
  const { width } = (await over.boundingBox()) ?? { width: 0 }
  // Hovering waits until the chart stands still.
  await over.hover({ position: { x: width / 4, y: 20 } })
  await page.mouse.down()
  await over.hover({ position: { x: (width * 3) / 4, y: 30 } })
  await page.mouse.up()
  await sees(button(page, 'Reset zoom'))
  const zoomed = new URL(page.url()).searchParams
  const [from = 0, until = 0] = ['from', 'until'].map((name) => Date.parse(zoomed.get(name) ?? ''))
  expect(Math.abs(until - from - 30 * minute)).toBeLessThan(2 * minute)
  expect(Math.abs(Date.now() - until - 15 * minute)).toBeLessThan(2 * minute)
  // The gap of a sixth of the hour is now a third of the chart, also in the others.
  const shareOf = (age: number) => Math.round(((begun - age * minute - from) / (until - from)) * 60)
  const gap = [shareOf(35) + 2, shareOf(25) - 2] as const
  expect(gap[1] - gap[0]).toBeGreaterThan(12)
  await expect.poll(async () => (await drawn(chart(page, 'Memory'))).slice(...gap)).not.toContain(true)
  await page.goBack()
  await isAt(page, path)
  await page.goForward()
  await button(page, 'Reset zoom').click()
  await isAt(page, path)
})

test('compares with the day before, in the chart and under the pointer', async () => {
  const page = await stage.page({ token })
  const compared = await makeServer()
  const day = 24 * 60 * minute
  const ages = Array.from({ length: 36 }, (_, n) => (n + 1) * minute)
  await insertServerSamples(
    db,
    ages.flatMap((age) => [sample(compared, age, 0.5), sample(compared, age + day, 0.2)]),
  )
  await page.goto(`/dashboard/servers/${compared}?range=6h`)
  const cpu = chart(page, 'CPU')
  await page.getByRole('switch', { name: 'Compare with the day before' }).click()
  await isAt(page, `/dashboard/servers/${compared}?range=6h&compare=day-before`)
  await sees(cpu.getByText('Day before', { exact: true }).first())
  const over = cpu.locator('.u-over')
  const { width } = (await over.boundingBox()) ?? { width: 0 }
  await over.hover({ position: { x: width * 0.95, y: 20 } })
  await sees(cpu.getByRole('cell', { name: '+30 pp', includeHidden: true }))
})

test('marks deployments of an application, with links for the pointer and the keyboard', async () => {
  const page = await stage.page({ token })
  const application = await makeApplication(db, workspace, id, { name: 'storefront' })
  const release = await makeRelease(stage.ctx, workspace, application, 14)
  const at = new Date(Date.now() - 30 * minute)
  const row = { release_id: release, actor_name: 'Maya', started_at: at, finished_at: at }
  const deployment = await makeDeployment(db, workspace, { id: application, server: id }, row)
  const figures = { requests: 10, status_2xx: 9, status_3xx: 0, status_4xx: 1, status_5xx: 0 }
  const latency = { latency_ms: 20, slower_0: 10, slower_5: 10, slower_10: 8, slower_20: 4, slower_50: 1 }
  const owner = { workspace_id: workspace, application_id: application }
  const rest = { bytes_in: 1, bytes_out: 1, sessions: 1, cpu: 0.1, memory_used: 1 }
  await insertApplicationSamples(
    db,
    Array.from({ length: 350 }, (_, n) => ({
      ...owner,
      ...figures,
      ...latency,
      ...rest,
      at: new Date(Date.now() - n * 10_000),
    })),
  )
  const metrics = `/dashboard/applications/${application}/metrics`
  await page.goto(metrics)
  const response = chart(page, 'Response time')
  for (const name of ['p50', 'p95', 'p99']) await sees(response.getByText(name, { exact: true }))
  const flag = response.getByRole('link', { name: /^Release 14/, includeHidden: true })
  await flag.hover()
  await sees(page.getByRole('tooltip').getByText(/^Maya · /))
  await flag.click()
  await isAt(page, `${metrics}?deploymentId=${deployment}`)
  await page.keyboard.press('Escape')
  await isAt(page, metrics)
  const link = page.getByRole('navigation', { name: 'Deployments in this range' }).getByRole('link')
  await link.focus()
  await page.keyboard.press('Enter')
  await isAt(page, `${metrics}?deploymentId=${deployment}`)
})

longTest('updates charts live', async () => {
  const page = await stage.page({ token })
  const moving = await makeServer()
  await insertServerSamples(db, [sample(moving, 20_000)])
  await page.goto(`/dashboard/servers/${moving}`)
  await sees(chart(page, 'CPU').locator('canvas'))
  await insertServerSamples(db, [sample(moving, 0, 0.75)])
  await sees(chart(page, 'CPU').getByText('75%', { exact: true }))
})

test('shows outdated metrics with their age', async () => {
  const page = await stage.page({ token })
  const silent = await makeServer()
  await insertServerSamples(db, [sample(silent, 5 * minute), sample(silent, 6 * minute)])
  await page.goto(`/dashboard/servers/${silent}`)
  await sees(chart(page, 'CPU').getByText(/^\d minutes ago$/))
  await misses(chart(page, 'CPU').getByText('–', { exact: true }))
  await sees(chart(page, 'Memory').getByText('of 8 GiB', { exact: true }))
  const gauges = page.getByRole('region', { name: 'Usage', exact: true })
  await sees(gauges.getByText(/^\d minutes ago$/).first())
})

longTest('shows values of one time in all charts on hover', async () => {
  const page = await stage.page({ token })
  await page.goto(path)
  await sees(chart(page, 'CPU').locator('canvas'))
  const over = chart(page, 'CPU').locator('.u-over')
  await over.hover({ position: { x: 100, y: 20 } })
  for (const name of ['CPU', 'Memory', 'Load']) await sees(chart(page, name).getByRole('time'))
  await sees(chart(page, 'CPU').getByText('25%', { exact: true }))
  // The gap is in the middle.
  await over.hover()
  await sees(chart(page, 'Memory').getByText('–', { exact: true }))
  await page.mouse.move(0, 0)
  await expect.poll(() => chart(page, 'Load').getByRole('time').count()).toBe(0)
})

longTest('keeps the range in the URL', async () => {
  const page = await stage.page({ token })
  await page.goto(path)
  const range = page.getByRole('group', { name: 'Range' })
  const pressed = () => range.locator('[aria-pressed=true]').textContent()
  await sees(button(range, '1 h'))
  expect(await pressed()).toBe('1 h')
  const asked = page.waitForRequest((request) => {
    const { pathname, searchParams } = new URL(request.url())
    const since = new Date(searchParams.get('since') ?? '').getTime()
    return (
      pathname.startsWith('/v1/metrics/servers/') && Math.abs(Date.now() - since - 24 * 60 * minute) < minute
    )
  })
  await button(range, '24 h').click()
  await isAt(page, `${path}?range=24h`)
  await asked
  await sees(chart(page, 'CPU').locator('canvas'))

  await page.goto(`${path}?range=30d`)
  await expect.poll(pressed).toBe('30 d')
  await page.goto(`${path}?range=nonsense`)
  await expect.poll(pressed).toBe('1 h')
})

longTest('follows the theme and the width', async () => {
  const page = await stage.page({ token, width: 390 })
  await page.goto(path)
  const cpu = chart(page, 'CPU')
  await sees(cpu.locator('canvas'))
  const isDrawn = async (dark: boolean) => (await drawn(cpu, dark)).includes(true)
  await expect.poll(() => isDrawn(false)).toBe(true)
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth)
  expect(await wide()).toBe(390)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => isDrawn(true)).toBe(true)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(async () => (await cpu.locator('canvas').boundingBox())?.width).toBeGreaterThan(800)
  await page.setViewportSize({ width: 390, height: 900 })
  await expect.poll(wide).toBe(390)
})

test('has accessible charts in light and dark', async () => {
  const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8')
  const page = await stage.page({ token })
  await page.goto(path)
  await sees(chart(page, 'Load').locator('canvas'))
  await page.evaluate(axe)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await sees(page.locator(`html[data-theme=${colorScheme}]`))
    const { violations } = await page.evaluate<AxeResults>(
      `axe.run(document, { resultTypes: ['violations'] })`,
    )
    expect(violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join()}`)).toEqual([])
  }
})

longTest('explains missing metrics, and retries a failed load', async () => {
  const page = await stage.page({ token })
  await page.goto(`/dashboard/servers/${await makeServer()}`)
  await sees(page.getByText('No metrics yet', { exact: true }))

  await page.route('**/v1/metrics/**', (route) =>
    route.fulfill({ status: 500, json: { error: 'It failed.', code: 'failed' } }),
  )
  stage.expectError(/status of 500/)
  await page.goto(path)
  await sees(page.getByText('Could not load metrics'))
  await page.unrouteAll()
  await button(page, 'Try again').click()
  await sees(chart(page, 'CPU').locator('canvas'))
})

test('loads the chart library only on pages with charts', async () => {
  const page = await stage.visitor({ token })
  const loaded: string[] = []
  page.on('request', (request) => void loaded.push(request.url()))
  await page.goto('/dashboard/servers')
  await sees(page.getByRole('link', { name: 'web-1' }).first())
  expect(loaded.filter((url) => url.includes('chart-canvas'))).toEqual([])
})
