import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { removeContainers, runContainer } from '../support/stages/containers.ts'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { takeHost } from '../support/stages/take-host.ts'
import { faults } from '../support/browser/faults.ts'
import { button, field, heading, isAt, misses, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'

const host = await takeHost()
const stage = await openStage()
const { db } = stage.database
const team = await makeTeam(db)
const { token } = team.admin
const server = await makeServer(stage.ctx, team.workspace, host, { name: 'web-1' })
const list = `/dashboard/servers/${server}/containers`
const docker = (...args: string[]) => host.exec('docker', ...args)

/** Creates a container and opens its page. */
async function open(name: string, options: string[] = [], script?: string) {
  const id = await runContainer(host, {
    options: ['--name', name, ...options],
    ...(script ? { script } : {}),
  })
  const page = await stage.page({ token })
  await page.goto(`${list}/${id}`)
  await heading(page, name).waitFor(soon)
  return { id, page, path: `${list}/${id}` }
}

const soon = { timeout: 120_000 }

const words = (text: string) => text.split(' ')
const badge = (page: Page, word: string) =>
  page.locator('[data-tone]').filter({ hasText: word }).waitFor(soon)
const fact = (page: Page, term: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${term}$`) })
    .locator('xpath=following-sibling::*[1]')

afterEach(() => removeContainers(host))

longTest('operates a container by buttons and menu', async () => {
  const { page } = await open('front')
  await badge(page, 'Running')
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect
    .poll(() => crumbs.getByRole('listitem').allTextContents())
    .toEqual(['Servers', 'web-1', 'front'])
  await expect.poll(() => page.title()).toBe('front · Slipway')
  await button(page, 'Stop').click()
  await badge(page, 'Exited (0)')
  await button(page, 'Start').click()
  await badge(page, 'Running')
  await button(page, 'Actions for front').click()
  await expect
    .poll(() => page.getByRole('menuitem').allTextContents())
    .toEqual(['Pause', 'Kill…', 'Rename…', 'Remove…'])
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await badge(page, 'Paused')
  await button(page, 'Unpause').click()
  await badge(page, 'Running')

  await button(page, 'Actions for front').click()
  await page.getByRole('menuitem', { name: 'Rename…' }).click()
  await field(page, 'New name').fill('back')
  await page.keyboard.press('Enter')
  await sees(heading(page, 'back'))
  await button(page, 'Actions for back').click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  await button(page, 'Kill and remove').click()
  await isAt(page, list)
  await sees(toast(page, 'Container removed'))
  await misses(page.getByRole('link', { name: 'back' }))
})

longTest('shows a slow stop here and in the list', async () => {
  const stubborn = 'trap "" TERM; while :; do sleep 1; done'
  const { page } = await open('stubborn', ['--stop-timeout', '50'], stubborn)
  const other = await stage.visitor({ token })
  await other.goto(list)
  await button(page, 'Stop').click()
  await sees(button(page, 'Stopping…'))
  await page.getByRole('link', { name: 'web-1' }).click()
  await sees(page.getByRole('row').filter({ hasText: 'Stopping…' }))
  await docker('kill', 'stubborn')
  await badge(page, 'Exited (137)')
  await badge(other, 'Exited (137)')
})

test('shows details, and environment values only on request', async () => {
  const { page, id } = await open('facts', [
    ...words(
      '--env PASSWORD=s3cret --env PORT=80 --label com.example.team=harbour --workdir /srv --user 1000',
    ),
    ...words('--restart unless-stopped --publish 127.0.0.1:8080:80 --volume data:/var/data:ro'),
    ...words('--hostname facts.example'),
  ])
  await sees(fact(page, 'Image').getByText('rig/busybox'))
  await sees(fact(page, 'Container ID').getByText(id.slice(0, 12)))
  await sees(fact(page, 'Command').getByText(/^sh -c 'trap/))
  await sees(fact(page, 'Working directory').getByText('/srv'))
  await sees(fact(page, 'User').getByText('1000'))
  await sees(fact(page, 'Restart policy').getByText('Unless stopped'))
  await sees(fact(page, 'Ports').getByText('127.0.0.1:8080 → 80/tcp'))
  await sees(fact(page, 'Hostname').getByText('facts.example'))
  await sees(page.getByText('Volume data, read-only'))
  await sees(page.getByText('com.example.team'))
  await button(page, 'Copy container ID').click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(id)

  expect(await page.content()).not.toContain('s3cret')
  const before = await readings()
  await button(page, 'Show values').click()
  await sees(fact(page, 'PASSWORD').getByText('s3cret'))
  await button(page, 'Hide values').click()
  await misses(page.getByText('s3cret'))
  // Requested once: updates do not request it again.
  await docker('pause', 'facts')
  await badge(page, 'Paused')
  expect(await readings()).toBe(before + 1)
})

longTest('shows why a container is not running', async () => {
  const { page } = await open('crashed', [], 'exit 3')
  await sees(page.getByRole('region', { name: 'crashed exited with code 3' }))
  await sees(fact(page, 'Exit code').getByText('3'))
  await docker('create', '--name', 'wrong', 'rig/busybox', 'no-such-program')
  await docker('start', 'wrong').catch(() => undefined)
  await page.goto(list)
  await page.getByRole('link', { name: 'wrong' }).click()
  await sees(page.getByRole('region', { name: 'Could not start wrong' }).getByText('no-such-program'))
})

longTest('shows the last health check output while unhealthy', async () => {
  const check = ['--health-cmd', 'echo no answer; exit 1', '--health-interval', '1s', '--health-retries', '1']
  const { page } = await open('ill', check)
  const notice = page.getByRole('region', { name: 'ill is unhealthy' })
  await notice.waitFor(soon)
  await sees(notice.getByText('no answer'))
})

longTest('confirms before stopping a container that is removed on stop', async () => {
  const { page, path } = await open('brief', ['--rm'])
  const removed = page.getByRole('region', { name: 'brief was removed' })
  // The page has received the event before the response.
  await page.route('**/action', async (route) => {
    const response = await route.fetch()
    await removed.waitFor(soon).catch(() => {})
    await route.fulfill({ response }).catch(() => {})
  })
  await button(page, 'Stop').click()
  const question = page.getByRole('alertdialog', { name: 'Stop and remove brief?' })
  await sees(question.getByText('Docker removes it when it stops'))
  await button(question, 'Cancel').click()
  await misses(question)
  await badge(page, 'Running')
  await button(page, 'Stop').click()
  await button(question, 'Stop and remove').click()
  await sees(page.getByText('Container stopped and removed'))
  await misses(question)
  await isAt(page, path)
  await removed.waitFor(soon)
  await expect.poll(() => page.getByText('no longer exists').count()).toBe(0)
})

longTest('keeps showing a removed container with a notice', async () => {
  const { page, path } = await open('fleeting')
  await page
    .getByRole('navigation', { name: 'Container', exact: true })
    .getByRole('link', { name: 'Logs' })
    .click()
  await isAt(page, `${path}/logs`)
  await docker('rm', '--force', 'fleeting')
  await page.getByRole('region', { name: 'fleeting was removed' }).waitFor(soon)
  await badge(page, 'Removed')
  await isAt(page, `${path}/logs`)
  await expect.poll(() => button(page, 'Stop').count()).toBe(0)
  await page.getByRole('link', { name: 'Overview' }).click()
  await sees(fact(page, 'Image').getByText('rig/busybox'))
  await expect.poll(() => button(page, 'Show values').count()).toBe(0)
  // Opening the page later shows only a link back.
  const late = await stage.visitor({ token })
  await late.goto(path)
  await sees(late.getByText('Container not found'))
  await late.getByRole('link', { name: 'All containers' }).click()
  await isAt(late, list)
})

test('has an accessible page that fits every width', async () => {
  const many = Array.from({ length: 9 }, (_, n) => [
    '--label',
    `example.${'long'.repeat(9)}.${n}=${'x'.repeat(90)}`,
  ])
  const { page, path } = await open('looked-at', [
    ...many.flat(),
    ...words(`--env TOKEN_${'A'.repeat(60)}=${'b'.repeat(200)} --publish 8080:80 --volume /data`),
  ])
  const shows = () => sees(page.getByText('Environment'))
  expect(
    await faults(page, path, [
      { name: 'container', path, shows },
      { name: 'labels', path, shows, after: (opened) => opened.getByText('9 labels').click() },
      { name: 'values', path, shows, after: (opened) => button(opened, 'Show values').click() },
      {
        name: 'gone',
        long: true,
        path: `${list}/nothing`,
        shows: (at) => sees(at.getByText('Container not found')),
      },
    ]),
  ).toEqual([])
})

const readings = async () =>
  (await db.selectFrom('events').select('id').where('type', '=', 'container.environment_read').execute())
    .length
