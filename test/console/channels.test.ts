import { afterAll, expect, test } from 'vitest'
import { openSettings } from '../../server/areas/notifications/channel-type.ts'
import { nudge } from '../../server/events.ts'
import { makeAlert, makeIncident } from '../support/factories/alert-factories.ts'
import { makeChannel, startReceiver } from '../support/factories/channels.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { isAt, button, field, heading, misses, sees, toast } from '../support/console/see.ts'
import type { ConsolePage } from '../support/console/page.ts'
import { openConsole } from '../support/console/open-console.ts'
import { makeMessage } from '../worlds/world-alerts.ts'

let answers = 200
const receiver = await startReceiver(() => ({ status: answers }))
afterAll(() => receiver.close())
const { url } = receiver

const stage = await openConsole({ OUTBOUND_NETWORKS: '127.0.0.0/8' })
stage.slipway.work()
const { db } = stage.slipway
const channels = '/dashboard/notifications/channels'
const table = (page: ConsolePage, name: string) => page.getByRole('table', { name })
const says = (page: ConsolePage, title: string) => page.getByRole('region', { name: title })

/** Signing secret of messages. */
async function secretOf(id: string): Promise<string | undefined> {
  const rows = db.selectFrom('notifications').select(['id', 'settings_sealed'])
  const row = (await rows.execute()).find((one) => one.id === id)
  return row && openSettings(stage.slipway.ctx, row)['secret']
}

test('shows a paused channel everywhere and sends the queue after it is resumed', async () => {
  const { workspace, admin } = await makeTeam(db)
  const reason = 'HTTP 410: it is gone.'
  const id = await makeChannel(stage.slipway.ctx, workspace, url, {
    name: 'On-call',
    paused_at: new Date(),
    reason,
  })
  await makeMessage(stage.slipway.ctx, workspace, id, { title: 'web-1 is not reached' })
  const page = stage.page({ token: admin.token })
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'The channel On-call is paused after repeated failures.' }).click()
  const banner = says(page, 'On-call is paused after repeated failures')
  await sees(banner.getByText(reason))
  await sees(banner.getByText(/^1 message queued\./))
  await button(banner, 'Resume').click()
  await misses(banner)
  await sees(table(page, 'Messages').getByRole('row').filter({ hasText: 'Sent' }))
  expect(receiver.received.filter(({ title }) => title === 'web-1 is not reached')).toHaveLength(1)
})

test('resends a failed message and replaces a secret', async () => {
  const { workspace, admin } = await makeTeam(db)
  const id = await makeChannel(stage.slipway.ctx, workspace, url, { name: 'On-call' })
  const responses = [{ at: new Date().toISOString(), ok: false, response: 'HTTP 400.', duration_ms: 12 }]
  const given = { title: 'The disk of web-1 is full', status: 'failed' as const, tries: 1, responses }
  await makeMessage(stage.slipway.ctx, workspace, id, given)
  const page = stage.page({ token: admin.token })
  await page.goto(`/dashboard/notifications/${id}`)
  await page.getByRole('link', { name: 'The disk of web-1 is full' }).click()
  const dialog = page.getByRole('dialog', { name: 'The disk of web-1 is full' })
  await sees(dialog.getByText('HTTP 400.'))
  await button(dialog, 'Resend').click()
  await sees(dialog.getByText('Delivered', { exact: true }))
  await misses(button(dialog, 'Resend'))
  await page.keyboard.press('Escape')

  await page.getByRole('navigation', { name: 'Channel' }).getByRole('link', { name: 'Settings' }).click()
  await expect.poll(() => field(page, 'Secret').inputValue()).toBe('')
  await button(page, 'Generate').click()
  const secret = await field(page, 'Secret').inputValue()
  await page.getByLabel('Deployment started').check()
  await sees(page.getByText('2 unsaved changes'))
  await button(page, 'Save').click()
  await sees(toast(page, 'Changes saved'))
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await sees(page.getByText('Alerts, Deployments (1 of 4)'))
  expect(await secretOf(id)).toBe(secret)

  await button(page, 'Actions for On-call').click()
  await page.getByRole('menuitem', { name: 'Turn off' }).click()
  await sees(says(page, 'On-call is off'))
  await button(page, 'Actions for On-call').click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await button(page.getByRole('alertdialog'), 'Delete channel').click()
  await sees(page.getByText('No channels yet'))
})

test('offers the firing incidents when a channel is added or turned on, and sends them once', async () => {
  const { workspace, admin } = await makeTeam(db)
  const summary = 'web-1 uses 97 % of its CPU.'
  const alert = await makeAlert(db, workspace)
  await makeIncident(db, workspace, alert, { summary, subject_name: 'web-1' })
  const page = stage.page({ token: admin.token })
  await page.goto(`${channels}?dialog=new-channel-webhook`)
  const dialog = page.getByRole('dialog')
  await field(dialog, 'URL').fill(url)
  await button(dialog, 'Generate').click()
  await dialog.getByLabel('Name').fill('Pager')
  await button(dialog, 'Add channel').click()
  const offer = says(page, '1 firing incident not sent to Pager')
  await button(offer, 'Not now').click()
  await misses(offer)
  for (const item of ['Turn off', 'Turn on']) {
    await button(page, 'Actions for Pager').click()
    await page.getByRole('menuitem', { name: item }).click()
    await (item === 'Turn off' ? sees : misses)(says(page, 'Pager is off'))
  }
  await button(offer, 'Send 1 firing incident now').click()
  await sees(toast(page, '1 message queued'))
  await misses(offer)
  await sees(
    table(page, 'Messages').getByRole('row').filter({ hasText: 'web-1' }).filter({ hasText: 'Sent' }),
  )
})

test('keeps the page working when types cannot be loaded', async () => {
  const { workspace, admin } = await makeTeam(db)
  const id = await makeChannel(stage.slipway.ctx, workspace, url, { name: 'On-call' })
  const page = stage.page({ token: admin.token })
  page.intercept(/notifications\/types/, 500, '{}')
  await page.goto(`${channels}?dialog=new-channel`)
  await sees(page.getByRole('dialog').getByText('No channel types available'))
  await expect
    .poll(() => page.getByRole('list', { name: 'Channel types' }).getByRole('listitem').count())
    .toBe(0)
  await page.goto(`/dashboard/notifications/${id}/settings`)
  await field(page, 'Name').fill('On-call, at night')
  await button(page, 'Save').click()
  await sees(heading(page, 'On-call, at night'))
  await button(page, 'Test').click()
  await sees(says(page, 'Test delivered'))
  await misses(toast(page, 'An unknown error occurred.'))
})

test('lets viewers see channels and messages without actions', async () => {
  const { workspace, member, viewer } = await makeTeam(db)
  const paused = { name: 'On-call', paused_at: new Date(), reason: 'HTTP 410.' }
  const id = await makeChannel(stage.slipway.ctx, workspace, url, paused)
  const responses = [{ at: new Date().toISOString(), ok: false, response: 'HTTP 410.', duration_ms: 12 }]
  await makeMessage(stage.slipway.ctx, workspace, id, {
    title: 'web-1 is full',
    status: 'failed',
    tries: 1,
    responses,
  })
  for (const { token } of [member, viewer]) {
    const page = stage.page({ token })
    await page.goto(channels)
    await misses(button(page, 'Add channel'))
    await table(page, 'Channels').getByRole('link', { name: 'On-call' }).click()
    await sees(page.getByText('Ask a workspace admin to resume the channel.'))
    await page.getByRole('link', { name: 'web-1 is full' }).click()
    await sees(page.getByRole('dialog').getByRole('list').getByText('Failed'))
    for (const name of ['Resend', 'Resume', 'Test', 'Actions for On-call'])
      await expect.poll(() => button(page, name).count()).toBe(0)
    await expect
      .poll(() =>
        page.getByRole('navigation', { name: 'Channel' }).getByRole('link', { name: 'Settings' }).count(),
      )
      .toBe(0)
  }
})

test('counts firing incidents in the sidebar, and links channels in the palette', async () => {
  const { workspace, viewer } = await makeTeam(db)
  const id = await makeChannel(stage.slipway.ctx, workspace, url, { name: 'Harbour master' })
  const page = stage.page({ token: viewer.token })
  await page.goto('/dashboard')
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Alerts/ })
  await sees(link)
  await misses(link.getByText(', 1 firing'))
  const sentence = 'web-1 uses 97 % of its memory.'
  const incident = await makeIncident(db, workspace, await makeAlert(db, workspace), { summary: sentence })
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
  await page.getByRole('option', { name: 'Harbour master', exact: true }).click()
  await isAt(page, `/dashboard/notifications/${id}`)
})

test('lists the notification types on the Alerts screen, and shows a generated secret once', async () => {
  const { admin } = await makeTeam(db)
  const page = stage.page({ token: admin.token })
  await page.goto(channels)
  const types = page.getByRole('list', { name: 'Channel types' })
  await sees(types.getByRole('button', { name: /^Slack/ }))
  await types.getByRole('button', { name: /^Webhook/ }).click()
  const secret = field(page, 'Secret')
  await expect.poll(() => secret.getAttribute('type')).toBe('password')
  await button(page, 'Generate').click()
  await sees(page.getByText('Copy the secret now. It is shown only once.'))
  expect(await secret.getAttribute('type')).not.toBe('password')
  await button(page, 'Copy secret').click()
  await sees(toast(page, 'Copied to clipboard'))
  expect(await page.copied()).toBe(await secret.inputValue())
})
