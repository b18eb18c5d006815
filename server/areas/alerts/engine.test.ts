import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { emit } from '../../events.ts'
import { JobStopped } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { openAlertStage } from '../../../test/support/stages/alert-stage.ts'
import { makeAlert } from '../../../test/support/factories/alert-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db } = slipway
const stage = () => openAlertStage(slipway)
type Stage = Awaited<ReturnType<typeof stage>>

/** Fires and resolves immediately. */
const atOnce = { for_seconds: 0, clear_seconds: 0, clear_threshold: null }

const setStatus = ({ server }: Stage, status: 'ready' | 'unreachable') =>
  db.updateTable('servers').set({ status }).where('id', '=', server).execute()

async function change(of: Stage, id: Awaited<ReturnType<typeof makeAlert>>, values: object) {
  await transaction(db, async (trx) => {
    await trx.updateTable('alerts').set(values).where('id', '=', id).execute()
    await emit(trx, 'slipway', of.workspace, 'alert.updated', { kind: 'alert', id, name: 'it' })
  })
}

test('fires after the duration and resolves after the clear duration', async () => {
  const of = await stage()
  const alert = await makeAlert(db, of.workspace, { kind: 'memory', for_seconds: 20, clear_seconds: 10 })
  await of.sample({ memory: 95 })
  await of.pass(0)
  const [pending] = await of.incidents(alert)
  expect(pending).toMatchObject({
    state: 'pending',
    value: 95,
    threshold: 90,
    notification_count: 0,
    fired_at: null,
  })
  // Samples that were evaluated before do not count as a new reading.
  await of.pass(9)
  await of.pass(1)
  await of.sample({ memory: 96 })
  await of.pass(0)
  expect(await of.incidents(alert)).toMatchObject([{ state: 'pending' }])
  await of.pass(10)
  await of.sample({ memory: 97 })
  await of.pass(0)
  expect(await of.incidents(alert)).toMatchObject([
    { id: pending?.id, state: 'firing', value: 97, notification_count: 1 },
  ])
  expect(await of.eventTypes(alert)).toEqual(['alert.started'])
  for (const memory of [20, 20]) {
    await of.pass(10)
    await of.sample({ memory })
    await of.pass(0)
  }
  const [over] = await of.incidents(alert)
  expect(over).toMatchObject({ state: 'resolved', resolved_at: new Date(of.clock.now) })
  expect(over?.resolved_reason).toContain('20 %')
  expect(await of.eventTypes(alert)).toEqual(['alert.started', 'alert.resolved'])
})

test('drops an incident that cleared before its duration', async () => {
  const of = await stage()
  const alert = await makeAlert(db, of.workspace, { kind: 'cpu', for_seconds: 60 })
  await of.sample({ cpu: 99 })
  await of.pass(0)
  expect(await of.incidents(alert)).toHaveLength(1)
  await of.pass(10)
  await of.sample({ cpu: 1 })
  await of.pass(0)
  expect(await of.incidents(alert)).toEqual([])
  expect(await of.eventTypes(alert)).toEqual([])
})

test.each([
  ['cpu', { cpu: 91 }],
  ['memory', { memory: 91 }],
  ['disk', { disk: 86 }],
  ['load', { load: 4.2 }],
] as const)('reads %s from the samples of a server', async (kind, figures) => {
  const of = await stage()
  const alert = await makeAlert(db, of.workspace, { kind, ...atOnce })
  await of.sample()
  await of.pass(0)
  expect(await of.incidents(alert)).toEqual([])
  await of.pass(10)
  await of.sample(figures)
  await of.pass(0)
  expect(await of.incidents(alert)).toMatchObject([{ state: 'firing', subject_id: of.server, kind }])
})

test('notifies twice per cooldown when a server flaps every five seconds for ten minutes', async () => {
  const of = await stage()
  const alert = await makeAlert(db, of.workspace, {
    kind: 'server_unreachable',
    ...atOnce,
    cooldown_seconds: 900,
  })
  for (let second = 0; second < 600; second += 5) {
    await setStatus(of, second % 10 === 0 ? 'unreachable' : 'ready')
    await of.pass(5)
  }
  expect((await of.incidents(alert)).length).toBe(60)
  expect(await of.eventTypes(alert)).toEqual(['alert.started', 'alert.resolved'])
  // An incident that lasts beyond the cooldown is notified when it ends.
  await setStatus(of, 'unreachable')
  await of.pass(5)
  await of.pass(200)
  expect(await of.eventTypes(alert)).toHaveLength(2)
  await of.pass(200)
  expect(await of.eventTypes(alert)).toEqual(['alert.started', 'alert.resolved', 'alert.started'])
})

test('repeats a notification only when configured', async () => {
  const of = await stage()
  const [often, once] = await Promise.all(
    [300, null].map((repeat_seconds) =>
      makeAlert(db, of.workspace, { kind: 'server_unreachable', ...atOnce, repeat_seconds }),
    ),
  )
  await setStatus(of, 'unreachable')
  for (let minute = 0; minute < 12; minute++) await of.pass(60)
  if (!often || !once) throw new Error('There are two.')
  expect(await of.eventTypes(often)).toEqual(['alert.started', 'alert.reminded', 'alert.reminded'])
  expect(await of.eventTypes(once)).toEqual(['alert.started'])
  expect(await of.incidents(often)).toMatchObject([{ notification_count: 3 }])
})

test('sends no start or repeat while muted, the pending start after the mute, and always the resolution', async () => {
  const of = await stage()
  const alert = await makeAlert(db, of.workspace, {
    kind: 'server_unreachable',
    ...atOnce,
    repeat_seconds: 300,
  })
  await of.pass()
  await change(of, alert, { muted_until: new Date(of.clock.now + 600_000) })
  await setStatus(of, 'unreachable')
  await of.pass(10)
  expect(await of.incidents(alert)).toMatchObject([
    { state: 'firing', notification_count: 0, notified_at: null },
  ])
  await of.pass(580)
  expect(await of.eventTypes(alert)).toEqual([])
  await of.pass(20)
  expect(await of.eventTypes(alert)).toEqual(['alert.started'])
  const [incident] = await of.incidents(alert)
  await transaction(db, async (trx) => {
    const muted_until = new Date(of.clock.now + 3_600_000)
    await trx.updateTable('incidents').set({ muted_until }).where('alert_id', '=', alert).execute()
    await emit(trx, 'slipway', of.workspace, 'alert.muted', {
      kind: 'incident',
      id: incident?.id ?? '',
      name: 'it',
    })
  })
  await of.pass(400)
  expect(await of.eventTypes(alert)).toEqual(['alert.started'])
  await setStatus(of, 'ready')
  await of.pass()
  expect(await of.eventTypes(alert)).toEqual(['alert.started', 'alert.resolved'])
})

test('sends no resolution when the start was not notified', async () => {
  const of = await stage()
  const window = {
    kind: 'once',
    from: new Date(0).toISOString(),
    to: new Date(of.clock.now + 3_600_000).toISOString(),
  }
  const windows = JSON.stringify([window])
  const alert = await makeAlert(db, of.workspace, { kind: 'server_unreachable', ...atOnce, windows })
  await setStatus(of, 'unreachable')
  await of.pass()
  await setStatus(of, 'ready')
  await of.pass()
  expect(await of.incidents(alert)).toMatchObject([
    { state: 'resolved', notification_count: 0, notified_at: null },
  ])
  expect(await of.eventTypes(alert)).toEqual([])
})

describe('a changed clock', () => {
  test.each([3_600_000, -3_600_000])('by %d ms starts, resolves and repeats nothing', async (jump) => {
    const of = await stage()
    const given = { for_seconds: 60, clear_seconds: 60, cooldown_seconds: 1_800, repeat_seconds: 1_800 }
    const state = await makeAlert(db, of.workspace, { kind: 'server_unreachable', ...given })
    const figure = await makeAlert(db, of.workspace, { kind: 'cpu', ...given })
    await setStatus(of, 'unreachable')
    await of.sample({ cpu: 95 })
    await of.pass(0)
    of.clock.now += jump
    await of.sample({ cpu: 96 })
    await of.pass(10)
    for (const alert of [state, figure])
      expect(await of.incidents(alert)).toMatchObject([{ state: 'pending' }])
    for (let times = 0; times < 5; times++) {
      await of.pass(10)
      await of.sample({ cpu: 96 })
      await of.pass(0)
    }
    for (const alert of [state, figure]) expect(await of.eventTypes(alert)).toEqual(['alert.started'])
    of.clock.now -= 2 * jump
    await of.sample({ cpu: 97 })
    await of.pass(10)
    for (const alert of [state, figure]) expect(await of.eventTypes(alert)).toEqual(['alert.started'])
  })
})

describe('a restart', () => {
  test('repeats no notification and loses no incident', async () => {
    const of = await stage()
    const firing = await makeAlert(db, of.workspace, {
      kind: 'server_unreachable',
      ...atOnce,
      cooldown_seconds: 600,
    })
    const waiting = await makeAlert(db, of.workspace, { kind: 'server_unreachable', for_seconds: 60 })
    await setStatus(of, 'unreachable')
    await of.pass()
    await of.restart()
    for (let times = 0; times < 3; times++) await of.pass(10)
    expect(await of.eventTypes(firing)).toEqual(['alert.started'])
    expect(await of.eventTypes(waiting)).toEqual([])
    await of.restart()
    // The restart resets the duration.
    await of.pass(20)
    for (let times = 0; times < 5; times++) await of.pass(10)
    expect(await of.eventTypes(waiting)).toEqual([])
    await of.pass(10)
    expect(await of.eventTypes(waiting)).toEqual(['alert.started'])
    await setStatus(of, 'ready')
    await of.pass()
    // The cooldown started before the restart still applies.
    await of.restart()
    await setStatus(of, 'unreachable')
    await of.pass()
    expect(await of.incidents(firing)).toMatchObject([
      { state: 'resolved' },
      { state: 'firing', notification_count: 0 },
    ])
    await of.pass(610)
    expect(await of.eventTypes(firing)).toEqual(['alert.started', 'alert.resolved', 'alert.started'])
  })

  test('does not count the time without an engine as duration', async () => {
    const of = await stage()
    const alert = await makeAlert(db, of.workspace, { kind: 'cpu', for_seconds: 3_600 })
    await of.sample({ cpu: 95 })
    await of.pass(0)
    of.clock.now -= 7_200_000
    await of.restart()
    await of.sample({ cpu: 95 })
    await of.pass(10)
    expect(await of.incidents(alert)).toMatchObject([{ state: 'pending' }])
  })
})

test('ignores the status of a server that no worker watches', async () => {
  const of = await stage()
  const alert = await makeAlert(db, of.workspace, { kind: 'server_unreachable', for_seconds: 60 })
  const watchUntil = (watched_until: Date | null) =>
    db.updateTable('servers').set({ watched_until }).where('id', '=', of.server).execute()
  await setStatus(of, 'unreachable')
  await of.pass()
  await of.restart()
  of.clock.now += 3_600_000
  for (const nobody of [new Date(Date.now() - 3_600_000), null]) {
    await watchUntil(nobody)
    await of.pass(50)
    await of.pass(50)
  }
  expect(await of.incidents(alert)).toMatchObject([{ state: 'pending' }])
  // The new watcher has not connected yet, so the stored status is an hour old.
  await of.restart()
  await watchUntil(new Date(Date.now() + 3_600_000))
  await of.pass(1)
  await setStatus(of, 'ready')
  await of.pass(1)
  expect(await of.incidents(alert)).toEqual([])
  expect(await of.eventTypes(alert)).toEqual([])
})

test('notifies immediately when a condition returns after the cooldown', async () => {
  const of = await stage()
  const given = { kind: 'server_unreachable', ...atOnce, cooldown_seconds: 900 } as const
  const alert = await makeAlert(db, of.workspace, given)
  await setStatus(of, 'unreachable')
  await of.pass()
  await of.pass(1_200)
  await setStatus(of, 'ready')
  await of.pass()
  await setStatus(of, 'unreachable')
  await of.restart()
  await of.pass(60)
  expect(await of.eventTypes(alert)).toEqual(['alert.started', 'alert.resolved', 'alert.started'])
})

test('continues with other workspaces when one cannot be written', async () => {
  const [of, other] = [await stage(), await stage()]
  const given = { kind: 'server_unreachable', ...atOnce } as const
  const refused = await makeAlert(db, of.workspace, given)
  const alert = await makeAlert(db, other.workspace, { ...given, clear_seconds: 30 })
  await setStatus(other, 'unreachable')
  await of.pass()
  await sql`alter table incidents add constraint refused check (workspace_id <> ${sql.lit(of.workspace)}) not valid`.execute(
    db,
  )
  await setStatus(of, 'unreachable')
  await setStatus(other, 'ready')
  for (let times = 0; times < 3; times++) await of.pass(15)
  expect(await other.eventTypes(alert)).toEqual(['alert.started', 'alert.resolved'])
  expect(await of.incidents(refused)).toEqual([])
  await sql`alter table incidents drop constraint refused`.execute(db)
  await of.pass()
  expect(await of.eventTypes(refused)).toEqual(['alert.started'])
})

test('writes a failed step once in the next pass, and nothing after losing the lease', async () => {
  const of = await stage()
  const alert = await makeAlert(db, of.workspace, { kind: 'server_unreachable', ...atOnce })
  await of.pass()
  await setStatus(of, 'unreachable')
  of.refuse(new Error('The connection broke.'))
  await of.pass()
  expect(await of.incidents(alert)).toEqual([])
  await of.pass()
  await of.pass()
  expect(await of.eventTypes(alert)).toEqual(['alert.started'])
  await setStatus(of, 'ready')
  of.refuse(new JobStopped('lease_lost'))
  await expect(of.pass()).rejects.toThrow('lease_lost')
  expect(await of.incidents(alert)).toMatchObject([{ state: 'firing' }])
})
