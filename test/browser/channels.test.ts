import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import type { Id } from '../../contract/ids.ts'
import { openSettings } from '../../server/areas/notifications/settings.ts'
import { nudge } from '../../server/events.ts'
import { makeAlert, makeIncident } from '../support/factories/alert-factories.ts'
import { makeChannel, startReceiver } from '../support/factories/channels.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/screens.ts'
import { button, field, heading, misses, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeMessage } from '../support/browser/world-alerts.ts'
import { ago, hour, minute } from '../support/browser/world-times.ts'

let answers = 200
const receiver = await startReceiver(() => ({ status: answers }))
afterAll(() => receiver.close())
const { url } = receiver

const stage = await openStage({ OUTBOUND_NETWORKS: '127.0.0.0/8' })
const { db } = stage.database
const channels = '/dashboard/notifications/channels'
const table = (page: Page, name: string) => page.getByRole('table', { name })
const says = (page: Page, title: string) => page.getByRole('region', { name: title })

/** What messages are signed with. */
async function secretOf(id: string): Promise<string | undefined> {
  const rows = db.selectFrom('notifications').select(['id', 'settings_sealed'])
  const row = (await rows.execute()).find((one) => one.id === id)
  return row && openSettings(stage.ctx, row)['secret']
}
const idAt = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

test('a channel is added with its mistakes shown, tested, and tells what was sent', async () => {
  const { admin } = await makeTeam(db)
  const page = await stage.page({ token: admin.token })
  await page.goto(channels)
  await button(page, 'Add channel').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Webhook/ }).click()
  await button(dialog, 'Add channel').click()
  await sees(dialog.getByText('Fill in this field.').first())
  await field(dialog, 'URL').fill('gopher://nowhere')
  await field(dialog, 'Secret').fill('short')
  await button(dialog, 'Add channel').click()
  await sees(dialog.getByText(/^Must begin with https/))
  expect(await field(dialog, 'URL').evaluate((one) => one === document.activeElement)).toBe(true)
  await field(dialog, 'URL').fill(url)
  await button(dialog, 'Add channel').click()
  await sees(dialog.getByText('Must have at least 16 characters.'))
  await button(dialog, 'Generate').click()
  const secret = await field(dialog, 'Secret').inputValue()
  await button(dialog, 'Copy the secret').click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await dialog.getByLabel('A deployment failed').check()
  await dialog.getByLabel('Name').fill('Our pager')
  await button(dialog, 'Add channel').click()
  await sees(heading(page, 'Our pager'))
  await sees(page.getByText('Alerts, Deployments (1 of 4), Channels'))

  expect(await secretOf(idAt(page))).toBe(secret)

  await button(page, 'Test').click()
  await sees(says(page, 'The test message was taken').getByText(/^Answered 200/))
  expect(receiver.received.at(-1)).toMatchObject({ title: 'This is a test of Our pager', status: 200 })
  answers = 500
  await button(page, 'Test').click()
  await sees(says(page, 'The test message did not get through').getByText(/^Answered 500/))
  answers = 200
  const rows = table(page, 'Messages').getByRole('row')
  await sees(rows.filter({ hasText: 'Failed' }))
  await rows.filter({ hasText: 'Sent' }).getByRole('link').click()
  await sees(page.getByRole('dialog').getByText('Taken'))
  await sees(page.getByRole('dialog').getByText(/^Answered 200/))
})

test('a paused channel says so everywhere, and what waits is sent once it is taken up again', async () => {
  const { workspace, admin } = await makeTeam(db)
  const reason = 'Answered 410: it is gone.'
  const id = await makeChannel(stage.ctx, workspace, url, { name: 'On-call', paused_at: new Date(), reason })
  await makeMessage(stage.ctx, workspace, id, { title: 'web-1 is not reached' })
  const page = await stage.page({ token: admin.token })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'On-call is paused: nobody is told anything through it.' }).click()
  const banner = says(page, 'On-call is paused, as nothing gets through')
  await sees(banner.getByText(reason))
  await sees(banner.getByText(/^1 message waits\./))
  await button(banner, 'Resume').click()
  await misses(banner)
  await sees(table(page, 'Messages').getByRole('row').filter({ hasText: 'Sent' }))
  expect(receiver.received.filter(({ title }) => title === 'web-1 is not reached')).toHaveLength(1)
})

test('a message that was given up is sent again, and another secret takes the place of the old one', async () => {
  const { workspace, admin } = await makeTeam(db)
  const id = await makeChannel(stage.ctx, workspace, url, { name: 'On-call' })
  const answers = [{ at: new Date().toISOString(), ok: false, answer: 'Answered 400.', took_ms: 12 }]
  const given = { title: 'The disk of web-1 is full', status: 'failed' as const, tries: 1, answers }
  await makeMessage(stage.ctx, workspace, id, given)
  const page = await stage.page({ token: admin.token })
  await page.goto(`/dashboard/notifications/${id}`)
  await page.getByRole('link', { name: 'The disk of web-1 is full' }).click()
  const dialog = page.getByRole('dialog', { name: 'The disk of web-1 is full' })
  await sees(dialog.getByText('Answered 400.'))
  await button(dialog, 'Send again').click()
  await sees(dialog.getByText('Taken', { exact: true }))
  await misses(button(dialog, 'Send again'))
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  expect(await field(page, 'Secret').inputValue()).toBe('')
  await button(page, 'Generate').click()
  const secret = await field(page, 'Secret').inputValue()
  await button(page.locator('form').filter({ hasText: 'Name and settings' }), 'Save').click()
  await sees(toast(page, 'Channel saved.'))
  await page.getByLabel('A deployment started').check()
  await button(page.locator('form').filter({ hasText: 'What it is told of' }), 'Save').click()
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await sees(page.getByText('Alerts, Deployments (1 of 4)'))
  expect(await secretOf(id)).toBe(secret)

  await button(page, 'Actions for On-call').click()
  await page.getByRole('menuitem', { name: 'Switch off' }).click()
  await sees(says(page, 'On-call is switched off'))
  await button(page, 'Actions for On-call').click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await button(page.getByRole('alertdialog'), 'Delete channel').click()
  await sees(page.getByText('No channels yet'))
})

test('types that cannot be loaded leave an empty list, no message, and a page that works', async () => {
  const { workspace, admin } = await makeTeam(db)
  const id = await makeChannel(stage.ctx, workspace, url, { name: 'On-call' })
  const page = await stage.page({ token: admin.token })
  stage.expectError(/500/)
  await page.route('**/v1/notifications/types', (route) => route.fulfill({ status: 500, body: '{}' }))
  await page.goto(`${channels}?dialog=new-channel`)
  await sees(page.getByRole('dialog').getByText('Nothing to choose from'))
  expect(await page.getByRole('list', { name: 'Types of channels' }).getByRole('listitem').count()).toBe(0)
  await page.goto(`/dashboard/notifications/${id}/settings`)
  await field(page, 'Name').fill('On-call, at night')
  await button(page, 'Save').click()
  await sees(heading(page, 'On-call, at night'))
  await button(page, 'Test').click()
  await sees(says(page, 'The test message was taken'))
  await misses(toast(page, 'An unknown error occurred.'))
})

test('who may only look sees channels and their messages, and no button that they may not press', async () => {
  const { workspace, member, viewer } = await makeTeam(db)
  const paused = { name: 'On-call', paused_at: new Date(), reason: 'Answered 410.' }
  const id = await makeChannel(stage.ctx, workspace, url, paused)
  const answers = [{ at: new Date().toISOString(), ok: false, answer: 'Answered 410.', took_ms: 12 }]
  await makeMessage(stage.ctx, workspace, id, { title: 'web-1 is full', status: 'failed', tries: 1, answers })
  for (const { token } of [member, viewer]) {
    const page = await stage.page({ token })
    await page.goto(channels)
    await misses(button(page, 'Add channel'))
    await table(page, 'Channels').getByRole('link', { name: 'On-call' }).click()
    await sees(page.getByText('An admin can take it up again.'))
    await page.getByRole('link', { name: 'web-1 is full' }).click()
    await sees(page.getByRole('dialog').getByText('Not taken'))
    for (const name of ['Send again', 'Resume', 'Test', 'Actions for On-call'])
      expect(await button(page, name).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Settings', exact: true }).count()).toBe(0)
  }
})

test('the sidebar counts what fires as it begins and ends, and the palette leads to channels', async () => {
  const { workspace, viewer } = await makeTeam(db)
  const id = await makeChannel(stage.ctx, workspace, url, { name: 'Harbour master' })
  const page = await stage.page({ token: viewer.token })
  await page.goto('/dashboard')
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Alerts/ })
  await sees(link)
  await misses(link.getByText(', 1 firing'))
  const sentence = 'web-1 uses 97 % of its memory.'
  const incident = await makeIncident(db, workspace, await makeAlert(db, workspace), { says: sentence })
  await nudge(db, workspace, 'incident.changed', incident)
  await sees(link.getByText(', 1 firing'))
  await sees(page.getByRole('link', { name: sentence }))
  await db
    .updateTable('incidents')
    .set({ state: 'resolved', resolved_at: new Date() })
    .where('id', '=', incident)
    .execute()
  await nudge(db, workspace, 'incident.changed', incident)
  await misses(link.getByText(', 1 firing'))
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search or jump to…').fill('harbour m')
  await page.getByRole('option', { name: 'Harbour master' }).click()
  await page.waitForURL(`**/dashboard/notifications/${id}`)
})

/** One in each state, the first with messages of every kind. */
async function makeChannels(workspace: Id<'workspace'>) {
  const word = 'Averylongnamewithoutasinglespace'.repeat(3)
  const reason = 'Answered 410: the receiver says that this address is gone.'
  const paused = { name: word, paused_at: ago(12 * minute), reason }
  const id = await makeChannel(stage.ctx, workspace, url, paused)
  const others = [
    { name: 'Operations', failing_since: ago(5 * minute), reason, next_try_at: new Date(Date.now() + hour) },
    { name: 'Night shift', enabled: false },
  ]
  for (const other of others) await makeChannel(stage.ctx, workspace, url, other)
  const answer = { at: ago(hour).toISOString(), ok: false, answer: word, took_ms: 1240 }
  await makeMessage(stage.ctx, workspace, id, { title: 'web-1 waits' })
  await makeMessage(stage.ctx, workspace, id, { title: 'web-1 is tried', tries: 1, answers: [answer] })
  const failed = { title: word, status: 'failed' as const, tries: 21, answers: [answer] }
  const message = await makeMessage(stage.ctx, workspace, id, failed)
  return { path: `/dashboard/notifications/${id}`, message }
}

test('axe finds nothing wrong with them, and they fit every screen', async () => {
  const { workspace, admin } = await makeTeam(db)
  const { path, message } = await makeChannels(workspace)
  const dialog = (name: RegExp) => (page: Page) => sees(page.getByRole('dialog', { name }))
  const screens: Screen[] = [
    { name: 'channels', path: channels, shows: (page) => sees(page.getByText('Night shift')) },
    {
      name: 'types of channels',
      path: `${channels}?dialog=new-channel`,
      shows: (page) => sees(page.getByRole('button', { name: /^Slack/ })),
    },
    {
      name: 'new channel with errors',
      path: `${channels}?dialog=new-channel-webhook`,
      after: (page) => button(page.getByRole('dialog'), 'Add channel').click(),
      shows: dialog(/^New channel: Webhook/),
    },
    { name: 'channel', path, shows: (page) => sees(page.getByText('web-1 waits')) },
    { name: 'message', path: `${path}?dialog=${message}`, shows: dialog(/^Averylong/) },
    {
      name: 'channel settings',
      path: `${path}/settings`,
      after: (page) => button(page, 'Generate').click(),
      shows: (page) => sees(button(page, 'Copy the secret')),
    },
  ]
  const page = await stage.page({ token: admin.token })
  expect(await faults(page, '/dashboard', screens)).toEqual([])
}, 120_000)
