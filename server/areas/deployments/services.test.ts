import { afterAll, expect, test } from 'vitest'
import { listPorts, listVolumes } from '../../../contract/application-entries.ts'
import { listServices } from '../../../contract/compose.ts'
import * as contract from '../../../contract/domains.ts'
import { makeApplication, makeRelease } from '../../../test/support/factories/application-factories.ts'
import { modelOf } from '../../../test/support/factories/compose-model.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { newId } from '../../platform/ids.ts'
import { changeApplication, findApplication } from '../applications/application.ts'
import { composeSealContext } from '../applications/compose.ts'
import { releaseComposeSealContext } from '../applications/release.ts'
import { findServer } from '../servers/server.ts'
import { claimPublishedPorts, savePublishedPorts } from './containers/published-ports.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db, ok, refused } = slipway
const { workspace, admin } = await makeTeam(db)
const server = await makeServer(ctx, workspace, nowhere(), { status: 'unreachable' })
const text = `
services:
  web: { image: nginx, ports: ["8080:8000"], volumes: ["files:/files", "./site:/site"] }
  api: { image: nginx, expose: ["9000", "9001"] }
  worker: { image: nginx }
volumes: { files: {} }
`

async function makeCompose() {
  const id = await makeApplication(db, workspace, server, { image: null, source_type: 'compose' })
  const compose_sealed = ctx.secrets.seal(composeSealContext(id), text)
  await changeApplication(db, workspace, id, { compose_sealed, services: ['web', 'api', 'worker'] })
  return { id, at: { token: admin.token, params: { id } } }
}

/** Inserts the rows of running services. */
async function makeLive(id: Awaited<ReturnType<typeof makeCompose>>['id'], number: number, volume: string) {
  const release = newId('release')
  const model = modelOf(
    { web: { volumes: [{ type: 'volume', source: volume, target: '/files' }] } },
    { volumes: { [volume]: {} } },
  )
  const service = {
    name: 'web',
    image: 'nginx',
    digest: null,
    image_id: 'sha256:1',
    hash: '1',
    replicas: 2,
    restart: 'always',
    stop_grace_seconds: 10,
    memory_limit: null,
    ports: [],
    completes: false,
  }
  const config = { image: '', replicas: 2, volumes: [], labels: [], services: [service] }
  await makeRelease(ctx, workspace, id, number, {
    id: release,
    config: JSON.stringify(config),
    compose_sealed: ctx.secrets.seal(
      releaseComposeSealContext(release),
      JSON.stringify({ text, profiles: [], model }),
    ),
  })
  await changeApplication(db, workspace, id, { release_id: release })
}

test('routes a domain to a service and its port', async () => {
  const { at } = await makeCompose()
  const add = (body: object) => ({
    ...at,
    body: { https: false, host: `${newId('job').slice(4)}.test`, ...body },
  })
  const whyNot = async (body: object) => (await refused(contract.createDomain, add(body), 422)).body
  const choose = { errors: { service: ['Choose a service: web, api, worker.'] } }
  expect(await whyNot({})).toEqual(choose)
  expect(await whyNot({ service: 'db' })).toEqual(choose)
  expect(await whyNot({ service: 'api' })).toEqual({
    errors: { port: ['Service api exposes several ports: 9000, 9001. Choose one.'] },
  })
  const { domain } = await ok(contract.createDomain, add({ service: 'web' }))
  expect(domain).toMatchObject({ service: 'web', port: 8000, routing_error: null })
  const changed = await ok(contract.updateDomain, {
    ...add({ service: 'api', port: 9001 }),
    params: { ...at.params, domain_id: domain.id },
  })
  expect(changed.domain).toMatchObject({ id: domain.id, service: 'api', port: 9001 })
  const image = await makeApplication(db, workspace, server)
  expect(
    (await refused(contract.createDomain, { ...add({ service: 'web' }), params: { id: image } }, 422)).body,
  ).toEqual({ errors: { service: ['Only compose applications have services. Leave this field empty.'] } })
  expect(await ok(listServices, { ...at, params: { id: image } })).toEqual({ services: [] })
})

test('reports a domain whose service is not deployed', async () => {
  const { id, at } = await makeCompose()
  for (const service of ['web', 'worker'])
    await ok(contract.createDomain, {
      ...at,
      body: { https: false, host: `${service}.lost.test`, service, port: 80 },
    })
  const lost = async () => (await ok(contract.listDomains, at)).domains.map((domain) => domain.routing_error)
  expect(await lost()).toEqual([null, null])
  await makeLive(id, 1, 'files')
  expect(await lost()).toEqual([
    null,
    'Service worker is not deployed, so this domain is not routed. Deploy it, or choose another service.',
  ])
  expect((await ok(listServices, at)).services).toMatchObject([
    {
      name: 'web',
      state: 'unknown',
      running: 0,
      wanted: 2,
      addresses: ['http://web.lost.test/'],
      containers: [],
    },
  ])
})

test('lists the volumes of the live and earlier releases', async () => {
  const { id, at } = await makeCompose()
  const stored = async () =>
    (await ok(listVolumes, at)).volumes.map(({ source, type, services }) => [source, type, services])
  expect(await stored()).toEqual([
    ['./site', 'bind', ['web']],
    ['files', 'volume', ['web']],
  ])
  await makeLive(id, 1, 'old')
  await makeLive(id, 2, 'files')
  expect(await stored()).toEqual([
    ['files', 'volume', ['web']],
    ['old', 'volume', []],
  ])
})

test('publishes the ports of the release and keeps unchanged rows', async () => {
  const { id, at } = await makeCompose()
  const [application, row] = [
    await findApplication(db, workspace, id),
    await findServer(ctx, workspace, server),
  ]
  if (!application || !row) throw new Error('They are gone.')
  const port = (host: string, source: number, target = 80) => ({ service: 'web', host, source, target })
  const write = (...ports: ReturnType<typeof port>[]) =>
    db.transaction().execute((trx) => savePublishedPorts(ctx, trx, application, ports))
  const claim = (of: typeof application, ...ports: ReturnType<typeof port>[]) =>
    db.transaction().execute((trx) => claimPublishedPorts(trx, row, of, ports))
  const ports = async () => (await ok(listPorts, at)).ports
  await write(port('127.0.0.1', 7000), port('10.0.0.1', 7000), port('', 7001))
  const before = await ports()
  expect(before).toMatchObject([{ host: '10.0.0.1' }, { host: '127.0.0.1' }, { host: '', source: 7001 }])
  await write(port('127.0.0.1', 7000, 81), port('', 7002))
  const after = await ports()
  expect(after).toMatchObject([{ id: before[1]?.id, target: 81 }, { source: 7002 }])
  const other = await findApplication(db, workspace, (await makeCompose()).id)
  if (!other) throw new Error('It is gone.')
  const taken = [`Port 7000 is used by application ${application.name}.`]
  expect(await claim(other, port('127.0.0.1', 7000))).toEqual(taken)
  expect(await claim(other, port('', 7000))).toEqual(taken)
  expect(await claim(other, port('10.0.0.1', 7000))).toEqual([])
  expect(await claim(application, port('127.0.0.1', 7000), port('', 7002))).toEqual([])
  // Containers cannot publish the HTTP port of the proxy on any address.
  expect(await claim(other, port('127.0.0.1', 80))).toEqual([
    expect.stringContaining('the HTTP port of the proxy'),
  ])
})
