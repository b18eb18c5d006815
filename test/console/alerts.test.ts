import { expect, test } from 'vitest'
import { sealCause } from '../../server/areas/alerts/incident.ts'
import { nudge } from '../../server/events.ts'
import { newId } from '../../server/platform/ids.ts'
import { makeAlert, makeIncident } from '../support/factories/alert-factories.ts'
import { makeChannel } from '../support/factories/channels.ts'
import { makeMember, makeTeam } from '../support/factories/factories.ts'
import { button, field, isAt, sees } from '../support/console/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import type { ConsolePage } from '../support/console/page.ts'
import { openConsole } from '../support/console/open-console.ts'
import { makeMessage } from '../worlds/world-alerts.ts'
import { ago, hour } from '../worlds/world-times.ts'

// No engine runs, so that incidents stay as shown.
const stage = await openConsole()
const { db } = stage.slipway
const firing = '/dashboard/notifications'
const rows = (page: ConsolePage, table: string) => page.getByRole('table', { name: table }).getByRole('row')
const dialogOf = (page: ConsolePage) => page.getByRole('dialog')

test('shows an incident live with cause and notified channels, and then in the history', async () => {
  const { workspace, member } = await makeTeam(db)
  const { server, incident } = await prepare()
  const page = stage.page({ token: member.token })
  await page.goto(firing)
  await sees(page.getByText('All clear'))
  await sees(page.getByRole('region', { name: 'No notification channels yet' }))
  await begin()
  await page.getByRole('link', { name: /^The memory of web-1 is at 96 %/ }).click()
  await isAt(page, `${firing}?incident=${incident}`)
  const dialog = dialogOf(page)
  await sees(dialog.getByText('96 % (threshold 90 %)'))
  await sees(dialog.getByText('shop-web-1 takes 3.2 GiB'))
  await sees(dialog.getByRole('log').getByText('java.lang.OutOfMemoryError'))
  await sees(dialog.getByText('Alert sent to Pager'))
  await button(dialog, 'Mute').click()
  await page.getByRole('menuitem', { name: 'For 1 hour' }).click()
  await sees(dialog.getByText('Muted until'))
  await dialog.getByRole('link', { name: 'web-1' }).click()
  await isAt(page, `/dashboard/servers/${server}`)

  // A link from a notification opens the incident, from another workspace as well.
  await page.goto(`${firing}?incident=inc_none`)
  await sees(dialog.getByText('Incident not found'))
  const { viewer } = await makeTeam(db)
  await makeMember(db, workspace, viewer, 'viewer')
  const other = stage.page({ token: viewer.token })
  await other.goto(`${firing}?incident=${incident}&workspace=${workspace}`)
  await sees(dialogOf(other).getByText('shop-web-1 takes 3.2 GiB'))
  await isAt(other, `${firing}?incident=${incident}`)
  await expect.poll(() => dialogOf(other).getByRole('button', { name: 'Mute' }).count()).toBe(0)
  await other.keyboard.press('Escape')
  await sees(rows(other, 'Firing').getByText('Muted', { exact: true }))

  await db
    .updateTable('incidents')
    .set({ state: 'resolved', resolved_at: new Date(), resolved_reason: 'The memory of web-1 is at 41 %.' })
    .where('id', '=', incident)
    .execute()
  await nudge(db, workspace, 'incident.changed', incident)
  await sees(other.getByText('All clear'))
  await other.getByRole('link', { name: 'History', exact: true }).click()
  await sees(rows(other, 'History').getByText('The memory of web-1 is at 41 %.'))
  await field(other, 'Search history').fill('nowhere')
  await sees(other.getByText('No incidents match “nowhere”'))
  await field(other, 'Search history').fill('web-1')
  await sees(rows(other, 'History').getByText('1 h', { exact: true }))

  async function prepare() {
    const made = await makeShownServer(db, workspace)
    return { server: made, incident: newId('incident') }
  }

  async function begin() {
    const alert = await makeAlert(db, workspace, { kind: 'memory', name: 'Memory' })
    const cause = {
      facts: [{ label: 'Most of it', value: 'shop-web-1 takes 3.2 GiB' }],
      lines: ['GC overhead', 'java.lang.OutOfMemoryError'],
    }
    await makeIncident(db, workspace, alert, {
      id: incident,
      alert_name: 'Memory',
      kind: 'memory',
      severity: 'critical',
      summary: 'The memory of web-1 is at 96 %.',
      subject_id: server,
      subject_name: 'web-1',
      server_id: server,
      value: 96,
      cause_sealed: sealCause(stage.slipway.ctx, incident, cause),
      began_at: ago(hour),
    })
    const channel = await makeChannel(stage.slipway.ctx, workspace, 'https://hooks.example.com/b', {
      name: 'Pager',
    })
    const status = { status: 'sent' as const, sent_at: new Date(), incident_id: incident }
    await makeMessage(stage.slipway.ctx, workspace, channel, { title: 'Memory', ...status })
    await nudge(db, workspace, 'incident.changed', incident)
    await nudge(db, workspace, 'message.changed', channel)
  }
})

test('closes only the list of a select with Escape', async () => {
  const { owner } = await makeTeam(db)
  const page = stage.page({ token: owner.token })
  await page.goto(`${firing}/alerts?dialog=new-alert`)
  const dialog = dialogOf(page)
  const metric = dialog.getByRole('combobox', { name: 'Metric' })
  await metric.focus()
  await page.keyboard.press('Enter')
  await sees(page.getByRole('listbox'))
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('listbox').count()).toBe(0)
  await sees(metric)
})
