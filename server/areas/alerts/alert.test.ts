import { afterAll, describe, expect, test } from 'vitest'
import * as contract from '../../../contract/alerts.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { getIncident, listIncidents } from '../../../contract/incidents.ts'
import { newId } from '../../platform/ids.ts'
import { makeAlert, makeIncident } from '../../../test/support/factories/alert-factories.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { eventsOf, eventsOfTarget } from '../../../test/support/clients/events.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, ok, refused } = slipway
const { workspace, member, viewer } = await makeTeam(db)
const { token } = member

const makeChannel = async (workspace_id = workspace) => {
  const id = newId('notification')
  await db.insertInto('notifications').values({ id, workspace_id, name: 'Ops', type: 'email' }).execute()
  return id
}
const create = async (body: object) => (await ok(contract.createAlert, { token, body })).alert
const update = async (id: Id<'alert'>, body: object) =>
  (await ok(contract.updateAlert, { token, params: { id }, body })).alert
const get = async (id: Id<'alert'>) => (await ok(contract.getAlert, { token, params: { id } })).alert

test('creates an alert with the defaults of its kind, lists, changes and deletes it', async () => {
  const alert = await create({ kind: 'memory', name: ' Memory of all ' })
  expect(alert).toMatchObject({
    name: 'Memory of all',
    kind: 'memory',
    enabled: true,
    severity: 'warning',
    state: 'ok',
    firing: 0,
    comparison: 'above',
    threshold: 90,
    clear_threshold: 85,
    for_seconds: 300,
    clear_seconds: 60,
    window_seconds: null,
    cooldown_seconds: 900,
    repeat_seconds: null,
    check: null,
    scope: { kind: 'all', id: null, name: null, container: null },
    channels: null,
    muted_until: null,
    windows: [],
    quiet_until: null,
  })
  const { alerts } = await ok(contract.listAlerts, { token, query: { q: 'OF al' } })
  expect(alerts).toEqual([alert])
  const changed = await update(alert.id, { threshold: 95, severity: 'critical', repeat_seconds: 3600 })
  expect(changed).toEqual({
    ...alert,
    threshold: 95,
    clear_threshold: 90,
    severity: 'critical',
    repeat_seconds: 3600,
    updated_at: changed.updated_at,
  })
  // A change without effect writes no event.
  expect(await update(alert.id, { threshold: 95, name: 'Memory of all' })).toEqual(changed)
  await ok(contract.deleteAlert, { token, params: { id: alert.id } })
  await refused(contract.getAlert, { token, params: { id: alert.id } }, 404)
  const types = (await eventsOfTarget(db, alert.id)).map(([type]) => type)
  expect(types).toEqual(['alert.created', 'alert.updated', 'alert.deleted'])
})

test('has defaults for each kind', async () => {
  expect(await create({ kind: 'container_restarting', name: 'r' })).toMatchObject({
    threshold: 2,
    clear_threshold: null,
    window_seconds: 600,
    clear_seconds: 0,
  })
  expect(await create({ kind: 'deployment_failed', name: 'd' })).toMatchObject({
    comparison: null,
    threshold: null,
    cooldown_seconds: 0,
  })
  expect(await create({ kind: 'http_check', name: 'h', check: { path: '/health' } })).toMatchObject({
    severity: 'critical',
    check: { path: '/health', status: '2xx, 3xx', latency_ms: null, contains: '', every_seconds: 30 },
  })
  // The default clear threshold lies beyond the given threshold.
  expect(await create({ kind: 'cpu', name: 'c', comparison: 'below', threshold: 20 })).toMatchObject({
    clear_threshold: 22,
  })
})

test('moves the default clear threshold with the threshold', async () => {
  const { id } = await create({ kind: 'memory', name: 'm' })
  expect(await update(id, { threshold: 80 })).toMatchObject({ threshold: 80, clear_threshold: 75 })
  expect(await update(id, { comparison: 'below', threshold: 20 })).toMatchObject({ clear_threshold: 22 })
  await update(id, { comparison: 'above', threshold: 80, clear_threshold: 60 })
  // A chosen clear threshold stays as long as it is valid.
  expect(await update(id, { threshold: 70 })).toMatchObject({ clear_threshold: 60 })
  expect(await update(id, { threshold: 50 })).toMatchObject({ clear_threshold: 45 })
  await update(id, { clear_threshold: null })
  expect(await update(id, { threshold: 90 })).toMatchObject({ clear_threshold: null })
})

test('is limited to a scope and shows its name while it exists', async () => {
  const server = await makeServer(ctx, workspace, nowhere(), { name: 'web-1' })
  const shop = await makeApplication(db, workspace, server, { name: 'Shop' })
  const container = { kind: 'container', id: server, container: 'db' }
  const { id, scope } = await create({ kind: 'container_stopped', name: 'Database', scope: container })
  expect(scope).toEqual({ ...container, name: 'web-1' })
  expect((await update(id, { scope: { kind: 'application', id: shop } })).scope).toEqual({
    kind: 'application',
    id: shop,
    name: 'Shop',
    container: null,
  })
  await db.deleteFrom('applications').where('id', '=', shop).execute()
  expect((await get(id)).scope).toMatchObject({ id: shop, name: null })
  // The alert can still be changed with the complete form, but not be limited to another subject that does not exist.
  const all = { enabled: false, scope: { kind: 'application', id: shop } }
  expect(await update(id, all)).toMatchObject({ enabled: false, scope: { id: shop } })
  const body = { scope: { kind: 'application', id: `${shop}x` } }
  await refused(contract.updateAlert, { token, params: { id }, body }, 422)
})

test('notifies chosen channels, or all', async () => {
  const [one, two] = [await makeChannel(), await makeChannel()]
  const { id, channels } = await create({ kind: 'disk', name: 'Disk', channels: [two, one, two] })
  expect(channels).toEqual([one, two].toSorted())
  expect((await update(id, { name: 'Disks' })).channels).toEqual([one, two].toSorted())
  expect((await update(id, { channels: [one] })).channels).toEqual([one])
  expect((await update(id, { channels: [] })).channels).toEqual([])
  expect((await update(id, { channels: null })).channels).toBeNull()
  expect(await db.selectFrom('alert_channels').selectAll().where('alert_id', '=', id).execute()).toEqual([])
})

test('does not find a channel of another workspace', async () => {
  const { workspace: elsewhere } = await makeTeam(db)
  const theirs = await makeChannel(elsewhere)
  const id = await makeAlert(db, workspace)
  for (const channels of [[theirs], [await makeChannel(), theirs], [newId('notification')]]) {
    const made = await refused(
      contract.createAlert,
      { token, body: { kind: 'cpu', name: 'x', channels } },
      422,
    )
    const changed = await refused(contract.updateAlert, { token, params: { id }, body: { channels } }, 422)
    for (const { body } of [made, changed])
      expect(body).toEqual({
        errors: { channels: ['One of these channels does not exist in this workspace.'] },
      })
  }
  expect((await get(id)).channels).toBeNull()
})

describe('the state of an alert', () => {
  test('is that of its worst incident, muted during a mute, and off when disabled', async () => {
    const id = await makeAlert(db, workspace)
    const pending = { state: 'pending', fired_at: null, notification_count: 0 } as const
    await makeIncident(db, workspace, id, { state: 'resolved', resolved_at: new Date() })
    expect(await get(id)).toMatchObject({ state: 'ok', firing: 0 })
    await makeIncident(db, workspace, id, pending)
    expect(await get(id)).toMatchObject({ state: 'pending', firing: 0 })
    await makeIncident(db, workspace, id)
    await makeIncident(db, workspace, id)
    expect(await get(id)).toMatchObject({ state: 'firing', firing: 2 })
    const mute = async (seconds: number | null) =>
      (await ok(contract.muteAlert, { token, params: { id }, body: { seconds } })).alert
    const asked = Date.now()
    const muted = await mute(3600)
    expect(muted).toMatchObject({ state: 'muted', firing: 2, quiet_until: muted.muted_until })
    expect(Math.abs(Date.parse(muted.muted_until ?? '') - asked - 3_600_000)).toBeLessThan(60_000)
    expect(await mute(null)).toMatchObject({ state: 'firing', muted_until: null, quiet_until: null })
    await mute(null)
    expect(await eventsOfTarget(db, id)).toEqual([
      ['alert.muted', 'for 1 hour'],
      ['alert.unmuted', null],
    ])
    const to = new Date(Date.now() + 3_600_000).toISOString()
    const windows = [{ kind: 'once', from: new Date(0).toISOString(), to }]
    expect(await update(id, { windows })).toMatchObject({
      state: 'muted',
      muted_until: null,
      quiet_until: to,
    })
    expect(await update(id, { enabled: false })).toMatchObject({ state: 'off', enabled: false, firing: 2 })
  })
})

test('deleting an alert resolves its incidents, notifies the channels that were notified, and keeps the history', async () => {
  const { workspace: own, member: outsider } = await makeTeam(db)
  const id = await makeAlert(db, own, { name: 'Busy' })
  const pending = await makeIncident(db, own, id, { state: 'pending', fired_at: null, notification_count: 0 })
  const firing = await makeIncident(db, own, id)
  const untold = await makeIncident(db, own, id, { notification_count: 0, notified_at: null })
  const past = await makeIncident(db, own, id, { state: 'resolved', resolved_at: new Date() })
  await ok(contract.deleteAlert, { token: outsider.token, params: { id } })
  const { incidents } = await ok(listIncidents, { token: outsider.token })
  expect(incidents.map((one) => [one.id, one.state, one.alert_id])).toEqual([
    [past, 'resolved', null],
    [untold, 'resolved', null],
    [firing, 'resolved', null],
  ])
  expect(incidents[2]).toMatchObject({ resolved_reason: 'The alert was deleted.' })
  expect(await eventsOfTarget(db, firing)).toEqual([['alert.resolved', 'The alert was deleted.']])
  expect((await eventsOf(db, own)).toSorted()).toEqual(['alert.deleted', 'alert.resolved'])
  await refused(getIncident, { token: outsider.token, params: { id: pending } }, 404)
})

test('lets a viewer read but not change alerts', async () => {
  const id = await makeAlert(db, workspace)
  const at = { token: viewer.token, params: { id } }
  await ok(contract.getAlert, at)
  await refused(contract.updateAlert, { ...at, body: { name: 'x' } }, 403)
  await refused(contract.muteAlert, { ...at, body: { seconds: 60 } }, 403)
  await refused(contract.deleteAlert, at, 403)
})
