import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as entries from '../../../contract/application-entries.ts'
import * as contract from '../../../contract/applications.ts'
import { listDomains } from '../../../contract/domains.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { eventsOf } from '../../../test/support/clients/events.ts'
import { makeApplication, makeRelease } from '../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, ok, refused } = slipway
const team = await makeTeam(db)
const { workspace } = team
const { token } = team.member

/** An unreachable server suffices, because no call in this file needs it. */
const host = nowhere()
const away = { name: 'web-1', status: 'unreachable', reason: 'It does not answer.' } as const
let server: Id<'server'>
beforeAll(async () => {
  server = await makeServer(ctx, workspace, host, away)
})

const given = (more: object = {}) => ({
  name: 'Shop',
  source: { type: 'docker_image', image: 'nginx:1.27' },
  server_id: server,
  ...more,
})
const create = async (more: object = {}) =>
  (await ok(contract.createApplication, { token, body: given(more) })).application
const errorsOf = async (sent: Parameters<typeof refused>[1]) =>
  (await refused(contract.createApplication, { token, ...sent }, 422)).body
const at = (id: Id<'application'>) => ({ token, params: { id } })

describe('creating an application', () => {
  test('stores every field and generates a URL', async () => {
    const made = await create({
      name: 'Ünique Shop!',
      env: 'A=1\n\n B = two=2 \n=x\nA=3',
      labels: [{ key: 'com.example.team', value: 'web' }],
      volumes: 'data:/data',
      ports: '5432:5433',
      domains: [{ host: 'Shop.Example.com', path: '/api/' }],
      port: 8080,
      replicas: 2,
      health: { type: 'http', path: '/healthz' },
    })
    expect(made).toMatchObject({
      name: 'Ünique Shop!',
      state: 'never_deployed',
      source: { type: 'docker_image', image: 'nginx:1.27' },
      server: { id: server, name: 'web-1' },
      address: 'http://shop.example.com/api',
      containers: { running: 0, wanted: 0 },
      changed: false,
      port: 8080,
      replicas: 2,
      health: { type: 'http', path: '/healthz', within_seconds: 60 },
      drift: [],
    })
    const { env } = await ok(entries.listVariables, at(made.id))
    expect(env.map(({ key, value }) => [key, value])).toEqual([
      ['A', '3'],
      ['B', 'two=2'],
    ])
    const { volumes } = await ok(entries.listVolumes, at(made.id))
    const name = expect.stringMatching(/^unique-shop-.*-data$/)
    expect(volumes).toMatchObject([{ source: 'data', target: '/data', type: 'volume', name }])
    expect((await ok(entries.listLabels, at(made.id))).labels).toMatchObject([{ key: 'com.example.team' }])
    expect((await ok(entries.listPorts, at(made.id))).ports).toMatchObject([{ source: 5432, target: 5433 }])
    expect((await ok(listDomains, at(made.id))).domains).toMatchObject([
      { host: 'shop.example.com', path: '/api', https: true, generated: false },
      { host: 'unique-shop.192-0-2-7.sslip.io', path: '/', https: false, generated: true },
    ])
    const orders = db.selectFrom('certificates').select('status').where('host', '=', 'shop.example.com')
    expect(await orders.execute()).toEqual([{ status: 'waiting' }])
    expect(await eventsOf(db, workspace)).toContain('application.created')
  })

  test('gives applications with the same name different slugs, also concurrently', async () => {
    const made = await Promise.all([1, 2, 3].map(() => create({ name: 'Twin' })))
    const hosts = new Set(made.map(({ address }) => address))
    expect(hosts).toEqual(
      new Set([
        'http://twin-2.192-0-2-7.sslip.io/',
        'http://twin-3.192-0-2-7.sslip.io/',
        'http://twin.192-0-2-7.sslip.io/',
      ]),
    )
  })

  test('rejects a route that another application on the server uses', async () => {
    await create({ name: 'First', domains: [{ host: 'one.example.com' }], ports: '7001:80' })
    const taken = await errorsOf({
      body: given({ domains: [{ host: 'free.example.com' }, { host: 'one.example.com' }], ports: '7001:1' }),
    })
    expect(taken).toEqual({
      errors: {
        'domains.1.host': ['This domain is used by application First.'],
        'ports.0.source': ['Port 7001 is used by application First.'],
      },
    })
    await create({ name: 'A path of it', domains: [{ host: 'one.example.com', path: '/blog' }] })

    const others = await makeTeam(db)
    const elsewhere = await makeServer(ctx, others.workspace, nowhere(), away)
    const there = given({ ports: '7001:1', server_id: elsewhere })
    await ok(contract.createApplication, { token: others.member.token, body: there })
    const name = given({ domains: [{ host: 'one.example.com' }], server_id: elsewhere })
    await refused(contract.createApplication, { token: others.member.token, body: name }, 409, 'host_taken')
  })

  test('rejects a missing server and one that is being deleted', async () => {
    const gone = given({ server_id: 'srv_nowhere' })
    await refused(contract.createApplication, { token, body: gone }, 404, 'not_found')
    const going = await makeServer(ctx, workspace, nowhere(), { status: 'deleting' })
    const body = given({ server_id: going })
    await refused(contract.createApplication, { token, body }, 409, 'server_deleting')
  })

  test('rejects a server whose deletion starts concurrently', async () => {
    const going = await makeServer(ctx, workspace, nowhere(), away)
    const asked = await db.transaction().execute(async (trx) => {
      await trx.updateTable('servers').set({ status: 'deleting' }).where('id', '=', going).execute()
      await trx.selectFrom('servers').select('id').where('id', '=', going).forUpdate().execute()
      const body = given({ server_id: going })
      // The request passes its checks, then waits for this transaction to end.
      const answer = slipway.call(contract.createApplication.key, { token, body })
      await vi.waitFor(async () => {
        const { rows } = await sql`select from pg_locks where not granted`.execute(db)
        expect(rows.length).toBeGreaterThan(0)
      })
      return { answer }
    })
    expect(await asked.answer).toMatchObject({ status: 409, body: { code: 'server_deleting' } })
    const made = db.selectFrom('applications').select('id').where('server_id', '=', going)
    expect(await made.execute()).toEqual([])
  })

  test('lets only admins mount server folders, and not all of them', async () => {
    const volumes = '/srv/data:/data'
    await refused(contract.createApplication, { token, body: given({ volumes }) }, 403, 'forbidden')
    const admin = { token: team.admin.token }
    const body = given({ volumes: 'a:/a\n/srv/data:/data' })
    const { application } = await ok(contract.createApplication, { ...admin, body })
    const { volumes: mounts } = await ok(entries.listVolumes, { ...admin, params: { id: application.id } })
    expect(mounts[1]).toMatchObject({ source: '/srv/data', type: 'bind', name: null, size_bytes: null })
    for (const kept of [
      '/etc',
      '/proc/1',
      '/var/run/docker.sock',
      '/var',
      '/var/lib/docker/volumes',
      '/dev',
    ]) {
      const sent = { ...admin, body: given({ volumes: [{ source: kept, target: '/x' }] }) }
      expect(await errorsOf(sent)).toMatchObject({
        errors: { 'volumes.0.source': [expect.stringMatching(kept)] },
      })
    }
  })
})

describe('updating an application', () => {
  test('changes only given fields and names them in the event', async () => {
    const { id } = await create({ health: { type: 'tcp' }, memory_limit: 64 * 1024 * 1024 })
    const before = (await eventsOf(db, workspace)).length
    const change = async (body: object) =>
      (await ok(contract.updateApplication, { ...at(id), body })).application
    const health = { type: 'tcp', path: '/', within_seconds: 60 }
    expect(await change({ name: 'Shop', health })).toMatchObject({ memory_limit: 64 * 1024 * 1024 })
    expect(await eventsOf(db, workspace)).toHaveLength(before)
    const source = { type: 'docker_image', image: 'nginx:1.28' }
    const changes = { name: 'Store', source, memory_limit: null, command: ['nginx', '-g', 'daemon off;'] }
    expect(await change({ ...changes, maintenance: true })).toMatchObject({ ...changes, maintenance: true })
    const event = await db
      .selectFrom('events')
      .select(['target_name', 'detail'])
      .where('type', '=', 'application.updated')
      .executeTakeFirstOrThrow()
    expect(event.target_name).toBe('Store')
    expect(event.detail?.split(', ').toSorted()).toEqual([
      'command',
      'image',
      'maintenance',
      'memory_limit',
      'name',
    ])
    const syncs = db.selectFrom('jobs').select('id').where('kind', '=', 'sync-proxy')
    expect(await syncs.where('key', 'like', `%${server}`).execute()).not.toEqual([])
  })

  test('reports undeployed changes', async () => {
    const id = await makeApplication(db, workspace, server)
    await makeRelease(ctx, workspace, id, 1)
    const read = async () => (await ok(contract.getApplication, at(id))).application
    expect(await read()).toMatchObject({ changed: false, release: { number: 1 }, state: 'unknown' })
    await ok(entries.createVariable, { ...at(id), body: { key: 'A', value: '1' } })
    expect(await read()).toMatchObject({ changed: true })
  })
})

describe('listing applications', () => {
  test('sorts, searches, filters by server and omits applications that are being deleted', async () => {
    const other = await makeServer(ctx, workspace, nowhere(), { ...away, name: 'web-2' })
    for (const name of ['zeta 100%', 'Alpha', 'beta']) await create({ name, server_id: other })
    const gone = await create({ name: 'gone', server_id: other })
    await db.updateTable('applications').set({ deleting_at: new Date() }).where('id', '=', gone.id).execute()
    const list = async (query: Record<string, string>) => {
      const { applications, page } = await ok(contract.listApplications, { token, query })
      return { names: applications.map(({ name }) => name), ...page }
    }
    const first = await list({ server_id: other, limit: '2' })
    expect(first).toMatchObject({ names: ['Alpha', 'beta'], total: 3 })
    expect(await list({ server_id: other, limit: '2', cursor: first.next ?? '' })).toMatchObject({
      names: ['zeta 100%'],
      next: null,
    })
    expect(await list({ q: '00%' })).toMatchObject({ names: ['zeta 100%'], total: 1 })
    await refused(contract.getApplication, at(gone.id), 404)
    await refused(contract.updateApplication, { ...at(gone.id), body: { name: 'x' } }, 404)
    await refused(entries.createVariable, { ...at(gone.id), body: { key: 'A', value: '' } }, 404)
  })

  test('lists no branches for an image and returns 404 for another workspace', async () => {
    const { id } = await create({ name: 'Branchless' })
    expect(await ok(contract.listBranches, at(id))).toEqual({ branches: [] })
    const stranger = (await makeTeam(db)).member.token
    await refused(contract.listBranches, { ...at(id), token: stranger }, 404)
  })
})
