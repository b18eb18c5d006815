import type { Page } from 'playwright-core'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { removeContainers, runContainer } from '../support/stages/containers.ts'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { takeHost } from '../support/stages/take-host.ts'
import { button, field, isAt, misses, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'

const host = await takeHost()
const stage = await openStage()
const team = await makeTeam(stage.database.db)
const { token } = team.admin
const server = await makeServer(stage.ctx, team.workspace, host, { name: 'web-1' })
const list = `/dashboard/servers/${server}/containers`
const docker = (...args: string[]) => host.exec('docker', ...args)
const run = (name: string, ...options: string[]) =>
  runContainer(host, { options: ['--name', name, ...options] })

/** A lost connection is detected within 10 s; a busy machine gets more. */
const soon = { timeout: 120_000 }

const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name }) })
const state = (page: Page, name: string, word: string) =>
  row(page, name).locator('[data-tone]').filter({ hasText: word }).waitFor(soon)
async function choose(page: Page, name: string, item: string) {
  await button(page, `Actions for ${name}`).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

afterEach(() => removeContainers(host))

test('shows changes on the server live', async () => {
  const page = await stage.page({ token })
  await page.goto(list)
  await page.getByText('No containers yet').waitFor(soon)
  await run('front', '--publish', '8080:80')
  await state(page, 'front', 'Running')
  await sees(row(page, 'front').getByText('8080 → 80/tcp'))
  await docker('pause', 'front')
  await state(page, 'front', 'Paused')
  await docker('unpause', 'front')
  await docker('stop', 'front')
  await state(page, 'front', 'Exited (0)')
  await docker('rename', 'front', 'back')
  await sees(row(page, 'back'))
  await misses(row(page, 'front'))
  await docker('start', 'back')
  await state(page, 'back', 'Running')
  await docker('rm', '--force', 'back')
  await sees(page.getByText('No containers yet'))
})

test('shows health and Compose project, and supports search, filter and sorting', async () => {
  const label = (name: string, value: string) => ['--label', `com.docker.compose.${name}=${value}`]
  await run('checked', '--health-cmd', 'true', '--health-interval', '1s')
  await run('grouped', ...label('project', 'shop'), ...label('service', 'api'))
  await runContainer(host, { options: ['--name', 'failed'], script: 'exit 3' })
  const page = await stage.page({ token })
  await page.goto(list)
  await state(page, 'checked', 'Healthy')
  await sees(row(page, 'grouped').getByText('shop / api'))
  await state(page, 'failed', 'Exited (3)')

  await field(page, 'Search containers').fill('shop')
  await misses(row(page, 'checked'))
  await sees(row(page, 'grouped'))
  await field(page, 'Search containers').fill('nothing of this')
  await sees(page.getByText('No containers match “nothing of this”'))
  await button(page, 'Clear search').click()

  await page.getByRole('combobox', { name: 'Show' }).click()
  await page.getByRole('option', { name: 'Not running' }).click()
  await misses(row(page, 'checked'))
  await sees(row(page, 'failed'))
  expect(new URL(page.url()).search).toBe('?show=stopped')

  await page.goto(`${list}?sort=-name`)
  await sees(row(page, 'failed'))
  const names = await page.getByRole('table').getByRole('link').allTextContents()
  expect(names.map((name) => name.slice(0, 7))).toEqual(['grouped', 'failed', 'checked'])
})

test('offers every action in the row menu', async () => {
  await run('busy')
  const page = await stage.page({ token })
  await page.goto(list)
  await state(page, 'busy', 'Running')
  await choose(page, 'busy', 'Pause')
  await state(page, 'busy', 'Paused')
  await choose(page, 'busy', 'Unpause')
  await state(page, 'busy', 'Running')
  const before = await startedAt('busy')
  await choose(page, 'busy', 'Restart')
  await expect.poll(() => startedAt('busy'), soon).not.toBe(before)
  await state(page, 'busy', 'Running')
  await choose(page, 'busy', 'Kill…')
  await button(page.getByRole('alertdialog', { name: 'Kill busy?' }), 'Kill container').click()
  await state(page, 'busy', 'Exited (137)')
  await choose(page, 'busy', 'Start')
  await state(page, 'busy', 'Running')
  await choose(page, 'busy', 'Stop')
  await state(page, 'busy', 'Exited (0)')

  await choose(page, 'busy', 'Rename…')
  await field(page.getByRole('dialog', { name: 'Rename busy' }), 'New name').fill('idle')
  await page.keyboard.press('Enter')
  await sees(toast(page, 'Container renamed to idle'))
  await choose(page, 'idle', 'Remove…')
  const question = page.getByRole('alertdialog', { name: 'Remove idle?' })
  await expect.poll(() => question.getByText('killed first').count()).toBe(0)
  await button(question, 'Remove container').click()
  await sees(toast(page, 'Container removed'))
  await misses(question)
  await sees(page.getByText('No containers yet'))
  await isAt(page, list)
})

longTest("shows Docker's refusal, and removes a running container by force", async () => {
  await run('first', '--volume', '/data')
  await run('second')
  const page = await stage.page({ token })
  await page.goto(list)
  await choose(page, 'first', 'Rename…')
  const dialog = page.getByRole('dialog', { name: 'Rename first' })
  await field(dialog, 'New name').fill('?')
  await page.keyboard.press('Enter')
  await sees(dialog.getByText(/^Must have at least two characters/))
  await field(dialog, 'New name').fill('second')
  await page.keyboard.press('Enter')
  await sees(dialog.getByText(/already in use by container "[0-9a-f]{12}"/))
  const toasts = page.getByRole('region', { name: 'Notifications' })
  await expect.poll(() => toasts.getByText(/already in use|Must have/).count()).toBe(0)
  expect(await field(dialog, 'New name').inputValue()).toBe('second')
  await page.keyboard.press('Escape')
  await misses(dialog)

  await choose(page, 'first', 'Remove…')
  const question = page.getByRole('alertdialog', { name: 'Remove first?' })
  await sees(question.getByText('The container is running and will be killed first.'))
  await field(question, 'Also remove anonymous volumes').check()
  await button(question, 'Kill and remove').click()
  await sees(toast(page, 'Container removed'))
  await misses(row(page, 'first'))
  expect(await docker('volume', 'ls', '--quiet')).toBe('')
  await sees(row(page, 'second'))
})

longTest('closes a dialog about a removed container', async () => {
  await run('shared')
  await run('other')
  const page = await stage.page({ token })
  await page.goto(list)
  await choose(page, 'shared', 'Remove…')
  const question = page.getByRole('alertdialog', { name: 'Remove shared?' })
  await sees(question)
  await docker('rm', '--force', 'shared')
  await misses(question)
  await sees(toast(page, 'This container no longer exists.'))
  await isAt(page, list)
  expect(new URL(page.url()).search).toBe('')
  await sees(row(page, 'other'))
})

longTest('lets a viewer see containers without actions', async () => {
  await run('watched')
  const page = await stage.page({ token: team.viewer.token })
  await page.goto(list)
  await state(page, 'watched', 'Running')
  await expect.poll(() => page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0)
  await row(page, 'watched').getByRole('link').click()
  await sees(
    page.getByText('Values may contain secrets. Only members who can operate this container can view them.'),
  )
  for (const name of ['Stop', 'Restart', 'Show values', 'Actions for watched'])
    await expect.poll(() => button(page, name).count()).toBe(0)
  const tabs = page.getByRole('navigation', { name: 'Container', exact: true }).getByRole('link')
  await expect.poll(() => tabs.allTextContents()).toEqual(['Overview', 'Logs'])
  await page.goto(`${page.url()}/terminal`)
  await sees(page.getByText('You do not have access'))
})

longTest('shows no outdated containers of an unreachable server', async () => {
  const id = await run('far')
  const [page, one] = [await stage.page({ token }), await stage.visitor({ token })]
  await page.goto(list)
  await one.goto(`${list}/${id}`)
  await state(page, 'far', 'Running')
  await sees(one.locator('[data-tone]').filter({ hasText: 'Running' }))
  onTestFinished(() => host.plug())
  await host.cut()
  await page.getByText('Could not load containers').waitFor(soon)
  await expect.poll(() => row(page, 'far').count()).toBe(0)
  await one.getByRole('region', { name: 'Status of far is unknown' }).waitFor(soon)
  await sees(one.locator('[data-tone]').filter({ hasText: 'Unknown' }))
  await expect.poll(() => button(one, 'Stop').count()).toBe(0)
  await sees(one.getByText('rig/busybox').first())
  await host.plug()
  await state(page, 'far', 'Running')
  await one.locator('[data-tone]').filter({ hasText: 'Running' }).waitFor(soon)
  await misses(one.getByRole('region', { name: 'Status of far is unknown' }))
  await host.stopDockerd()
  await page.getByText('Could not load containers').waitFor(soon)
  await host.startDockerd()
  await state(page, 'far', 'Exited')
})

const startedAt = (name: string) => docker('inspect', '--format', '{{.State.StartedAt}}', name)
