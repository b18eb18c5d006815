import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import type { Id } from '../../contract/shared/ids.ts'
import { openSettings } from '../../server/areas/notifications/channel-type.ts'
import { makeChannel, startReceiver } from '../support/factories/channels.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, field, heading, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeMessage } from '../worlds/world-alerts.ts'
import { ago, hour, minute } from '../worlds/world-times.ts'

let answers = 200
const receiver = await startReceiver(() => ({ status: answers }))
afterAll(() => receiver.close())
const { url } = receiver

const stage = await openStage({ OUTBOUND_NETWORKS: '127.0.0.0/8' })
const { db } = stage.database
const channels = '/dashboard/notifications/channels'
const table = (page: Page, name: string) => page.getByRole('table', { name })
const says = (page: Page, title: string) => page.getByRole('region', { name: title })

/** Signing secret of messages. */
async function secretOf(id: string): Promise<string | undefined> {
  const rows = db.selectFrom('notifications').select(['id', 'settings_sealed'])
  const row = (await rows.execute()).find((one) => one.id === id)
  return row && openSettings(stage.ctx, row)['secret']
}
const idAt = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

test('adds a channel with errors shown, tests it and lists messages', async () => {
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
  await button(dialog, 'Copy secret').click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(secret)
  await dialog.getByLabel('Deployment failed').check()
  await dialog.getByLabel('Name').fill('Our pager')
  await button(dialog, 'Add channel').click()
  await sees(heading(page, 'Our pager'))
  await sees(page.getByText('Alerts, Deployments (1 of 4), Channels'))

  expect(await secretOf(idAt(page))).toBe(secret)

  await button(page, 'Test').click()
  await sees(says(page, 'Test delivered').getByText(/^HTTP 200/))
  expect(receiver.received.at(-1)).toMatchObject({ title: 'Test message for Our pager', status: 200 })
  answers = 500
  await button(page, 'Test').click()
  await sees(says(page, 'Test failed').getByText(/^HTTP 500/))
  answers = 200
  const rows = table(page, 'Messages').getByRole('row')
  await sees(rows.filter({ hasText: 'Failed' }))
  await rows.filter({ hasText: 'Sent' }).getByRole('link').click()
  await sees(page.getByRole('dialog').getByText('Delivered'))
  await sees(page.getByRole('dialog').getByText(/^HTTP 200/))
})

/** One channel in each state, the first with messages of every kind. */
async function makeChannels(workspace: Id<'workspace'>) {
  const word = 'Averylongnamewithoutasinglespace'.repeat(3)
  const reason = 'HTTP 410: the receiver says that this address is gone.'
  const paused = { name: word, paused_at: ago(12 * minute), reason }
  const id = await makeChannel(stage.ctx, workspace, url, paused)
  const others = [
    { name: 'Operations', failing_since: ago(5 * minute), reason, next_try_at: new Date(Date.now() + hour) },
    { name: 'Night shift', enabled: false },
  ]
  for (const other of others) await makeChannel(stage.ctx, workspace, url, other)
  const response = { at: ago(hour).toISOString(), ok: false, response: word, duration_ms: 1240 }
  await makeMessage(stage.ctx, workspace, id, { title: 'web-1 waits' })
  await makeMessage(stage.ctx, workspace, id, { title: 'web-1 is tried', tries: 1, responses: [response] })
  const failed = { title: word, status: 'failed' as const, tries: 21, responses: [response] }
  const message = await makeMessage(stage.ctx, workspace, id, failed)
  return { path: `/dashboard/notifications/${id}`, message }
}

test('has accessible channel screens that fit every width', async () => {
  const { workspace, admin } = await makeTeam(db)
  const { path, message } = await makeChannels(workspace)
  const dialog = (name: RegExp) => (page: Page) => sees(page.getByRole('dialog', { name }))
  const screens: Screen[] = [
    { name: 'channels', path: channels, shows: (page) => sees(page.getByText('Night shift')) },
    {
      name: 'types of channels',
      long: true,
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
      shows: (page) => sees(button(page, 'Copy secret')),
    },
  ]
  const page = await stage.page({ token: admin.token })
  expect(await faults(page, '/dashboard', screens)).toEqual([])
})
