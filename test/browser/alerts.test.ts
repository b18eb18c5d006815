import type { Locator, Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { sealCause } from '../../server/areas/alerts/incident.ts'
import { emit } from '../../server/events.ts'
import { newId } from '../../server/platform/ids.ts'
import { transaction } from '../../server/platform/transaction.ts'
import { makeAlert, makeIncident } from '../support/factories/alert-factories.ts'
import { makeChannel } from '../support/factories/channels.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, field, heading, misses, sees, toast } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'
import { ago, day, minute } from '../worlds/world-times.ts'
import { insertServerSamples } from '../../server/areas/metrics/sample-writer.ts'

// No engine runs, so that incidents stay as shown.
const stage = await openStage({ ROLE: 'web' })
const { db } = stage.database
const firing = '/dashboard/notifications'
const alerts = `${firing}/alerts`
const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).getByRole('row')
const dialogOf = (page: Page) => page.getByRole('dialog')

/** Twenty hours that rise from 20 to 80 %. */
async function measure(workspace_id: Parameters<typeof makeShownServer>[1], name: string) {
  const server_id = await makeShownServer(db, workspace_id, { name, cpus: 2 })
  const samples = Array.from({ length: 240 }, (_, n) => ({
    workspace_id,
    server_id,
    at: ago(n * 5 * minute),
    cpu: 0.8 - n / 400,
    memory_used: 2 * 1024 ** 3,
    memory_total: 8 * 1024 ** 3,
    disk_used: 20 * 1024 ** 3,
    disk_total: 80 * 1024 ** 3,
    network_in: 1,
    network_out: 1,
    load_1: 1,
    load_5: 1,
    load_15: 1,
  }))
  await insertServerSamples(db, samples)
  return server_id
}

/** A select closes when the page scrolls, which may happen late on a busy machine. While open, it covers its field. */
const choose = (page: Page, label: string, option: string) =>
  vi.waitFor(async () => {
    const chosen = page.getByRole('option', { name: option, exact: true })
    if (!(await chosen.isVisible())) await field(page, label).click()
    await chosen.click({ timeout: 2_000 })
  })

/** Vertical position of the threshold line. */
async function lineAt(dialog: Locator): Promise<number> {
  const line = dialog.locator('[data-threshold]')
  await line.waitFor({ state: 'attached' })
  return line.evaluate((element) => element.getBoundingClientRect().top)
}

test('creates an alert with a preview of the last day and errors at their fields', async () => {
  const { workspace, member } = await makeTeam(db)
  await measure(workspace, 'web-1')
  const page = await stage.page({ token: member.token })
  await page.goto(alerts)
  await button(page, 'New alert').first().click()
  const dialog = dialogOf(page)
  await sees(
    dialog.getByText(/^Applies to 1 server\. The alert would not have triggered in the last 24 hours /),
  )
  await sees(dialog.getByText('CPU, last 24 hours'))
  const high = await lineAt(dialog)
  await field(dialog, 'Threshold (%)').fill('50')
  await expect.poll(() => lineAt(dialog)).toBeGreaterThan(high + 20)
  await sees(
    dialog.getByText(
      'Applies to 1 server. The alert would have triggered once in the last 24 hours (5-minute averages).',
    ),
  )

  await field(dialog, 'Threshold (%)').fill('half')
  await button(dialog, 'Create alert').click()
  await sees(dialog.getByText('Must be a number.'))
  await expect.poll(() => field(dialog, 'Threshold (%)').getAttribute('aria-invalid')).toBe('true')
  await field(dialog, 'Threshold (%)').fill('150')
  await button(dialog, 'Create alert').click()
  await sees(dialog.getByText('Must be at most 100 percent.').first())
  await field(dialog, 'Threshold (%)').fill('50')
  await choose(page, 'Scope', 'One server')
  await button(dialog, 'Create alert').click()
  await sees(dialog.getByText('Choose a server.'))
  await choose(page, 'Server', 'web-1')
  // A collapsed section opens when it has an error.
  await dialog.getByText('Advanced').click()
  await field(dialog, 'Cooldown').fill('90')
  await choose(page, 'Unit of cooldown', 'days')
  await dialog.getByText('Advanced').click()
  await button(dialog, 'Create alert').click()
  await sees(dialog.getByText('Must be at most 7 days.').first())
  await field(dialog, 'Cooldown').fill('1')
  await button(dialog, 'Create alert').click()
  await sees(toast(page, 'Alert created'))
  await misses(dialog)
  await sees(rows(page, 'Alerts').getByText('CPU above 50 % for 10 minutes'))
  const made = await db.selectFrom('alerts').selectAll().where('workspace_id', '=', workspace).execute()
  expect(made).toMatchObject([
    { kind: 'cpu', threshold: 50, clear_threshold: 45, scope_kind: 'server', cooldown_seconds: 86_400 },
  ])
})

test('edits, disables, mutes and deletes an alert with live updates', async () => {
  const { workspace, member, viewer } = await makeTeam(db)
  const channel = await makeChannel(stage.ctx, workspace, 'https://hooks.example.com/a', { name: 'On-call' })
  const id = await makeAlert(db, workspace, { kind: 'disk', name: 'Disk nearly full' })
  const [page, other] = [
    await stage.page({ token: member.token }),
    await stage.visitor({ token: viewer.token }),
  ]
  await other.goto(alerts)
  await sees(rows(other, 'Alerts').getByText('Disk above 85 % for 1 minute'))
  await page.goto(alerts)
  await page.getByRole('link', { name: /^Disk nearly full/ }).click()
  const dialog = dialogOf(page)
  await field(dialog, 'Threshold (%)').fill('70')
  await field(dialog, 'For').fill('1.5')
  await dialog.getByLabel('Selected channels').check()
  await dialog.getByLabel('On-call').check()
  await dialog.getByText('Advanced').click()
  await button(dialog, 'Add window').click()
  await button(dialog, 'Monday').click()
  await button(dialog, 'Save').click()
  await sees(toast(page, 'Alert saved'))
  await sees(rows(other, 'Alerts').getByText('Disk above 70 % for 90 seconds'))
  await sees(rows(other, 'Alerts').getByText('1 channel'))
  const saved = await db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(saved).toMatchObject({ threshold: 70, windows: [{ days: [0, 1], from: '02:00', to: '04:00' }] })

  const isOn = (checked: boolean) => page.getByRole('switch', { name: 'Disk nearly full is on', checked })
  await isOn(true).click()
  await sees(rows(other, 'Alerts').getByText('Off', { exact: true }))
  await isOn(false).click()
  await misses(rows(other, 'Alerts').getByText('Off', { exact: true }))
  await button(page, 'Actions for Disk nearly full').click()
  await page.getByRole('menuitem', { name: 'For 1 hour' }).click()
  await sees(toast(page, 'Alert muted for 1 hour'))
  await sees(rows(other, 'Alerts').getByText('ends in 1 hour'))
  await button(page, 'Actions for Disk nearly full').click()
  await page.getByRole('menuitem', { name: 'Unmute' }).click()
  await misses(rows(other, 'Alerts').getByText('Muted'))
  await transaction(db, async (trx) => {
    await trx.deleteFrom('notifications').where('id', '=', channel).execute()
    const gone = { kind: 'notification', id: channel, name: 'On-call' }
    await emit(trx, 'slipway', workspace, 'notification.deleted', gone)
  })
  await sees(rows(other, 'Alerts').getByText('No channels'))

  // A viewer has no actions.
  await expect.poll(() => other.getByRole('switch').count()).toBe(0)
  await expect.poll(() => other.getByRole('button', { name: /^(Actions|New alert|Mute)/ }).count()).toBe(0)
  await button(page, 'Actions for Disk nearly full').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await button(page.getByRole('alertdialog', { name: 'Delete Disk nearly full?' }), 'Delete alert').click()
  await sees(toast(page, 'Alert deleted'))
  await sees(other.getByText('No alerts yet'))
})

test('has accessible alert screens that fit every width', async () => {
  const { workspace, owner } = await makeTeam(db)
  const { token } = owner
  const name = 'Averylongnamewithoutasinglespace'.repeat(4).slice(0, 100)
  for (const server of [name, 'web-1', 'web-2', 'web-3', 'web-4', 'web-5']) await measure(workspace, server)
  await makeChannel(stage.ctx, workspace, 'https://hooks.example.com/c', { name })
  const windows = JSON.stringify([
    { kind: 'weekly', days: [0], from: '22:00', to: '04:00', timezone: 'America/Argentina/Buenos_Aires' },
    { kind: 'once', from: ago(-day).toISOString(), to: ago(-2 * day).toISOString() },
  ])
  const long = await makeAlert(db, workspace, { kind: 'cpu', name, windows, repeat_seconds: 3600 })
  await makeAlert(db, workspace, { kind: 'container_oom', name: 'Out of memory', muted_until: ago(-day) })
  await makeAlert(db, workspace, { kind: 'http_check', name: 'Shop', enabled: false })
  const summary = `The CPU of ${name} is at 97 %.`
  const lines = ['x'.repeat(400), 'a line']
  const id = newId('incident')
  const cause_sealed = sealCause(stage.ctx, id, { facts: [{ label: 'Most of it', value: name }], lines })
  const subject = { alert_name: name, subject_name: name, summary }
  await makeIncident(db, workspace, long, { id, ...subject, cause_sealed })
  await makeIncident(db, workspace, long, {
    state: 'pending',
    summary: 'The CPU of web-1 is at 91 %.',
    fired_at: null,
  })
  await makeIncident(db, workspace, null, {
    ...subject,
    state: 'resolved',
    resolved_at: ago(-minute),
    resolved_reason: summary,
  })
  const drawn = async (page: Page) => {
    await sees(dialogOf(page).getByText(/^Applies to 6 servers\./))
    await dialogOf(page).locator('[data-threshold]').waitFor({ state: 'attached' })
  }
  const screens: Screen[] = [
    { name: 'firing', path: firing, shows: (page) => sees(rows(page, 'Firing').last()) },
    { name: 'alerts', path: alerts, shows: (page) => sees(rows(page, 'Alerts').last()) },
    {
      name: 'history',
      path: `${firing}/history`,
      shows: (page) => sees(rows(page, 'History').last()),
    },
    { name: 'incident', path: `${firing}?incident=${id}`, shows: (page) => sees(heading(page, 'Cause')) },
    {
      name: 'edit alert',
      path: `${alerts}?dialog=edit-${long}`,
      after: (page) => dialogOf(page).getByText('Advanced').click(),
      shows: drawn,
    },
    {
      name: 'open select',
      path: `${alerts}?dialog=new-alert`,
      after: async (page) => {
        await field(page, 'Metric').focus()
        await page.keyboard.press('Enter')
        await page.getByRole('option').first().waitFor()
        await expect.poll(() => page.locator('[role=option]:focus').count()).toBe(1)
        await page.keyboard.type('HTTP', { delay: 20 })
        await page.locator('[role=option]:focus', { hasText: 'HTTP check failing' }).waitFor()
      },
      shows: (page) => sees(page.getByRole('option', { name: 'HTTP check failing' })),
    },
    {
      name: 'new check',
      path: `${alerts}?dialog=new-alert`,
      after: async (page) => {
        await choose(page, 'Metric', 'HTTP check failing')
        await dialogOf(page).getByLabel('Selected channels').check()
      },
      shows: (page) => sees(field(page, 'Expected status codes')),
    },
  ]
  expect(await faults(await stage.page({ token }), firing, screens)).toEqual([])
})
