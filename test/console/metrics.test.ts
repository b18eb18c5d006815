import { expect, test } from 'vitest'
import { makeApplication, makeDeployment, makeRelease } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { button, field, isAt, misses, sees } from '../support/console/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openConsole } from '../support/console/open-console.ts'
import type { ConsolePage } from '../support/console/page.ts'

// Without metrics, because jsdom has no canvas; the browser tests show charts.
const stage = await openConsole()
const { ctx, db } = stage.slipway
const { workspace, viewer } = await makeTeam(db)
const server = await makeShownServer(db, workspace)

const minute = 60_000
const ago = (age: number) => new Date(Date.now() - age)
const params = (page: ConsolePage) => new URL(page.url()).searchParams
const seconds = (page: ConsolePage, name: string) => Date.parse(params(page).get(name) ?? '') / 1000

async function openMetrics(search = '') {
  const id = await makeApplication(db, workspace, server, { name: 'shop' })
  const page = stage.page({ token: viewer.token })
  const path = `/dashboard/applications/${id}/metrics`
  await page.goto(path + search)
  await sees(page.getByRole('heading', { name: 'Metrics' }))
  return { page, path, id }
}

test('moves to earlier time ranges with the keyboard, and back to now', async () => {
  const { page, path } = await openMetrics('?range=6h')
  expect(await button(page, 'Next time range').isDisabled()).toBe(true)
  await button(page, 'Previous time range').press('Enter')
  await sees(page.getByText(/ · Not live$/))
  await sees(page.getByText('No metrics in this range'))
  const from = seconds(page, 'from')
  expect(seconds(page, 'until') - from).toBe(6 * 3600)
  await button(page, 'Previous time range').click()
  await expect.poll(() => seconds(page, 'until')).toBe(from)
  await button(page, 'Next time range').click()
  await expect.poll(() => seconds(page, 'from')).toBe(from)
  await button(page, 'Next time range').click()
  await isAt(page, `${path}?range=6h`)
  await misses(page.getByText(/ · Not live$/))
})

test('shows a custom range until it is reset, without further requests', async () => {
  const { page, path } = await openMetrics()
  await button(page, 'Custom range').click()
  await field(page, 'From').fill('2026-01-02T10:00')
  await field(page, 'Until').fill('2026-01-02T09:00')
  await button(page, 'Show range').click()
  await sees(page.getByText('Must be after the start.'))
  // Both relate to one moment, because a minute may end in between.
  const now = Date.now()
  const [from, until] = [120, 60].map((age) => {
    const at = new Date(now - age * minute)
    return new Date(at.getTime() - at.getTimezoneOffset() * minute).toISOString().slice(0, 16)
  })
  await field(page, 'From').fill(from ?? '')
  await field(page, 'Until').fill(until ?? '')
  await button(page, 'Show range').click()
  await misses(page.getByRole('dialog'))
  expect(seconds(page, 'until') - seconds(page, 'from')).toBe(3600)
  await expect
    .poll(() => page.calls.findLast(({ path: of }) => of.startsWith('/v1/metrics/applications/'))?.path)
    .toContain('until=')
  await button(page, 'Reset zoom').click()
  await isAt(page, path)
  await page.goBack()
  await sees(button(page, 'Reset zoom'))
})

test('asks for the day before and says why it is missing', async () => {
  const { page, path } = await openMetrics()
  page.intercept(/metrics/, 500, '{}')
  await page.getByRole('switch', { name: 'Compare with the day before' }).click()
  await isAt(page, `${path}?compare=day-before`)
  await sees(page.getByText('Could not load metrics of the day before'))
})

test('lists the deployments of the range and opens them', async () => {
  const { page, path, id } = await openMetrics()
  await sees(page.getByText('No deployments in this range'))
  const release_id = await makeRelease(ctx, workspace, id, 14)
  const at = { created_at: ago(31 * minute), started_at: ago(30 * minute), finished_at: ago(29 * minute) }
  const target = { id, server }
  const live = await makeDeployment(db, workspace, target, { release_id, actor_name: 'Maya', ...at })
  await makeDeployment(db, workspace, target, { status: 'failed', actor_name: 'Ada', ...at })
  await makeDeployment(db, workspace, target, { actor_name: 'Old', ...at, finished_at: ago(70 * minute) })
  await makeDeployment(db, workspace, target, { status: 'queued' })
  await page.reload()
  const list = page.getByRole('navigation', { name: 'Deployments in this range' })
  await sees(list.getByRole('link', { name: /^✕?Deployment · Failed\s*Ada · / }))
  expect(await list.getByRole('link').count()).toBe(2)
  await list.getByRole('link', { name: /14.*Release 14 · Completed.*Maya · / }).click()
  await isAt(page, `${path}?deploymentId=${live}`)
  await sees(page.getByRole('dialog', { name: 'Deployment of shop' }))
})
