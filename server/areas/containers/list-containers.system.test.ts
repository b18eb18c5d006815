import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as contract from '../../../contract/containers.ts'
import { openContainerStage } from '../../../test/support/stages/container-stage.ts'
import { loadBusybox, runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import { getServerHost } from '../servers/server-host.ts'
import { getServerRow } from '../servers/server.ts'
import { listContainerNames } from './list-containers.ts'
import { readContainers } from './read-containers.ts'

const host = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const stage = await openContainerStage(slipway, host)
const docker = (...args: string[]) => host.exec('docker', ...args)

beforeAll(async () => {
  await loadBusybox(host)
  await docker('tag', 'rig/busybox', 'shop/front:7')
  await runContainer(host, { options: ['--name', 'Bravo'] })
  await runContainer(host, { options: ['--name', 'alpha'] })
  await runContainer(host, { options: ['--name', 'asleep'] })
  await docker('pause', 'asleep')
  const check = ['--health-cmd', 'false', '--health-interval', '1s', '--health-retries', '1']
  await runContainer(host, { options: ['--name', 'unwell', ...check] })
  await runContainer(host, { options: ['--name', 'ended'], script: 'exit 0' })
  await runContainer(host, {
    options: ['--name', 'loop', '--restart', 'always'],
    script: 'sleep 0.1; exit 1',
  })
  const label = 'com.docker.compose.project=100%_yard'
  await docker('create', '--name', 'made', '--label', label, 'shop/front:7')
  await createByApi('odd', {
    'com.docker.compose.project': 'nul \0 and half \ud800',
    huge: 'x'.repeat(1_000_000),
  })
  // Wait until its restart backoff exceeds the duration of this file.
  await until(async () => Number(await docker('inspect', '--format', '{{.RestartCount}}', 'loop')) > 5)
  await until(
    async () =>
      (await docker('inspect', '--format', '{{.State.Health.Status}}', 'unwell')).trim() === 'unhealthy',
  )
  await until(
    async () => (await docker('inspect', '--format', '{{.State.Status}}', 'ended')).trim() === 'exited',
  )
})

const until = (isSo: () => Promise<boolean>) => vi.waitUntil(isSo, { interval: 50 })

// Docker cannot stop a paused container when the server shuts down.
afterAll(() => docker('rm', '--force', 'asleep', 'loop'))

/** Creates labels that the command line cannot express. */
const createByApi = (name: string, Labels: Record<string, string>) =>
  new Promise<void>((resolve, reject) => {
    const asked = request(
      {
        socketPath: host.dockerSocket(),
        method: 'POST',
        path: `/containers/create?name=${name}`,
        agent: false,
        headers: { 'content-type': 'application/json' },
      },
      (reply) => reply.resume().once('end', resolve),
    ).once('error', reject)
    asked.end(JSON.stringify({ Image: 'rig/busybox', Labels }))
  })

const sources = [
  { source: 'Docker itself', begin: async () => {} },
  {
    source: 'what is known',
    begin: async () => {
      slipway.work()
      await stage.untilLive()
    },
  },
]

describe.each(sources)('a list from $source', ({ begin }) => {
  beforeAll(begin)
  const names = async (query: Record<string, string> = {}) =>
    (await stage.list(query)).containers.map(({ name }) => name)

  test('sorts containers by attention, then by name', async () => {
    const all = await names()
    expect(all.filter((name) => name !== 'loop')).toEqual([
      'unwell',
      'alpha',
      'Bravo',
      'asleep',
      'made',
      'odd',
      'ended',
    ])
    expect(await stage.named('odd')).toMatchObject({ project: 'nul  and half \ufffd' })
  })

  test('searches by name, image, project and ID prefix', async () => {
    const made = await stage.named('made')
    expect(await names({ q: 'BRAV' })).toEqual(['Bravo'])
    expect(await names({ q: 'Front:7' })).toEqual(['made'])
    expect(await names({ q: '100%_Y' })).toEqual(['made'])
    expect(await names({ q: made?.id.slice(0, 20) ?? '' })).toEqual(['made'])
    expect(await names({ q: made?.id.slice(20) ?? '' })).toEqual([])
    expect(await names({ q: 'nothing' })).toEqual([])
  })

  test('is paginated', async () => {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const { containers, page } = await stage.list({
        q: 'a',
        limit: '2',
        ...(cursor !== null && { cursor }),
      })
      expect(page.total).toBe((await stage.list({ q: 'a' })).containers.length)
      seen.push(...containers.map(({ name }) => name))
      cursor = page.next
    } while (cursor !== null)
    expect(seen.filter((name) => name !== 'loop')).toEqual(
      (await names({ q: 'a' })).filter((name) => name !== 'loop'),
    )
    const sent = { token: stage.token, params: { id: stage.server }, query: { cursor: 'made-up' } }
    const got = await slipway.call(contract.listContainers.key, sent)
    expect(got.status).toBe(422)
  })

  test('includes names of containers that use an image', async () => {
    const { workspace } = stage.team
    const server = await getServerRow(
      slipway.ctx,
      { workspace: { id: workspace, role: 'admin', shell_access: 'members' } },
      stage.server,
    )
    const known = await listContainerNames(slipway.ctx, workspace, server)
    expect(known.map(({ name }) => name).toSorted()).toEqual([
      'Bravo',
      'alpha',
      'asleep',
      'ended',
      'loop',
      'made',
      'odd',
      'unwell',
    ])
    expect(known[0]?.image_id).toMatch(/^sha256:/)
  })
})

test('shows a damaged container as far as Docker lists it', async () => {
  const { workspace } = stage.team
  const server = await getServerRow(
    slipway.ctx,
    { workspace: { id: workspace, role: 'admin', shell_access: 'members' } },
    stage.server,
  )
  const { docker: real } = getServerHost(slipway.ctx, server)
  const ended = await stage.named('ended')
  const tripping: Docker = {
    ...real,
    json: (given) =>
      given.path === `/containers/${ended?.id}/json`
        ? Promise.reject(new DockerError(500, 'layer does not exist'))
        : real.json(given),
  }
  const read = await readContainers(tripping)
  expect(read.map(({ name }) => name)).toContain('alpha')
  expect(read.find(({ name }) => name === 'ended')).toMatchObject({
    id: ended?.id,
    image: 'rig/busybox',
    image_id: ended?.image_id,
    state: 'exited',
    exit_code: 0,
    health: null,
    started_at: null,
  })
})

test('reports why a server that was never connected has no list', async () => {
  await slipway.db.updateTable('servers').set({ key_sealed: null }).where('id', '=', stage.server).execute()
  await slipway.db.updateTable('servers').set({ status: 'pending' }).where('id', '=', stage.server).execute()
  const sent = { token: stage.token, params: { id: stage.server } }
  await slipway.refused(contract.listContainers, sent, 502, 'server_unreachable')
})
