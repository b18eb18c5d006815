import { expect, test, vi } from 'vitest'
import { startDeploymentWorker } from '../../../test/support/stages/deployment-worker.ts'
import { startLoad } from '../../../test/support/clients/load.ts'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'
import { newId } from '../../platform/ids.ts'

vi.setConfig({ testTimeout: 240_000 })

// Nobody takes jobs here but the tests themselves.
const stage = await openShopStage('1')
const { slipway, host, workspace } = stage
const { request, look, instancesOf, makeShop, setEnv, setFile, containersOf } = stage
const { work, workToTheEnd } = startDeploymentWorker(slipway, workspace)

/** Each asks the next one by its name, on a connection of its own and at the first address that it is told. Once it is to end it takes no more, and some time to do so. */
const relay = `
  const http = require('http')
  const { NEXT, VERSION } = process.env
  const server = http.createServer((asked, answer) => {
    const fail = (error) => answer.writeHead(502).end(NEXT + ': ' + error.message)
    http.get({ host: NEXT, port: 3000, path: asked.url, agent: false, family: 4 }, (reply) => {
      answer.writeHead(reply.statusCode, { 'x-version': VERSION || reply.headers['x-version'] })
      reply.pipe(answer)
    }).on('error', fail)
  }).listen(3000)
  process.on('SIGTERM', () => server.close(() => setTimeout(() => process.exit(0), 2000)))`
const file = `
x-relay: &relay { image: 'rig/app:1', entrypoint: [node, -e, ${JSON.stringify(relay)}] }
services:
  web: { <<: *relay, environment: { NEXT: api, VERSION: '' } }
  api: { <<: *relay, environment: { NEXT: db, VERSION: $API } }
  db: { image: 'rig/app:1' }
`

const shop = await makeShop(undefined, { drain_seconds: 60 })
await setFile(shop, file, ['web', 'api', 'db'])
const domain = { workspace_id: workspace, application_id: shop, path: '/', https: false }
await slipway.db
  .insertInto('domains')
  .values({ ...domain, id: newId('domain'), service: 'web', host: 'inside.test', port: 3000 })
  .execute()

async function begin(version: string) {
  await setEnv(shop, { API: version })
  return (await request(shop)).id
}

async function roll(version: string) {
  const id = await begin(version)
  await workToTheEnd(id)
  expect(await look(id)).toMatchObject({ status: 'completed', errors: [] })
  expect(await containersOf(shop)).toHaveLength(3)
}

test('loses no internal request during a rolling update', async () => {
  await roll('0')
  const load = startLoad({ address: host.address, host: 'inside.test', keepAlive: 8, fresh: 8, pauseMs: 20 })
  for (const version of ['1', '2', '3']) await roll(version)
  const { failures, versions, done } = await load.stop()
  expect(failures).toEqual([])
  expect(versions).toEqual(['0', '1', '2', '3'])
  expect(done['fresh']).toBeGreaterThan(100)
})

test('lets open connections finish after a crash during alias removal', async () => {
  const id = await begin('4')
  const asked = ['--max-time', '60', '--header', 'Host: inside.test', 'http://127.0.0.1/slow?ms=12000']
  const answer = host.exec('curl', '-sS', ...asked)
  // Should it fail while something else is waited for.
  answer.catch(() => {})
  await work(id)
  await expect(work(id, 1, { diesIn: 'drain' })).rejects.toThrow('lease_lost')
  const old = (await instancesOf(shop)).find(({ state }) => state === 'draining')
  await host.exec('docker', 'pause', old?.container_id ?? '')
  await workToTheEnd(id, 2)
  expect(await look(id)).toMatchObject({ status: 'completed', errors: [] })
  expect(await answer).toBe('1 slow\n')
  expect((await look(id)).data.logs.join('\n')).toMatch(/Waiting up to \d+ s for 1 open request on the old/)
  expect(await containersOf(shop)).toHaveLength(3)
})

test('does not count a stop of Docker as completion', async () => {
  const other = await makeShop()
  const waits = 'process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1000)'
  const text = `services: { worker: { image: 'rig/app:1', entrypoint: [node, -e, '${waits}'] } }`
  await setFile(other, text, ['worker'])
  const { id } = await request(other)
  await expect(work(id, 1, { diesIn: 'wait' })).rejects.toThrow('lease_lost')
  await host.stopDockerd()
  await host.startDockerd()
  const state = async () => {
    const [name = ''] = await containersOf(other)
    return (
      await host.exec('docker', 'inspect', '--format', '{{.State.Status}} {{.State.ExitCode}}', name)
    ).trim()
  }
  expect(await state()).toBe('exited 0')
  await workToTheEnd(id, 2)
  expect(await look(id)).toMatchObject({ status: 'completed', errors: [] })
  expect(await state()).toBe('running 0')
})
