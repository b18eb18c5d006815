import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { AlertKindName } from '../../../contract/shared/alert-kinds.ts'
import { makeAlert } from '../../../test/support/factories/alert-factories.ts'
import { openContainerStage } from '../../../test/support/stages/container-stage.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { schedules } from './area.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const rig = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
slipway.work(schedules)
const stage = await openContainerStage(slipway, rig)
const { db } = slipway
const { workspace } = stage.team

const polling = { interval: 200 }

/**
 * Inserts the alert and its event, as the API would: without the event, the engine reads the alert up to a minute
 * later.
 */
const watch = (kind: AlertKindName) =>
  transaction(db, async (trx) => {
    const lasting = { for_seconds: 0, clear_seconds: 0, cooldown_seconds: 0 }
    const id = await makeAlert(trx, workspace, { kind, ...lasting })
    await emit(trx, 'slipway', workspace, 'alert.created', { kind: 'alert', id, name: kind })
    return id
  })

const alerts = {
  restarting: await watch('container_restarting'),
  oom: await watch('container_oom'),
  stopped: await watch('container_stopped'),
  unreachable: await watch('server_unreachable'),
}
await stage.untilLive()

const subjects = async (alert: keyof typeof alerts, state: 'firing' | 'resolved' = 'firing') => {
  const rows = await db
    .selectFrom('incidents')
    .select('subject_id')
    .where('alert_id', '=', alerts[alert])
    .where('state', '=', state)
    .orderBy('id')
    .execute()
  return rows.map(({ subject_id }) => subject_id)
}

test('notifies about containers that crash repeatedly, run out of memory or are stopped outside Slipway', async () => {
  const quiet = await runContainer(rig, { options: ['--stop-timeout', '1'], script: 'sleep 600' })
  const killed = await runContainer(rig, { script: 'sleep 600' })
  const looping = await runContainer(rig, { options: ['--restart', 'always'], script: 'exit 3' })
  const starving = await runContainer(rig, {
    options: ['--memory', '32m', '--memory-swap', '32m'],
    script: 'sleep 1; tail /dev/zero',
  })
  const bearing = await runContainer(rig, {
    options: ['--memory', '32m', '--memory-swap', '32m'],
    script: 'sleep 1; tail /dev/zero; sleep 600',
  })
  expect((await stage.act(quiet, { action: 'stop' })).status).toBe(200)
  await rig.exec('docker', 'kill', killed)
  await vi.waitFor(async () => expect(await subjects('restarting')).toEqual([looping]), polling)
  await vi.waitFor(
    async () => expect((await subjects('oom')).toSorted()).toEqual([bearing, starving].toSorted()),
    polling,
  )
  await vi.waitFor(
    async () => expect((await subjects('stopped')).toSorted()).toEqual([killed, starving].toSorted()),
    polling,
  )
  const counted = await db
    .selectFrom('container_troubles')
    .select('times')
    .where('container_id', '=', starving)
    .where('kind', '=', 'oom')
    .execute()
  expect(counted).toEqual([{ times: 1 }])

  // A user requested this stop, so it does not fire.
  await stage.shows((await stage.list()).containers.find(({ id }) => id === quiet)?.name ?? '', {
    exit_code: 137,
  })
  expect(await subjects('stopped')).not.toContain(quiet)

  await rig.exec('docker', 'rm', '--force', killed, starving, looping)
  await vi.waitFor(
    async () =>
      expect((await subjects('stopped', 'resolved')).toSorted()).toEqual([killed, starving].toSorted()),
    polling,
  )
})

longTest('notifies when a server becomes unreachable and when it is back', async () => {
  await rig.cut()
  onTestFinished(() => rig.plug())
  await vi.waitFor(async () => expect(await subjects('unreachable')).toEqual([stage.server]), polling)
  await rig.plug()
  await vi.waitFor(
    async () => expect(await subjects('unreachable', 'resolved')).toEqual([stage.server]),
    polling,
  )
  const emitted = await db
    .selectFrom('events')
    .select(['type', 'target_name'])
    .where('about', '=', alerts.unreachable)
    .orderBy('id')
    .execute()
  expect(emitted.map(({ type }) => type)).toEqual(['alert.started', 'alert.resolved'])
})
