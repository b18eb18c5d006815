import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { busyboxImage } from '../../test/support/rig/images.ts'
import { longTest } from '../../test/support/run/campaign.ts'
import { openHosts, targetOf } from '../../test/support/stages/reach.ts'
import { takeHost } from '../../test/support/stages/take-host.ts'
import { newestApiVersion } from './docker/api-version.ts'

const server = await takeHost()
await server.loadImage(await busyboxImage())
const { docker } = openHosts().get(targetOf(server))

/** Returns the path of the engine of a Debian release. */
async function engineOf(suite: string): Promise<string> {
  const script = join(import.meta.dirname, '../../test/support/rig/plugins.sh')
  return join((await promisify(execFile)(script, [suite])).stdout.trim(), 'engine')
}

/** The stop signal is SIGKILL, so that Docker stops the container quickly. */
const container = (more: object, host: object = {}) => ({
  Image: 'rig/busybox',
  StopSignal: 'SIGKILL',
  ...more,
  HostConfig: { NetworkMode: 'none', ...host },
})

/** Creates and starts a container, and returns how Docker describes it. */
async function start(name: string, body: object) {
  const { Id } = await docker.json<{ Id: string }>({
    method: 'POST',
    path: `/containers/create?name=${name}`,
    body,
  })
  await docker.json({ method: 'POST', path: `/containers/${Id}/start` })
  return docker.json({ path: `/containers/${Id}/json` })
}

test('speaks the version of the oldest engine, and a newer one as soon as Docker was upgraded', async () => {
  const before = await docker.engine()
  expect(before).toMatchObject({ version: expect.stringMatching(/^20\.10\./), apiVersion: '1.41' })
  expect(await start('old', container({}))).toMatchObject({ State: { Running: true } })
  await server.replaceDockerd(await engineOf('trixie'))
  expect(await docker.json({ path: '/containers/json' })).toEqual([])
  expect(await docker.engine()).toMatchObject({
    version: expect.stringMatching(/^26\.1\./),
    apiVersion: '1.45',
  })
  await usesNewKeys('upgraded')
})

test('works with an engine that refuses older versions', async () => {
  await server.replaceDockerd(await engineOf('trixie'), { DOCKER_MIN_API_VERSION: '1.45' })
  expect(await docker.json({ path: '/containers/json' })).toEqual([])
  expect(await docker.engine()).toMatchObject({ apiVersion: '1.45' })
  await usesNewKeys('strict')
})

longTest('works with the newest engine that can be had', async () => {
  await server.replaceDockerd(await engineOf('forky'), { DOCKER_MIN_API_VERSION: '1.44' })
  expect(await docker.json({ path: '/containers/json' })).toEqual([])
  expect(await docker.engine()).toMatchObject({ apiVersion: newestApiVersion })
  await usesNewKeys('newest')
})

async function usesNewKeys(name: string) {
  const healthcheck = { Test: ['CMD', 'true'], StartPeriod: 30e9, StartInterval: 1e9 }
  const data = { Type: 'volume', Source: `data-of-${name}` }
  await start(
    `${name}-writer`,
    container({ Cmd: ['mkdir', '/data/part'] }, { Mounts: [{ ...data, Target: '/data' }] }),
  )
  await docker.json({ method: 'POST', path: `/containers/${name}-writer/wait` })
  const part = { ...data, Target: '/part', VolumeOptions: { Subpath: 'part' } }
  const host = { Annotations: { team: 'a' }, Mounts: [part] }
  const body = container({ Cmd: ['sh', '-c', 'touch /part/file; sleep 60'], Healthcheck: healthcheck }, host)
  expect(await start(name, body)).toMatchObject({
    State: { Running: true },
    Config: { Healthcheck: healthcheck },
    HostConfig: { Annotations: { team: 'a' } },
  })
}
