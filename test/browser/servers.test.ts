import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { takeHost } from '../support/stages/take-host.ts'
import { button, field, goTo, heading, isAt, misses, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'

const host = await takeHost()
const stage = await openStage()
const { db } = stage.database
const team = await makeTeam(db)
const { token } = team.owner
const web = await makeServer(stage.ctx, team.workspace, host, { name: 'web-1', labels: ['web', 'eu'] })
const page1 = `/dashboard/servers/${web}`

/** A lost connection is detected within 10 s; a busy machine gets more. */
const soon = { timeout: 120_000 }

test('shows a lost and restored connection live', async () => {
  const [list, page] = [await stage.visitor({ token }), await stage.visitor({ token })]
  await list.goto('/dashboard/servers')
  await page.goto(page1)
  await sees(badge(list, 'Ready'))
  await sees(page.getByText('Debian GNU/Linux').first())
  await host.cut()
  await badge(list, 'Unreachable').waitFor(soon)
  await sees(page.getByRole('region', { name: 'web-1 is unreachable' }))
  await button(page, 'Retry now').click()
  await host.plug()
  await badge(page, 'Ready').waitFor(soon)
  await sees(badge(list, 'Ready'))
  await misses(page.getByRole('region', { name: 'web-1 is unreachable' }))
})

test('stops everything on a changed host key until it is accepted', async () => {
  const page = await stage.page({ token })
  await page.goto(page1)
  await sees(badge(page, 'Ready'))
  const before = await fingerprint()
  await host.newHostKey()
  await button(page, 'Review host key').waitFor(soon)
  // It is the only way to accept a key.
  await misses(button(page, 'Dismiss'))
  await button(page, 'Review host key').click()
  const question = page.getByRole('alertdialog', { name: 'Accept the new host key of web-1?' })
  for (const print of [before, await fingerprint()]) await sees(question.getByText(print))
  await sees(question.getByText('ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub'))
  await button(question, 'Accept new key').click()
  await misses(question)
  await badge(page, 'Ready').waitFor(soon)
  await isAt(page, page1)
})

test('updates name and labels everywhere', async () => {
  const [page, list] = [await stage.page({ token }), await stage.visitor({ token })]
  await list.goto('/dashboard/servers')
  await page.goto(`${page1}/settings`)
  await field(page, 'Name').fill(' ')
  await page.keyboard.press('Enter')
  await sees(page.getByRole('main').getByText('Fill in this field.'))
  await field(page, 'Name').fill('x'.repeat(101))
  await page.keyboard.press('Enter')
  await sees(page.getByRole('main').getByText('Must have at most 100 characters.'))
  await field(page, 'Name').fill('front')
  await field(page, 'Labels (optional)').fill(' web,front line,, web')
  await page.keyboard.press('Enter')
  await sees(toast(page, 'Changes saved'))
  await expect.poll(() => field(page, 'Labels (optional)').inputValue()).toBe('web, front line')
  await sees(heading(page, 'front'))
  await sees(page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('front'))
  await expect.poll(() => page.title()).toBe('front · Slipway')
  await sees(list.getByRole('row', { name: /^front .*web front line/ }))
})

longTest('shows errors at the field, and the public key', async () => {
  const page = await stage.page({ token })
  await page.goto(`${page1}/settings`)
  await field(page, 'SSH port').fill('70000')
  await page.keyboard.press('Enter')
  await sees(page.getByRole('main').getByText('Must be a port from 1 to 65535.'))
  await field(page, 'HTTPS').fill('80')
  await page.keyboard.press('Enter')
  await sees(page.getByRole('main').getByText('Must differ from the HTTP port.'))
  await button(page, 'Copy the public key').click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(host.keys.publicKey)
  // The copied command gives Slipway access.
  const line = await page.getByText(/authorized_keys/).textContent()
  await host.exec('rm', '-r', '/root/.ssh')
  await host.exec('sh', '-c', line ?? '')
  expect(await host.exec('cat', '/root/.ssh/authorized_keys')).toContain(host.keys.publicKey)
})

longTest('opens a server by keyboard and palette', async () => {
  await makeServer(stage.ctx, team.workspace, host, { name: 'aft', status: 'pending', host_keys: [] })
  const page = await stage.page({ token })
  await page.goto('/dashboard/servers?sort=name')
  await page.getByRole('link', { name: 'aft' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await isAt(page, page1)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('aft')
  await page.getByRole('option', { name: 'aft' }).click()
  await sees(heading(page, 'aft'))
  await page.keyboard.press('Control+k')
  await page.keyboard.type('import')
  await page.getByRole('option', { name: 'Import server' }).click()
  await isAt(page, '/dashboard/import/servers')
})

test('masks addresses until revealed', async () => {
  const page = await stage.page({ token })
  await page.goto(page1)
  await sees(page.getByText('Hidden address'))
  await expect.poll(() => page.getByText(host.address).count()).toBe(0)
  await button(page, 'Show address').click()
  await sees(page.getByText(host.address))
  await button(page, 'Hide address').click()
  await page.evaluate(() => localStorage.setItem('settings', '{"show_ip_addresses":true}'))
  await page.goto('/dashboard/servers')
  await sees(page.getByText(host.address).first())
})

test('lets a viewer see servers without actions', async () => {
  const page = await stage.page({ token: team.viewer.token })
  await page.goto(page1)
  await sees(page.getByText('Operating system'))
  const tabs = page.getByRole('navigation', { name: 'Server' }).getByRole('link')
  await expect.poll(() => tabs.allTextContents()).toEqual(['Overview', 'Containers', 'Images'])
  for (const tab of ['settings', 'commands', 'terminal']) {
    await goTo(page, `${page1}/${tab}`)
    await sees(page.getByText('You do not have access'))
  }
  await goTo(page, '/dashboard/servers')
  await sees(page.getByRole('link', { name: 'front' }))
  await expect.poll(() => page.getByText('Import server').count()).toBe(0)
  await goTo(page, '/dashboard/import/servers')
  await sees(page.getByText('You do not have access'))
})

test('shows a missing server by its ID', async () => {
  const page = await stage.page({ token })
  await page.goto('/dashboard/servers/srv_gone')
  await sees(page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Server srv_gone'))
  await sees(heading(page, 'Server not found'))
  await expect.poll(() => page.title()).toBe('Server srv_gone · Slipway')
})

longTest('keeps showing a server while Slipway is unreachable', async () => {
  const page = await stage.page({ token })
  await page.goto(page1)
  await sees(heading(page, 'front'))
  let failed = 0
  await page.route(`**/v1/servers/${web}`, (route) => {
    failed += 1
    return route.fulfill({ status: 502, body: 'Bad gateway' })
  })
  // Two failed requests count as failure; the third follows 10 seconds later.
  await expect.poll(() => failed).toBeGreaterThan(2)
  await sees(page.getByText('Operating system'))
  await expect.poll(() => page.getByText('Could not load server').count()).toBe(0)
})

test('deletes a server after typing its name, with live updates', async () => {
  const [page, other] = [await stage.page({ token }), await stage.visitor({ token: team.member.token })]
  await other.goto(page1)
  await sees(heading(other, 'front'))
  await page.goto(`${page1}/settings`)
  await button(page, 'Delete server').click()
  const question = page.getByRole('alertdialog', { name: 'Delete front?' })
  await sees(question.getByText('Containers on the machine keep running.'))
  await field(question, 'Type front to confirm').fill('fron')
  await expect.poll(() => button(question, 'Delete server').isDisabled()).toBe(true)
  await field(question, 'Type front to confirm').fill('front')
  await page.keyboard.press('Enter')
  await isAt(page, '/dashboard/servers')
  await sees(toast(page, 'Server deleted'))
  await misses(page.getByRole('link', { name: 'front' }))
  await sees(other.getByText('Server not found'))
})

const badge = (page: Page, word: string) =>
  page.locator('[data-tone]').filter({ hasText: word, visible: true })

async function fingerprint() {
  const said = await host.exec('ssh-keygen', '-lf', '/etc/ssh/ssh_host_ed25519_key.pub')
  return said.split(' ')[1] ?? ''
}
