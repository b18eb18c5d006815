import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openContainerStage } from '../../../test/support/stages/container-stage.ts'
import { loadBusybox, runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import type { Docker } from '../../remote/host.ts'
import { getServerHost } from '../servers/server-host.ts'
import { watchers } from './follow-containers.ts'

const host = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const docker = (...args: string[]) => host.exec('docker', ...args)
let container: string

beforeAll(async () => {
  await loadBusybox(host)
  container = await runContainer(host, { options: ['--name', 'busy'] })
  await docker('create', '--name', 'mark', 'rig/busybox')
  // The stream also includes the last moments before it was opened.
  await sleep(2_500)
})

/** Watches a server and records the requests to Docker. */
async function followed() {
  const stage = await openContainerStage(slipway, host)
  const held = { watcher: 'test', watched_until: new Date(Date.now() + 600_000) }
  const row = await slipway.db
    .updateTable('servers')
    .set(held)
    .where('id', '=', stage.server)
    .returningAll()
    .executeTakeFirstOrThrow()
  const real = getServerHost(slipway.ctx, row)
  const asked: string[] = []
  const seen: Docker = {
    ...real.docker,
    json: (given) => {
      asked.push(given.path)
      return real.docker.json(given)
    },
    stream: (given) => {
      asked.push(given.path)
      return real.docker.stream(given)
    },
  }
  const stop = new AbortController()
  const watched = Promise.all(
    watchers.map(({ watch }) => watch(slipway.ctx, row, { ...real, docker: seen }, stop.signal)),
  )
  onTestFinished(async () => {
    stop.abort()
    await watched
  })
  await stage.untilLive()
  const inspections = () => asked.filter((path) => path === `/containers/${container}/json`).length
  return { ...stage, asked, inspections, stop, watched }
}

const rename = (name: string) =>
  new Promise<void>((resolve, reject) => {
    const path = `/containers/${container}/rename?name=${name}`
    request({ socketPath: host.dockerSocket(), method: 'POST', path, agent: false }, (reply) =>
      reply.resume().once('end', resolve),
    )
      .once('error', reject)
      .end()
  })

// The order matters: each test starts after a quiet period.
test('keeps one event stream open, asks nothing while idle, and closes it at the end', async () => {
  const { asked, isLive, stop, watched } = await followed()
  const before = asked.length
  expect(asked.filter((path) => path.startsWith('/events'))).toHaveLength(1)
  await sleep(1_500)
  expect(asked).toHaveLength(before)
  expect(await isLive()).toBe(true)
  stop.abort()
  await watched
  expect(await isLive()).toBe(false)
})

test('ignores exec commands', async () => {
  const { inspections, shows } = await followed()
  const before = inspections()
  for (let n = 0; n < 3; n++) await docker('exec', 'busy', 'true')
  await docker('rename', 'mark', 'marked')
  await shows('marked', {})
  await docker('rename', 'marked', 'mark')
  expect(inspections()).toBe(before)
})

test('needs few inspections for 200 events and shows the last state', async () => {
  const { inspections, shows } = await followed()
  const before = inspections()
  const began = performance.now()
  for (let n = 1; n <= 200; n++) await rename(n === 200 ? 'calm' : `storm-${n}`)
  const took = performance.now() - began
  await shows('calm', { id: container })
  expect(inspections() - before).toBeLessThanOrEqual(Math.ceil(took / 100) + 2)
  await rename('busy')
  await shows('busy', { id: container })
})
