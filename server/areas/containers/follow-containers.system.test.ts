import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openContainerStage } from '../../../test/support/stages/container-stage.ts'
import { loadBusybox, runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { openStream, type Stream } from '../../../test/support/clients/streams.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { startWatching } from '../servers/watch/watching.ts'
import { watchers } from './follow-containers.ts'

const host = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const stage = await openContainerStage(slipway, host)
const { shows } = stage
const docker = (...args: string[]) => host.exec('docker', ...args)

beforeAll(async () => {
  await loadBusybox(host)
  await docker('create', '--name', 'there-before', 'rig/busybox')
  // Only the container watcher runs, because collecting metrics causes updates as well.
  const watching = startWatching(slipway.ctx, watchers)
  await stage.untilLive()
  return () => watching.stop()
})

test('lists containers that existed before', async () => {
  expect(await stage.named('there-before')).toMatchObject({ state: 'created', image: 'rig/busybox' })
})

describe('follows changes made outside Slipway:', () => {
  test('run, stop, start, kill, pause, unpause, rename, remove', async () => {
    const id = await runContainer(host, { options: ['--name', 'one'] })
    const running = await shows('one', { id, state: 'running', exit_code: null, finished_at: null })
    expect(Date.parse(running?.started_at ?? '')).toBeGreaterThan(Date.now() - 60_000)
    await docker('stop', 'one')
    const ended = await shows('one', { state: 'exited', exit_code: 0 })
    expect(Date.parse(ended?.finished_at ?? '')).toBeGreaterThan(Date.parse(running?.started_at ?? ''))
    await docker('start', 'one')
    await shows('one', { state: 'running', exit_code: null, finished_at: null })
    await docker('kill', 'one')
    await shows('one', { state: 'exited', exit_code: 137 })
    await docker('start', 'one')
    await docker('pause', 'one')
    await shows('one', { state: 'paused' })
    await docker('unpause', 'one')
    await shows('one', { state: 'running' })
    await docker('rename', 'one', 'two')
    await shows('two', { id, state: 'running' })
    expect(await stage.named('one')).toBeNull()
    await docker('rm', '--force', 'two')
    await shows('two', null)
  })

  test('shows an exited container as exited', async () => {
    await runContainer(host, { options: ['--name', 'short'], script: 'exit 3' })
    await shows('short', { state: 'exited', exit_code: 3 })
  })

  test('shows a restart loop', async () => {
    await runContainer(host, { options: ['--name', 'loop', '--restart', 'always'], script: 'exit 4' })
    const found = await shows('loop', { state: 'restarting', exit_code: 4, restarts: expect.any(Number) })
    expect(found?.restarts).toBeGreaterThan(0)
    await vi.waitFor(async () =>
      expect((await stage.named('loop'))?.restarts).toBeGreaterThan(found?.restarts ?? 0),
    )
    await docker('rm', '--force', 'loop')
    await shows('loop', null)
  })

  test('shows starting, healthy and unhealthy checks', async () => {
    const options = ['--name', 'checked', '--health-cmd', 'test -e /well', '--health-interval', '300ms']
    await runContainer(host, {
      options: [...options, '--health-retries', '1', '--health-start-period', '30s'],
    })
    await shows('checked', { health: 'starting' })
    await docker('exec', 'checked', 'touch', '/well')
    await shows('checked', { health: 'healthy' })
    await docker('exec', 'checked', 'rm', '/well')
    await shows('checked', { health: 'unhealthy' })
    await docker('rm', '--force', 'checked')
  })

  test('shows a container that cannot be removed as dead', async () => {
    await docker('create', '--name', 'stuck', 'rig/busybox')
    await shows('stuck', { state: 'created' })
    const layer = (await docker('inspect', '--format', '{{.GraphDriver.Data.UpperDir}}', 'stuck')).trim()
    await host.exec('sh', '-c', 'touch "$1/kept" && chattr +i "$1/kept"', 'sh', layer)
    const refused = await stage.act('stuck', { action: 'remove' })
    expect(refused.status).toBe(502)
    expect(refused.text).toMatch(/returned an error: .*failed to remove root filesystem/)
    expect(await stage.named('stuck')).toMatchObject({ state: 'dead' })
    await host.exec('chattr', '-i', `${layer}/kept`)
    await docker('rm', 'stuck')
    await shows('stuck', null)
  })

  test('shows many containers created together', async () => {
    const names = Array.from({ length: 40 }, (_, n) => `many-${n}`)
    await host.exec('sh', '-c', 'for n do docker create --name "$n" rig/busybox & done; wait', 'sh', ...names)
    await vi.waitFor(async () => expect((await stage.list({ q: 'many-' })).page.total).toBe(names.length))
    await docker('rm', ...names)
    await vi.waitFor(async () => expect((await stage.list({ q: 'many-' })).page.total).toBe(0))
  })
})

describe('updates open consoles', () => {
  let stream: Stream
  const follow = async () => {
    stream = await openStream(`${await slipway.listen()}/v1/live`, {
      authorization: `Bearer ${stage.team.viewer.token}`,
    })
    await stream.event('connected')
  }

  test('when a container changes, without an audit event', async () => {
    await follow()
    await docker('start', 'there-before')
    const { data } = await stream.event('container.changed')
    expect(data).toEqual({ type: 'container.changed', target: { kind: 'server', id: stage.server } })
    const kept = await slipway.db.selectFrom('events').select('type').execute()
    expect(kept.map(({ type }) => type)).not.toContain('container.changed')
  })

  test('when images change or their use does', async () => {
    await follow()
    await docker('create', '--name', 'user', 'rig/busybox')
    await stream.event('image.changed')
    await follow()
    await docker('tag', 'rig/busybox', 'rig/other')
    const { data } = await stream.event('image.changed')
    expect(data).toEqual({ type: 'image.changed', target: { kind: 'server', id: stage.server } })
  })
})
