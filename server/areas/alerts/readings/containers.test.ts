import { afterAll, describe, expect, test } from 'vitest'
import type { Id } from '../../../../contract/shared/ids.ts'
import { makeAlert } from '../../../../test/support/factories/alert-factories.ts'
import { openAlertStage } from '../../../../test/support/stages/alert-stage.ts'
import { startSlipway } from '../../../../test/support/stages/context.ts'
import { emit } from '../../../events.ts'
import { transaction } from '../../../platform/transaction.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db } = slipway
const stage = () => openAlertStage(slipway)
type Stage = Awaited<ReturnType<typeof stage>>

const atOnce = { for_seconds: 0, clear_seconds: 0, clear_threshold: null }
const before = { created_at: new Date(Date.now() - 3_600_000) }
const ended = { state: 'exited', exit_code: 1, finished_at: new Date() } as const

const states = async (of: Stage, alert: Id<'alert'>) =>
  (await of.incidents(alert)).map(({ subject_name, state }) => `${subject_name} ${state}`)

describe('a stopped container', () => {
  test('fires when it failed, and resolves when it runs or is removed', async () => {
    const of = await stage()
    const alert = await makeAlert(db, of.workspace, { kind: 'container_stopped', ...atOnce, ...before })
    const [failed, done, removed] = [await of.container(), await of.container(), await of.container()]
    await of.pass()
    await of.changeContainer(failed, ended)
    await of.changeContainer(done, { ...ended, exit_code: 0 })
    await of.changeContainer(removed, ended)
    await of.pass()
    const rows = await of.incidents(alert)
    expect(rows.map(({ subject_id }) => subject_id).toSorted()).toEqual([failed, removed].toSorted())
    expect(rows[0]).toMatchObject({ state: 'firing', server_id: of.server, notification_count: 1 })
    await of.changeContainer(failed, { state: 'running', exit_code: null, finished_at: null })
    await db.deleteFrom('containers').where('id', '=', removed).execute()
    await of.pass()
    const over = await of.incidents(alert)
    expect(over).toMatchObject([{ state: 'resolved' }, { state: 'resolved' }])
    expect(over.find(({ subject_id }) => subject_id === removed)?.resolved_reason).toMatch(
      /^The container .* was removed\.$/,
    )
  })

  test('does not fire while the initiator is unknown, or when a user stopped it', async () => {
    const of = await stage()
    const alert = await makeAlert(db, of.workspace, { kind: 'container_stopped', ...atOnce, ...before })
    const [stopped, startedAgain] = [await of.container(), await of.container()]
    await of.pass()
    const say = (type: 'container.stopped' | 'container.started', id: string) =>
      transaction(db, (trx) =>
        emit(trx, 'slipway', of.workspace, type, { kind: 'container', id, name: 'it' }),
      )
    await db.updateTable('containers').set(ended).where('server_id', '=', of.server).execute()
    await of.pass()
    expect(await of.incidents(alert)).toEqual([])
    for (const id of [stopped, startedAgain]) await say('container.stopped', id)
    await say('container.started', startedAgain)
    for (const id of [stopped, startedAgain]) await of.changeContainer(id, { exit_code: 137 })
    await of.pass()
    expect((await of.incidents(alert)).map(({ subject_id }) => subject_id)).toEqual([startedAgain])
  })

  test('is ignored when it stopped before the alert or server was created', async () => {
    const of = await stage()
    await of.container(ended)
    const alert = await makeAlert(db, of.workspace, { kind: 'container_stopped', ...atOnce })
    await of.container({ ...ended, finished_at: new Date(Date.now() - 2 * 86_400_000) })
    await of.pass()
    expect(await of.incidents(alert)).toEqual([])
  })

  test('fires with any exit code while it should serve an application', async () => {
    const of = await stage()
    const alert = await makeAlert(db, of.workspace, { kind: 'container_stopped', ...atOnce, ...before })
    const [serving, draining, unwanted] = [
      await of.serve(),
      await of.serve(),
      await of.serve({ wanted: 'stopped' }),
    ]
    await db.updateTable('instances').set({ state: 'draining' }).where('id', '=', draining.instance).execute()
    await of.pass()
    for (const { container } of [serving, draining, unwanted])
      await of.changeContainer(container, { ...ended, exit_code: 0 })
    await of.pass()
    expect(await of.incidents(alert)).toMatchObject([
      { subject_id: serving.container, application_id: serving.application },
    ])
  })

  test('is ignored while its application is deleted', async () => {
    const of = await stage()
    const alert = await makeAlert(db, of.workspace, { kind: 'container_stopped', ...atOnce, ...before })
    const { application, container } = await of.serve()
    await of.pass()
    await db
      .updateTable('applications')
      .set({ deleting_at: new Date() })
      .where('id', '=', application)
      .execute()
    await of.changeContainer(container, { ...ended, exit_code: 137 })
    await of.pass()
    expect(await of.incidents(alert)).toEqual([])
  })

  test('is notified once per cooldown when it is recreated repeatedly under its name', async () => {
    const of = await stage()
    const given = { ...atOnce, ...before, cooldown_seconds: 900 }
    const alert = await makeAlert(db, of.workspace, { kind: 'container_stopped', ...given })
    for (let minute = 0; minute < 14; minute++) {
      // A new engine keeps the cooldown.
      if (minute === 7) await of.restart()
      await db.deleteFrom('containers').where('server_id', '=', of.server).execute()
      await of.container({ name: 'job', ...ended })
      await of.pass(60)
    }
    expect(new Set((await of.incidents(alert)).map(({ subject_id }) => subject_id)).size).toBe(14)
    expect(await of.eventTypes(alert)).toEqual(['alert.started', 'alert.resolved'])
    await of.container({ name: 'another', ...ended })
    await of.pass()
    await of.pass(120)
    expect(await of.eventTypes(alert)).toEqual([
      'alert.started',
      'alert.resolved',
      'alert.started',
      'alert.started',
    ])
  })
})

test('reports an unhealthy container of an application only while it should serve', async () => {
  const of = await stage()
  const alert = await makeAlert(db, of.workspace, { kind: 'container_unhealthy', ...atOnce })
  const [serving, ...others] = [await of.serve(), await of.serve(), await of.serve()]
  const states = ['starting', 'draining'] as const
  for (const [place, { instance }] of others.entries())
    await db.updateTable('instances').set({ state: states[place] }).where('id', '=', instance).execute()
  await of.pass()
  for (const { container } of [serving, ...others])
    await of.changeContainer(container, { health: 'unhealthy' })
  await of.pass()
  expect(await of.incidents(alert)).toMatchObject([{ subject_id: serving.container }])
})

test('counts only restarts that are known to be new after a server was not watched', async () => {
  const of = await stage()
  const setLive = (containers_live: boolean) =>
    db.updateTable('servers').set({ containers_live }).where('id', '=', of.server).execute()
  const longAgo = new Date(Date.now() - 3_600_000)
  const [old, looping] = [await of.container({ started_at: longAgo }), await of.container()]
  await setLive(false)
  await of.changeContainer(old, { restarts: 7 })
  await of.changeContainer(looping, { restarts: 7 })
  await setLive(true)
  await of.changeContainer(old, { restarts: 8 })
  await of.changeContainer(looping, { restarts: 10 })
  const troubles = await db
    .selectFrom('container_troubles')
    .select(['container_id', 'times'])
    .where('server_id', '=', of.server)
    .execute()
  const timesOf = (id: string) => troubles.filter((one) => one.container_id === id).map(({ times }) => times)
  expect(timesOf(old)).toEqual([1])
  expect(timesOf(looping)).toEqual([1, 3])
})

test('counts unhealthy states, restarts and out-of-memory kills of watched containers', async () => {
  const of = await stage()
  const make = (kind: 'container_unhealthy' | 'container_restarting' | 'container_oom') =>
    makeAlert(db, of.workspace, { kind, ...atOnce })
  const alerts = [
    await make('container_unhealthy'),
    await make('container_restarting'),
    await make('container_oom'),
  ]
  const [sick, looping, starving] = [await of.container(), await of.container(), await of.container()]
  await of.pass()
  await of.changeContainer(sick, { health: 'unhealthy' })
  await of.changeContainer(looping, { restarts: 2 })
  await of.pass()
  const all = async () => (await Promise.all(alerts.map((alert) => states(of, alert)))).flat()
  expect(await all()).toHaveLength(1)
  // A reset restart counter does not count backwards.
  await of.changeContainer(looping, { restarts: 0 })
  await of.changeContainer(looping, { restarts: 1 })
  const trouble = { workspace_id: of.workspace, server_id: of.server, container_id: starving }
  await db
    .insertInto('container_troubles')
    .values({ ...trouble, kind: 'oom', times: 1 })
    .execute()
  await of.pass()
  expect(await all()).toHaveLength(3)
  await db.updateTable('servers').set({ containers_live: false }).where('id', '=', of.server).execute()
  await of.changeContainer(sick, { health: 'healthy' })
  await db.deleteFrom('container_troubles').where('server_id', '=', of.server).execute()
  await of.pass()
  expect((await all()).filter((one) => one.endsWith('firing'))).toHaveLength(3)
  await db.updateTable('servers').set({ containers_live: true }).where('id', '=', of.server).execute()
  await of.pass(10)
  expect((await all()).filter((one) => one.endsWith('resolved'))).toHaveLength(3)
})

test('counts events per alert window, also when they are written late', async () => {
  const of = await stage()
  const make = (window_seconds: number) =>
    makeAlert(db, of.workspace, { kind: 'container_restarting', ...atOnce, threshold: 2, window_seconds })
  const [short, long] = [await make(600), await make(86_400)]
  const [id, quiet] = [await of.container(), await of.container()]
  const restart = (container_id: string, minutes: number) =>
    db
      .insertInto('container_troubles')
      .values({
        workspace_id: of.workspace,
        server_id: of.server,
        container_id,
        kind: 'restart',
        times: 1,
        at: new Date(Date.now() - minutes * 60_000),
      })
      .execute()
  for (const minutes of [30, 30]) await restart(id, minutes)
  await restart(quiet, 30)
  await of.pass()
  expect([...(await of.incidents(short)), ...(await of.incidents(long))]).toEqual([])
  await restart(id, 0)
  await of.pass(1)
  expect(await of.incidents(short)).toEqual([])
  expect(await of.incidents(long)).toMatchObject([{ subject_id: id, value: 3 }])
})

test('compares usage with the limit of the container', async () => {
  const of = await stage()
  const cpu = await makeAlert(db, of.workspace, { kind: 'container_cpu', ...atOnce, threshold: 150 })
  const memory = await makeAlert(db, of.workspace, { kind: 'container_memory', ...atOnce })
  const id = await of.container()
  const sample = (cores: number, used: number) =>
    db
      .insertInto('container_samples')
      .values({
        workspace_id: of.workspace,
        server_id: of.server,
        container_id: id,
        at: new Date(of.clock.now),
        cpu: cores,
        memory_used: used,
        memory_limit: 1_000,
        network_in: 0,
        network_out: 0,
        disk_read: 0,
        disk_written: 0,
      })
      .execute()
  await sample(1.6, 950)
  await of.pass(0)
  expect(await of.incidents(cpu)).toMatchObject([{ state: 'firing', subject_id: id, value: 160 }])
  expect(await of.incidents(memory)).toMatchObject([{ state: 'firing', value: 95 }])
  await of.pass(10)
  await sample(0.1, 100)
  await of.pass(0)
  expect(await of.incidents(cpu)).toMatchObject([{ state: 'resolved' }])
  // An exited container uses nothing.
  await of.pass(10)
  await sample(1.6, 950)
  await of.pass(0)
  await of.changeContainer(id, ended)
  await of.pass(1)
  const reason = {
    state: 'resolved',
    resolved_reason: expect.stringMatching(/^The container .* is no longer running\.$/),
  }
  expect((await of.incidents(cpu)).at(-1)).toMatchObject(reason)
  expect((await of.incidents(memory)).at(-1)).toMatchObject(reason)
})

test('finds samples of a process whose clock is behind', async () => {
  const of = await stage()
  const alert = await makeAlert(db, of.workspace, { kind: 'container_cpu', ...atOnce, threshold: 50 })
  const [first, second] = [await of.container(), await of.container()]
  const sample = (container_id: string, behind: number) =>
    db
      .insertInto('container_samples')
      .values({
        workspace_id: of.workspace,
        server_id: of.server,
        container_id,
        at: new Date(of.clock.now - behind),
        cpu: 1,
        memory_used: 1,
        memory_limit: 10,
        network_in: 0,
        network_out: 0,
        disk_read: 0,
        disk_written: 0,
      })
      .execute()
  const found = async () => (await of.incidents(alert)).map(({ subject_id }) => subject_id)
  await of.pass()
  await sample(first, 0)
  await of.pass(1)
  expect(await found()).toEqual([first])
  await of.pass(25)
  await sample(second, 20_000)
  await of.pass(1)
  await of.pass(5)
  expect(await found()).toEqual([first, second])
})
