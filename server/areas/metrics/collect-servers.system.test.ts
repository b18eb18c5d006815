import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { getServerMetrics } from '../../../contract/metrics.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { urlOf } from '../../../test/support/programs/port.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { startWatching, type Watching } from '../servers/watch/watching.ts'
import { watchers } from './collect-servers.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const patient = { interval: 200 }

const machine = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway
const { workspace, owner } = await makeTeam(db)

const samplesOf = (id: Id<'server'>) =>
  db.selectFrom('server_samples').selectAll().where('server_id', '=', id).orderBy('at').execute()

const samplesAfter = (id: Id<'server'>, time: number) =>
  vi.waitFor(async () => {
    const found = (await samplesOf(id)).filter(({ at }) => at.getTime() > time)
    expect(found).not.toEqual([])
    return found
  }, patient)

test('collects metrics of This machine', async () => {
  const id = await makeServer(ctx, workspace, machine, { kind: 'local', status: 'pending' })
  const row = await db.selectFrom('servers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const host = ctx.hosts.get({ kind: 'local', id, dockerSocket: '/nowhere/docker.sock' })
  const stop = new AbortController()
  const watched = Promise.all(watchers.map(({ watch }) => watch(ctx, row, host, stop.signal)))
  await samplesAfter(id, 0)
  stop.abort()
  await watched
  expect((await samplesOf(id))[0]?.cpu).toBeGreaterThan(0)
})

const id = await makeServer(ctx, workspace, machine)
let watching: Watching | undefined
afterAll(() => watching?.stop())

describe('a watched server', () => {
  test('has metrics shortly after connecting', async () => {
    watching = startWatching(ctx, watchers)
    await samplesAfter(id, 0)
    const { metrics } = await slipway.ok(getServerMetrics, { token: owner.token, params: { id } })
    const memory = /MemTotal:\s+(\d+)/.exec(await machine.exec('cat', '/proc/meminfo'))?.[1]
    const [, size] = (await machine.exec('df', '-kP', '/')).split('\n')[1]?.split(/\s+/) ?? []
    const point = metrics.points.at(-1)
    expect(point).toMatchObject({ memory_total: Number(memory) * 1024, disk_total: Number(size) * 1024 })
    expect(point?.memory_used).toBeGreaterThan(0)
    expect(point?.memory_used).toBeLessThan(point?.memory_total ?? 0)
    expect(point?.disk_used).toBeGreaterThan(0)
    expect(point?.load_1).toBeGreaterThanOrEqual(0)
  })

  test('shows a busy loop as CPU and a transfer as network', async () => {
    const sink = createServer((socket) => void socket.on('error', () => {}).resume())
    onTestFinished(() => void sink.close())
    await new Promise<void>((resolve) => sink.listen(0, machine.machine, resolve))
    const { port } = new URL(urlOf(sink))
    const began = Date.now()
    const loop = machine.exec('sh', '-c', 'while :; do :; done', 'busy-loop').catch(() => {})
    await machine.exec('bash', '-c', `head -c 50000000 /dev/zero >/dev/tcp/${machine.machine}/${port}`)
    await vi.waitFor(async () => {
      const found = await samplesAfter(id, began)
      expect(Math.max(...found.map(({ network_out: out }) => out))).toBeGreaterThan(1_000_000)
      // At least one core is busy.
      expect(Math.max(...found.map(({ cpu }) => cpu))).toBeGreaterThan(0.8 / (await cores()))
    }, patient)
    await machine.exec('pkill', '-KILL', '-f', 'busy-loop')
    await loop
  })

  test('restarts the collector after it died', async () => {
    const began = Date.now()
    await machine.exec('pkill', '-KILL', '-f', 'slipway-metrics')
    await samplesAfter(id, began)
    expect(slipway.lines.join('\n')).toContain('The metrics collector exited')
  })

  longTest('leaves a gap while the network is down and continues afterwards', async () => {
    await machine.cut()
    const cut = Date.now()
    // Wait longer than the interval between samples.
    await sleep(11_000)
    const plugged = Date.now()
    await machine.plug()
    await samplesAfter(id, plugged)
    // A sample in transit may still have arrived.
    const within = (await samplesOf(id)).filter(
      ({ at }) => at.getTime() > cut + 1_000 && at.getTime() < plugged,
    )
    expect(within).toEqual([])
  })

  test('is collected by another process after a takeover', async () => {
    const other = startWatching(ctx, watchers)
    await watching?.stop()
    const stopped = Date.now()
    watching = other
    await samplesAfter(id, stopped)
  })

  longTest('is left alone after its deletion', async () => {
    await db.deleteFrom('servers').where('id', '=', id).execute()
    await vi.waitFor(async () => {
      const found = await machine.exec('pgrep', '-f', 'slipway-metrics').catch(() => '')
      expect(found).toBe('')
    }, patient)
    expect(await samplesOf(id)).toEqual([])
  })
})

const cores = async () => Number(await machine.exec('nproc'))
