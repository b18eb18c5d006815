import { afterAll, expect, test } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/incidents.ts'
import { newId } from '../../platform/ids.ts'
import { makeAlert, makeIncident } from '../../../test/support/factories/alert-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { eventsOfTarget } from '../../../test/support/clients/events.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { sealCause } from './incident.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, ok, refused } = slipway
const { workspace, member, viewer } = await makeTeam(db)
const { token } = member
const server = await makeServer(ctx, workspace, nowhere(), { name: 'web-1' })
const alert = await makeAlert(db, workspace, { name: 'Busy' })

const list = async (query: Record<string, string> = {}) =>
  (await ok(contract.listIncidents, { token, query })).incidents.map(({ id }) => id)

test('lists incidents newest first, with filters', async () => {
  const over = { state: 'resolved', resolved_at: new Date() } as const
  const first = await makeIncident(db, workspace, alert, { ...over, subject_name: 'cron_1' })
  const second = await makeIncident(db, workspace, alert, { server_id: server, summary: 'The disk is full.' })
  const third = await makeIncident(db, workspace, null, { alert_name: 'Gone', ...over })
  expect(await list()).toEqual([third, second, first])
  expect(await list({ state: 'firing' })).toEqual([second])
  expect(await list({ alert_id: alert })).toEqual([second, first])
  expect(await list({ server_id: server })).toEqual([second])
  expect(await list({ application_id: newId('application') })).toEqual([])
  expect(await list({ q: 'CRON_' })).toEqual([first])
  expect(await list({ q: 'disk is' })).toEqual([second])
  expect(await list({ q: 'gone' })).toEqual([third])
  const page = await ok(contract.listIncidents, { token, query: { limit: '2' } })
  expect(await list({ limit: '2', cursor: page.page.next ?? '' })).toEqual([first])
})

test('returns the cause and the notified channels', async () => {
  const id = newId('incident')
  const cause = { facts: [{ label: 'Container', value: 'db' }], lines: ['fatal: out of memory'] }
  await makeIncident(db, workspace, alert, { id, cause_sealed: sealCause(ctx, id, cause) })
  const notification_id = newId('notification')
  await db
    .insertInto('notifications')
    .values({ id: notification_id, workspace_id: workspace, name: 'Ops', type: 'slack' })
    .execute()
  const message = newId('message')
  const content = { event: 'alert', severity: 'warning', title: 'Busy', content_sealed: '' } as const
  await db
    .insertInto('messages')
    .values({
      id: message,
      workspace_id: workspace,
      notification_id,
      incident_id: id,
      key: 'a',
      kind: 'started',
      ...content,
    })
    .execute()
  const { incident } = await ok(contract.getIncident, { token, params: { id } })
  expect(incident.cause).toEqual(cause)
  const seen = await ok(contract.getIncident, { token: viewer.token, params: { id } })
  expect(seen.incident.cause).toEqual({ facts: cause.facts, lines: [] })
  expect(incident.messages).toEqual([
    {
      id: message,
      notification: { id: notification_id, name: 'Ops', type: 'slack' },
      kind: 'started',
      status: 'waiting',
      created_at: expect.any(String),
      sent_at: null,
    },
  ])
  const stored = await db.selectFrom('incidents').select('cause_sealed').where('id', '=', id).execute()
  expect(JSON.stringify(stored)).not.toContain('fatal')
})

test('mutes and unmutes an open incident', async () => {
  const mute = (id: Id<'incident'>, seconds: number | null) => ({ token, params: { id }, body: { seconds } })
  const id = await makeIncident(db, workspace, alert)
  const { incident } = await ok(contract.muteIncident, mute(id, 3600))
  expect(Math.abs(Date.parse(incident.muted_until ?? '') - Date.now() - 3_600_000)).toBeLessThan(60_000)
  expect((await ok(contract.muteIncident, mute(id, null))).incident.muted_until).toBeNull()
  expect(await eventsOfTarget(db, id)).toEqual([
    ['alert.muted', 'for 1 hour'],
    ['alert.unmuted', null],
  ])
  const over = await makeIncident(db, workspace, alert, { state: 'resolved', resolved_at: new Date() })
  await refused(contract.muteIncident, mute(over, 3600), 409, 'incident_over')
  await refused(contract.muteIncident, mute(id, 59), 422)
  await refused(contract.muteIncident, { ...mute(id, 60), token: viewer.token }, 403)
})

test('does not find an incident of another workspace', async () => {
  const { owner } = await makeTeam(db)
  const id = await makeIncident(db, workspace, alert)
  const theirs = { token: owner.token, params: { id } }
  await refused(contract.getIncident, theirs, 404)
  await refused(contract.muteIncident, { ...theirs, body: { seconds: 60 } }, 404)
  const { page } = await ok(contract.listIncidents, { token: owner.token, query: { alert_id: alert } })
  expect(page.total).toBe(0)
})
