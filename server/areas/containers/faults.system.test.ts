import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { sql } from 'kysely'
import * as contract from '../../../contract/containers.ts'
import { getServer } from '../../../contract/servers.ts'
import { openContainerStage } from '../../../test/support/stages/container-stage.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const polling = { interval: 100 }

const host = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const stage = await openContainerStage(slipway, host)
const docker = (...args: string[]) => host.exec('docker', ...args)
const ask = () =>
  slipway.call(contract.listContainers.key, { token: stage.token, params: { id: stage.server } })

const names = async () => (await stage.list()).containers.map(({ name }) => name).toSorted()

/** Lists the container rows, whether they are live or not. */
const rows = async () =>
  (await slipway.db.selectFrom('containers').select('name').orderBy('name').execute()).map(({ name }) => name)

beforeAll(async () => {
  await runContainer(host, { options: ['--name', 'one'] })
  slipway.work()
  await stage.untilLive()
})

test('does not show rows that a killed process left behind', async () => {
  const lost = await openContainerStage(slipway, host)
  // Simulates a killed process: the row claims to be live, and its lease has expired.
  await lost.untilLive()
  await sql`update containers set name = 'of-old' where server_id = ${lost.server}`.execute(slipway.db)
  await sql`
    update servers set watcher = 'killed', watched_until = now() - interval '1 second', containers_live = true
    where id = ${lost.server}`.execute(slipway.db)
  expect((await lost.list()).containers.map(({ name }) => name)).toEqual(['one'])
  await vi.waitFor(async () => {
    const { watcher } = await slipway.db
      .selectFrom('servers')
      .select('watcher')
      .where('id', '=', lost.server)
      .executeTakeFirstOrThrow()
    expect((await lost.list()).containers.map(({ name }) => name)).toEqual(['one'])
    expect(watcher).not.toBe('killed')
    expect(await lost.isLive()).toBe(true)
  }, polling)
  await slipway.db.deleteFrom('servers').where('id', '=', lost.server).execute()
  const left = await slipway.db
    .selectFrom('containers')
    .selectAll()
    .where('server_id', '=', lost.server)
    .execute()
  expect(left).toEqual([])
})

test('reports that Docker is unreachable, and lists containers again afterwards', async () => {
  await host.stopDockerd()
  onTestFinished(() => host.startDockerd())
  await stage.untilLive(false)
  const away = await ask()
  expect(away.status).toBe(502)
  expect(away.body).toMatchObject({
    error: expect.stringContaining('Docker is not responding on this server.'),
  })
  await host.startDockerd()
  await vi.waitFor(async () => expect((await ask()).status).toBe(200), polling)
  await stage.untilLive()
  // Docker stopped the container when it shut down.
  expect(await stage.named('one')).toMatchObject({ state: 'exited' })
  await docker('start', 'one')
  await stage.shows('one', { state: 'running' })
})

test('follows Docker again after it was killed and restarted', async () => {
  // Docker stays down until Slipway has noticed.
  await host.exec('sh', '-c', 'touch /run/rig/no-dockerd; pkill -KILL -x dockerd')
  onTestFinished(() => host.startDockerd())
  await stage.untilLive(false)
  await host.startDockerd()
  await stage.untilLive()
  await docker('create', '--name', 'after-kill', 'rig/busybox')
  await stage.shows('after-kill', { state: 'created' })
  await docker('rm', 'after-kill')
  await stage.shows('after-kill', null)
})

longTest(
  'reports why the list is unavailable while the network is down, and catches up afterwards',
  async () => {
    const options = ['--name', 'slow', '--stop-timeout', '50']
    await runContainer(host, { options, script: 'trap "" TERM; while :; do sleep 1; done' })
    await stage.shows('slow', { state: 'running' })
    const stopping = stage.act('slow', { action: 'stop' })
    const asked = ['--since', '5m', '--until', '0s', '--filter', 'container=slow', '--filter', 'event=kill']
    await vi.waitFor(async () => expect(await docker('events', ...asked)).toContain('slow'), polling)
    await host.cut()
    onTestFinished(() => host.plug())
    await stage.untilLive(false)
    expect((await stopping).body).toMatchObject({
      code: 'server_unreachable',
      error: expect.stringMatching(
        /\. The result is unknown\. Check the container when the server is reachable again\.$/,
      ),
    })
    const away = await ask()
    expect(away.status).toBe(502)
    expect(away.body).toMatchObject({ code: 'server_unreachable' })
    await docker('rename', 'one', 'other')
    await docker('create', '--name', 'meanwhile', 'rig/busybox')
    // The rows still exist, but the API must not show them.
    await docker('rm', '--force', 'slow')
    expect(await rows()).toEqual(['one', 'slow'])
    await host.plug()
    await vi.waitFor(async () => expect((await ask()).status).toBe(200), polling)
    expect(await names()).toEqual(['meanwhile', 'other'])
    await stage.untilLive()
    await vi.waitFor(async () => {
      const { server } = await slipway.ok(getServer, { token: stage.token, params: { id: stage.server } })
      expect(server.status).toBe('ready')
    }, polling)
    expect(await rows()).toEqual(['meanwhile', 'other'])
    expect(await names()).toEqual(['meanwhile', 'other'])
  },
)
