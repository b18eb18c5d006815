import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as contract from '../../../contract/containers.ts'
import { openContainerStage } from '../../../test/support/stages/container-stage.ts'
import { loadBusybox, runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { startWatching } from '../servers/watch/watching.ts'
import { saveContainerMetrics } from './container-metrics.ts'
import { watchers } from './follow-containers.ts'

const host = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const stage = await openContainerStage(slipway, host)
const docker = (...args: string[]) => host.exec('docker', ...args)
const get = async (cid: string) =>
  (
    await slipway.ok(contract.getContainer, {
      token: stage.team.admin.token,
      params: { id: stage.server, cid },
    })
  ).container

beforeAll(() => loadBusybox(host))

test('returns everything Docker knows about a container', async () => {
  await docker('network', 'create', 'yard')
  const options = ['--name', 'all', '--hostname', 'inside', '--user', 'nobody', '--workdir', '/tmp', '--tty']
  const mounts = ['--mount', 'type=volume,source=kept,target=/kept', '--volume', '/etc:/theirs:ro']
  const more = ['--restart', 'on-failure:3', '--privileged', '--network', 'yard', '--label', 'a.b=c=d']
  const compose = ['--label', 'com.docker.compose.project=shop', '--label', 'com.docker.compose.service=web']
  const entry = ['--entrypoint', '/bin/sh']
  await docker(
    'run',
    '--detach',
    ...options,
    ...mounts,
    ...more,
    ...compose,
    ...entry,
    'rig/busybox',
    '-c',
    'cat',
  )
  const found = await get('all')
  expect(found).toMatchObject({
    name: 'all',
    image: 'rig/busybox',
    state: 'running',
    health: null,
    project: 'shop',
    service: 'web',
    command: ['-c', 'cat'],
    entrypoint: ['/bin/sh'],
    working_dir: '/tmp',
    user: 'nobody',
    hostname: 'inside',
    networks: [{ name: 'yard', address: expect.stringMatching(/^172\./) }],
    restart_policy: 'on-failure:3',
    tty: true,
    privileged: true,
    error: null,
    oom_killed: false,
    auto_remove: false,
    health_output: null,
    cpu: null,
  })
  expect(found.labels).toMatchObject({ 'a.b': 'c=d' })
  expect(found.mounts).toEqual([
    { type: 'volume', name: 'kept', source: expect.any(String), target: '/kept', read_only: false },
    { type: 'bind', name: null, source: '/etc', target: '/theirs', read_only: true },
  ])
  await docker('rm', '--force', 'all')
})

test('returns the reason when a container could not start', async () => {
  await docker('create', '--name', 'broken', 'rig/busybox', '/no/such/program')
  await expect(docker('start', 'broken')).rejects.toThrow('/no/such/program')
  expect(await get('broken')).toMatchObject({
    state: 'created',
    exit_code: null,
    error: expect.stringContaining('/no/such/program'),
  })
})

test('formats all kinds of ports', async () => {
  const published = ['8080:80', '127.0.0.1:8443:443', '[::1]:5353:53/udp', '9000-9001:9000-9001']
  const options = [
    '--name',
    'ports',
    '--expose',
    '7/tcp',
    ...published.flatMap((port) => ['--publish', port]),
  ]
  await runContainer(host, { options })
  expect((await get('ports')).ports).toEqual([
    { address: null, port: null, container_port: 7, protocol: 'tcp' },
    { address: '::1', port: 5353, container_port: 53, protocol: 'udp' },
    { address: '::', port: 8080, container_port: 80, protocol: 'tcp' },
    { address: '0.0.0.0', port: 8080, container_port: 80, protocol: 'tcp' },
    { address: '127.0.0.1', port: 8443, container_port: 443, protocol: 'tcp' },
    { address: '::', port: 9000, container_port: 9000, protocol: 'tcp' },
    { address: '0.0.0.0', port: 9000, container_port: 9000, protocol: 'tcp' },
    { address: '::', port: 9001, container_port: 9001, protocol: 'tcp' },
    { address: '0.0.0.0', port: 9001, container_port: 9001, protocol: 'tcp' },
  ])
  await docker('rm', '--force', 'ports')
})

test('shows configured ports of a stopped container', async () => {
  await docker('create', '--name', 'asking', '--publish', '8080:80', 'rig/busybox')
  expect((await get('asking')).ports).toEqual([
    { address: null, port: 8080, container_port: 80, protocol: 'tcp' },
  ])
})

test('shows the last health check output until the container stops', async () => {
  const check = ['--health-cmd', 'echo no answer; exit 1', '--health-interval', '1s', '--health-retries', '1']
  await runContainer(host, { options: ['--name', 'ill', '--rm', ...check] })
  await vi.waitFor(
    async () =>
      expect(await get('ill')).toMatchObject({
        health: 'unhealthy',
        health_output: 'no answer',
        auto_remove: true,
      }),
    { timeout: 120_000 },
  )
  await docker('rm', '--force', 'ill')
})

describe('the environment', () => {
  const params = () => ({ id: stage.server, cid: 'secretive' })
  beforeAll(async () => {
    const env = ['--env', 'PASSWORD=hunter2=x', '--env', 'EMPTY=', '--env', 'LINES=a\nb']
    await docker('create', '--name', 'secretive', ...env, 'rig/busybox')
  })

  test('lists names only', async () => {
    const got = await slipway.call(contract.getContainer.key, { token: stage.token, params: params() })
    // Docker's order is not stable.
    const { environment } = await get('secretive')
    expect(environment.toSorted()).toEqual(['EMPTY', 'LINES', 'PASSWORD', 'PATH'])
    expect(got.text).not.toContain('hunter2')
  })

  test('includes values with permission, writes an audit event and logs nothing', async () => {
    const { environment } = await slipway.ok(contract.getContainerEnvironment, {
      token: stage.token,
      params: params(),
    })
    expect(environment).toEqual(
      expect.arrayContaining([
        { key: 'PASSWORD', value: 'hunter2=x' },
        { key: 'EMPTY', value: '' },
        { key: 'LINES', value: 'a\nb' },
      ]),
    )
    const emitted = await slipway.db
      .selectFrom('events')
      .selectAll()
      .where('type', '=', 'container.environment_read')
      .execute()
    expect(emitted).toMatchObject([
      { actor_name: stage.team.admin.name, target_kind: 'container', target_name: 'secretive' },
    ])
    expect(JSON.stringify(emitted) + slipway.lines.join()).not.toContain('hunter2')
  })

  test('is refused for a viewer without an event', async () => {
    const { token } = stage.team.viewer
    await slipway.refused(contract.getContainerEnvironment, { token, params: params() }, 403)
    const emitted = await slipway.db
      .selectFrom('events')
      .selectAll()
      .where('actor_name', '=', stage.team.viewer.name)
      .execute()
    expect(emitted).toEqual([])
  })
})

test('has metrics while running and watched', async () => {
  const id = await runContainer(host, { options: ['--name', 'measured'] })
  const idle = (await docker('create', '--name', 'idle', 'rig/busybox')).trim()
  // Only the container watcher runs, because the collector would replace the metrics.
  const watching = startWatching(slipway.ctx, watchers)
  onTestFinished(() => watching.stop())
  await stage.untilLive()
  await stage.shows('measured', { state: 'running' })
  const measured = { cpu: 0.5, memory_used: 3_000_000_000, memory_limit: 8_000_000_000 }
  await saveContainerMetrics(slipway.db, stage.team.workspace, stage.server, [
    { id, ...measured },
    { id: idle, ...measured },
    { id: 'gone', ...measured },
  ])
  expect(await stage.named('measured')).toMatchObject(measured)
  expect(await stage.named('idle')).toMatchObject({ cpu: null, memory_used: null })
  expect(await get('measured')).toMatchObject(measured)
  await docker('rename', 'measured', 'renamed')
  await stage.shows('renamed', measured)
  await docker('stop', 'renamed')
  await stage.shows('renamed', { state: 'exited', cpu: null, memory_used: null, memory_limit: null })
})
