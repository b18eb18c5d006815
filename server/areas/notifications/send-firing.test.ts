import { afterAll, expect, test } from 'vitest'
import * as contract from '../../../contract/notifications.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { makeAlert, makeIncident } from '../../../test/support/factories/alert-factories.ts'
import { makeChannel } from '../../../test/support/factories/channels.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db, ok, refused } = slipway

const inAnHour = () => new Date(Date.now() + 3_600_000)

/** No worker runs, so messages stay queued. */
async function openYard() {
  const { workspace, admin, member } = await makeTeam(db)
  const { token } = admin
  const add = (given = {}) => makeChannel(ctx, workspace, 'https://hooks.example.com', given)
  return {
    workspace,
    token,
    member,
    add,
    send: async (id: Id<'notification'>) => (await ok(contract.sendFiring, { token, params: { id } })).queued,
    unsent: async (id: Id<'notification'>) =>
      (await ok(contract.getNotification, { token, params: { id } })).notification.unsent_incidents,
    incidentsSent: async (id: Id<'notification'>) => {
      const rows = db.selectFrom('messages').select(['incident_id', 'kind', 'status'])
      return rows.where('notification_id', '=', id).orderBy('position').execute()
    },
  }
}

test('sends the firing incidents of its alerts to a new channel, each once', async () => {
  const { workspace, token, add, send, unsent, incidentsSent } = await openYard()
  const [all, chosen, others] = [
    await makeAlert(db, workspace),
    await makeAlert(db, workspace, { all_channels: false }),
    await makeAlert(db, workspace, { all_channels: false }),
  ]
  const first = await makeIncident(db, workspace, all)
  const second = await makeIncident(db, workspace, chosen, { fired_at: inAnHour() })
  await makeIncident(db, workspace, others)
  await makeIncident(db, workspace, all, { state: 'resolved', resolved_at: new Date() })
  await makeIncident(db, workspace, all, { state: 'pending', fired_at: null, notification_count: 0 })
  const id = await add()
  await db
    .insertInto('alert_channels')
    .values({ workspace_id: workspace, alert_id: chosen, notification_id: id })
    .execute()
  expect(await unsent(id)).toBe(2)
  const both = await Promise.all([send(id), send(id)])
  expect(both.toSorted((a, b) => a - b)).toEqual([0, 2])
  const sent = { kind: 'started', status: 'waiting' }
  expect(await incidentsSent(id)).toEqual([
    { ...sent, incident_id: first },
    { ...sent, incident_id: second },
  ])
  expect(await unsent(id)).toBe(0)
  // After the channel is turned off and on, only newer incidents count as unsent.
  const turn = (enabled: boolean) =>
    ok(contract.updateNotification, { token, params: { id }, body: { enabled } })
  expect((await turn(false)).notification.unsent_incidents).toBe(0)
  const third = await makeIncident(db, workspace, all)
  expect(await send(id)).toBe(0)
  expect((await turn(true)).notification.unsent_incidents).toBe(1)
  expect(await send(id)).toBe(1)
  expect((await incidentsSent(id)).at(-1)).toEqual({ ...sent, incident_id: third })
})

test('skips muted incidents and alerts, maintenance windows and what was not notified yet', async () => {
  const { workspace, add, send, unsent } = await openYard()
  const alert = await makeAlert(db, workspace)
  const muted = await makeAlert(db, workspace, { muted_until: inAnHour() })
  const from = new Date(Date.now() - 3_600_000).toISOString()
  const window = { kind: 'once', from, to: inAnHour().toISOString() }
  const maintained = await makeAlert(db, workspace, { windows: JSON.stringify([window]) })
  await makeIncident(db, workspace, alert, { muted_until: inAnHour() })
  await makeIncident(db, workspace, alert, { notification_count: 0, notified_at: null })
  for (const quiet of [muted, maintained]) await makeIncident(db, workspace, quiet)
  const id = await add()
  expect(await unsent(id)).toBe(0)
  expect(await send(id)).toBe(0)
})

test('leaves an incident that is notified after the channel was added to its usual message', async () => {
  const { workspace, add, send, unsent } = await openYard()
  const id = await add()
  await makeIncident(db, workspace, await makeAlert(db, workspace), { notified_at: inAnHour() })
  expect(await unsent(id)).toBe(0)
  expect(await send(id)).toBe(0)
})

test('sends nothing to a channel without alerts, of another workspace or for a member', async () => {
  const { workspace, member, add, send } = await openYard()
  await makeIncident(db, workspace, await makeAlert(db, workspace))
  expect(await send(await add({ events: ['server_added'] }))).toBe(0)
  const id = await add()
  await refused(contract.sendFiring, { token: member.token, params: { id } }, 403)
  const elsewhere = await openYard()
  await refused(contract.sendFiring, { token: elsewhere.token, params: { id } }, 404)
  expect(await elsewhere.send(await elsewhere.add())).toBe(0)
})
