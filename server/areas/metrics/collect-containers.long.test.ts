import { afterAll, describe, expect, test, vi } from 'vitest'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { getServerHost } from '../servers/server-host.ts'
import { createContainerSampler } from './collect-containers.ts'

const patient = { interval: 200 }

const machine = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway
const { workspace } = await makeTeam(db)
const server = await makeServer(ctx, workspace, machine)
const row = await db.selectFrom('servers').selectAll().where('id', '=', server).executeTakeFirstOrThrow()
const { docker } = getServerHost(ctx, row)

const stop = new AbortController()
afterAll(() => stop.abort())
const newSampler = () => createContainerSampler(docker, stop.signal)

const MB = 1024 ** 2
const busy = `
  head -c ${30 * MB} /dev/zero >/dev/shm/held
  ping -q -i 0.2 -s 10000 "$(ip route | sed -n 's/^default via \\([^ ]*\\).*/\\1/p')" >/dev/null &
  while :; do :; done`

describe('container metrics', () => {
  test('are available with the first call', async () => {
    const idle = await runContainer(machine)
    const options = ['--memory', '64m', '--cpus', '0.2']
    const total = /MemTotal:\s+(\d+)/.exec(await machine.exec('cat', '/proc/meminfo'))?.[1]
    const id = await runContainer(machine, { options, script: busy })
    const sampler = newSampler()
    // The container needs time to allocate its memory on a busy machine.
    await vi.waitFor(async () => {
      const [one, other] = await sampler.sample([id, idle])
      expect(one).toMatchObject({ id, memory_limit: 64 * MB })
      expect(one?.memory_used).toBeGreaterThan(30 * MB)
      expect(one?.memory_used).toBeLessThan(40 * MB)
      expect(one?.cpu).toBeGreaterThan(0.03)
      expect(one?.cpu).toBeLessThan(0.3)
      expect(one?.network_out).toBeGreaterThan(5_000)
      expect(one?.network_in).toBeGreaterThan(5_000)
      // Without a limit the container may use all memory of the server.
      expect(other).toMatchObject({ id: idle, memory_limit: Number(total) * 1024 })
      expect(other?.cpu).toBeLessThan(0.03)
      expect(other?.memory_used).toBeLessThan(20 * MB)
      expect(other?.network_out).toBeLessThan(5_000)
    }, patient)
    await machine.exec('docker', 'rm', '--force', id, idle)
  })

  test('omit stopped and removed containers', async () => {
    const [stays, stops, goes] = [
      await runContainer(machine),
      await runContainer(machine),
      await runContainer(machine),
    ]
    const all = [stays, stops, goes]
    const sampler = newSampler()
    expect((await sampler.sample(all)).map(({ id }) => id)).toEqual(all)
    await machine.exec('docker', 'stop', stops)
    await machine.exec('docker', 'rm', '--force', goes)
    expect((await sampler.sample([...all, 'never-there'])).map(({ id }) => id)).toEqual([stays])
  })

  test('start again after a restart', async () => {
    // The container uses much CPU time in its first run and little in the second, so its counter starts lower.
    const script = `
      [ -e /lived ] || { touch /lived; i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; }
      exec sleep 600`
    const id = await runContainer(machine, { options: ['--stop-signal', 'KILL'], script })
    const sampler = newSampler()
    await vi.waitFor(async () => expect((await sampler.sample([id]))[0]?.cpu).toBeLessThan(0.001), patient)
    await machine.exec('docker', 'restart', id)
    expect(await sampler.sample([id])).toEqual([])
    expect(await sampler.sample([id])).toMatchObject([{ id }])
  })

  test('are empty while Docker is unreachable and return afterwards', async () => {
    const id = await runContainer(machine, { options: ['--restart', 'always'] })
    const sampler = newSampler()
    expect(await sampler.sample([id])).toHaveLength(1)
    await machine.stopDockerd()
    expect(await sampler.sample([id])).toEqual([])
    await machine.startDockerd()
    await vi.waitFor(async () => expect(await sampler.sample([id])).toHaveLength(1), patient)
  })

  test('are not compared with readings from before a gap', async () => {
    const id = await runContainer(machine)
    const sampler = newSampler()
    const [first] = await sampler.sample([id])
    sampler.keepOnly([])
    const began = performance.now()
    const [again] = await sampler.sample([id])
    // A new container is read twice, one second apart.
    expect(performance.now() - began).toBeGreaterThan(900)
    expect([first, again]).toMatchObject([{ id }, { id }])
  })
})
