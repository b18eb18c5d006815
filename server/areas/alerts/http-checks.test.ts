import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { Insertable } from 'kysely'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { httpCheck } from '../../../contract/alerts.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { makeAlert } from '../../../test/support/factories/alert-factories.ts'
import { makeApplication, makeRelease } from '../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeWorkspace, nowhere, unique } from '../../../test/support/factories/factories.ts'
import { urlOf } from '../../../test/support/programs/port.ts'
import { newId } from '../../platform/ids.ts'
import { probeHeader } from '../../remote/proxy/traffic-counters.ts'
import { version } from '../../root.ts'
import type { Tables } from '../../tables.ts'
import { probeKey } from '../proxies/read-routing.ts'
import { createHttpChecks } from './http-checks.ts'
import { readCertificates } from './readings/applications.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx } = slipway

/** Starts a server whose proxy responds with `answer`, and an alert that checks its application. */
async function openStage(answer: RequestListener, given: Partial<Insertable<Tables['servers']>> = {}) {
  const asked: string[] = []
  const listener = createServer((request, response) => {
    asked.push(`${request.headers.host?.split(':')[0]}${request.url}`)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    listener.close()
    listener.closeAllConnections()
  })
  await once(listener, 'listening')
  const http_port = Number(new URL(urlOf(listener)).port)
  const workspace = await makeWorkspace(db)
  const here = { ...nowhere(), address: '127.0.0.1' }
  const server = await makeServer(ctx, workspace, here, { http_port, ...given })
  const alert = await makeAlert(db, workspace, { kind: 'http_check' })
  const stop = new AbortController()
  onTestFinished(() => stop.abort())

  async function make(
    row: Partial<Insertable<Tables['applications']>> = {},
    domain: Partial<Insertable<Tables['domains']>> = {},
  ) {
    const id = await makeApplication(db, workspace, server, row)
    await makeRelease(ctx, workspace, id, 1)
    const host = `${unique('shop')}.127-0-0-1.sslip.io`
    const usual = { host, path: '/', https: false, generated: true, ...domain }
    await db
      .insertInto('domains')
      .values({ id: newId('domain'), workspace_id: workspace, application_id: id, ...usual })
      .execute()
    return { id, host: usual.host }
  }
  const due = (ids: Id<'application'>[], check: object = {}) =>
    ids.map((application_id) => ({
      workspace_id: workspace,
      alert_id: alert,
      application_id,
      check: httpCheck.parse(check),
    }))
  const rows = () => db.selectFrom('checks').selectAll().where('alert_id', '=', alert).execute()
  return {
    workspace,
    server,
    alert,
    asked,
    make,
    due,
    rows,
    stop,
    checks: createHttpChecks(ctx, stop.signal),
  }
}

async function certify(workspace_id: Id<'workspace'>, host: string) {
  const id = newId('certificate')
  const expires_at = new Date(Date.now() + 86_400_000)
  const of = { id, workspace_id, host, kind: 'acme', chain: 'PEM', status: 'issued', expires_at } as const
  await db.insertInto('certificates').values(of).execute()
  return id
}

test('checks domains of running applications and writes the results', async () => {
  const stage = await openStage((request, response) =>
    response.writeHead(request.url === '/shop//evil.example/' ? 200 : 500).end(),
  )
  const shop = await stage.make({}, { path: '/shop' })
  const stopped = await stage.make({ wanted: 'stopped' })
  const paused = await stage.make({ maintenance: true })
  const bare = await makeApplication(db, stage.workspace, stage.server)
  const all = [shop.id, stopped.id, paused.id, bare]
  stage.checks.start(stage.due(all, { path: '//evil.example/' }))
  await stage.checks.idle()
  const url = expect.stringMatching(new RegExp(`^http://${shop.host}:\\d+/shop//evil.example/$`))
  expect(await stage.rows()).toMatchObject([{ application_id: shop.id, ok: true, status: 200, url }])
  expect(stage.asked).toEqual([`${shop.host}/shop//evil.example/`])
  stage.checks.start(stage.due(all))
  await stage.checks.idle()
  expect(await stage.rows()).toContainEqual(
    expect.objectContaining({ ok: false, status: 500, error: 'returned 500 instead of 2xx, 3xx' }),
  )
})

test('does not check an application of another workspace', async () => {
  const [mine, theirs] = [
    await openStage((_, reply) => reply.end()),
    await openStage((_, reply) => reply.end()),
  ]
  const { id } = await theirs.make()
  mine.checks.start(mine.due([id]))
  await mine.checks.idle()
  expect([...mine.asked, ...theirs.asked]).toEqual([])
  expect(await mine.rows()).toEqual([])
})

test('calls a private address only while it is the one Slipway has logged in to', async () => {
  const refused = { ok: false, error: expect.stringContaining('resolves to a private address') }
  const servers: { given: Partial<Insertable<Tables['servers']>>; generated: boolean }[] = [
    { given: { address: '192.0.2.7', proven_address: '192.0.2.7' }, generated: false },
    { given: { proven_version: 0 }, generated: true },
    { given: { address: 'localhost', proven_address: null }, generated: true },
  ]
  for (const { given, generated } of servers) {
    const stage = await openStage((_, reply) => reply.end(), given)
    const { id } = await stage.make({}, { host: 'localhost', generated })
    if (!generated) await certify(stage.workspace, 'localhost')
    stage.checks.start(stage.due([id]))
    await stage.checks.idle()
    expect(stage.asked).toEqual([])
    expect(await stage.rows()).toMatchObject([refused])
    // A domain can exist in one workspace at a time.
    await db.deleteFrom('domains').where('workspace_id', '=', stage.workspace).execute()
  }
})

test('checks a custom domain once it routes here, and from then on', async () => {
  const stage = await openStage((_, reply) => reply.end())
  const { id, host } = await stage.make()
  const own = `${unique('own')}.invalid`
  const domain = { workspace_id: stage.workspace, application_id: id, path: '/', https: false }
  await db
    .insertInto('domains')
    .values({ id: newId('domain'), host: own, ...domain })
    .execute()
  const called = async () => {
    stage.checks.start(stage.due([id]))
    await stage.checks.idle()
    return stage.asked.splice(0)
  }
  expect(await called()).toEqual([`${host}/`])
  // The issued certificate proves that the domain routed here, even after its DNS record is gone.
  const certificate = await certify(stage.workspace, own)
  expect(await called()).toEqual([`${host}/`])
  await db.deleteFrom('certificates').where('id', '=', certificate).execute()
  expect(await called()).toEqual([`${host}/`])
  const rows = (await stage.rows()).toSorted((one, other) => Number(one.at) - Number(other.at))
  expect(rows.map(({ ok, url }) => [ok, new URL(url).hostname])).toEqual([
    [true, host],
    [false, own],
    [false, own],
  ])
  // A domain that no check or certificate has proven is not called, even if it is the only one.
  await db.deleteFrom('checks').where('alert_id', '=', stage.alert).execute()
  await db.deleteFrom('domains').where('host', '=', host).execute()
  await called()
  expect(await stage.rows()).toEqual([])
})

test('checks every address of an application and reports the worst response', async () => {
  const isBroken = { path: '' }
  const agents = new Set<string | undefined>()
  const keys = new Set<unknown>()
  const stage = await openStage((request, reply) => {
    agents.add(request.headers['user-agent'])
    keys.add(request.headers[probeHeader])
    reply.writeHead(request.url === isBroken.path ? 500 : 200).end()
  })
  const { id, host } = await stage.make()
  const also = `${unique('also')}.127-0-0-1.sslip.io`
  const domain = { workspace_id: stage.workspace, application_id: id, https: false, generated: true }
  await db
    .insertInto('domains')
    .values([
      { id: newId('domain'), host: also, path: '/', ...domain },
      { id: newId('domain'), host, path: '/admin', ...domain },
    ])
    .execute()
  const check = async () => {
    stage.checks.start(stage.due([id]))
    await stage.checks.idle()
    const [row] = (await stage.rows()).toSorted((a, b) => Number(b.at) - Number(a.at))
    return row
  }
  expect(await check()).toMatchObject({ ok: true, status: 200 })
  expect(stage.asked.toSorted()).toEqual([`${also}/`, `${host}/`, `${host}/admin/`].toSorted())
  isBroken.path = '/admin/'
  expect(await check()).toMatchObject({ ok: false, status: 500, url: expect.stringMatching(/\/admin\/$/) })
  const { probes } = (await check()) ?? {}
  expect(probes?.map((probe) => probe.host).toSorted()).toEqual([also, host, host].toSorted())
  expect([...agents]).toEqual([`Slipway/${version} probe`])
  expect([...keys]).toEqual([probeKey(ctx, stage.server)])
})

test('does not let hanging domains of one workspace delay another', async () => {
  const open: (() => void)[] = []
  const hanging = await openStage((_, reply) => open.push(() => void reply.end()))
  const ids = await Promise.all(Array.from({ length: 30 }, async () => (await hanging.make()).id))
  const well = await openStage((_, reply) => reply.end())
  const shop = await well.make()
  hanging.checks.start(hanging.due(ids))
  await vi.waitFor(() => expect(open).toHaveLength(10))
  hanging.checks.start(well.due([shop.id]))
  await vi.waitFor(async () => expect(await well.rows()).toMatchObject([{ ok: true }]))
  expect(open).toHaveLength(10)
})

test('runs ten checks of a workspace at a time, each once at a time, and stops when aborted', async () => {
  let open: (() => void)[] = []
  const stage = await openStage((_, reply) => open.push(() => void reply.end()))
  const ids = await Promise.all(Array.from({ length: 15 }, async () => (await stage.make()).id))
  stage.checks.start(stage.due(ids))
  stage.checks.start(stage.due(ids))
  await vi.waitFor(() => expect(stage.asked).toHaveLength(10))
  stage.checks.start(stage.due(ids))
  for (const end of open.splice(0)) end()
  await vi.waitFor(() => expect(stage.asked).toHaveLength(15))
  // An application that is deleted meanwhile has no result, and the others are written.
  const last = stage.asked.at(-1)?.split('/')[0] ?? ''
  await db
    .deleteFrom('applications')
    .where('workspace_id', '=', stage.workspace)
    .where('id', 'in', (of) => of.selectFrom('domains').select('application_id').where('host', '=', last))
    .execute()
  for (const end of open.splice(0)) end()
  await stage.checks.idle()
  expect(new Set((await stage.rows()).map((row) => row.application_id)).size).toBe(14)
  open = []
  stage.checks.start(stage.due(ids))
  await vi.waitFor(() => expect(open).toHaveLength(10))
  stage.stop.abort()
  await stage.checks.idle()
  expect(await stage.rows()).toHaveLength(14)
})

test('reads the days left of certificates for each application that uses them', async () => {
  const stage = await openStage(() => {})
  const host = `${unique('www')}.example.com`
  const ids = [
    (await stage.make({}, { host, https: true })).id,
    (await stage.make({}, { host, https: true, path: '/api' })).id,
  ]
  await stage.make({}, { host, path: '/plain' })
  const id = newId('certificate')
  const ends = (days: number) => new Date(Date.now() + days * 86_400_000 + 60_000)
  const of = { id, workspace_id: stage.workspace, host, kind: 'acme', chain: 'PEM' } as const
  await db
    .insertInto('certificates')
    .values({ ...of, status: 'issued', expires_at: ends(6) })
    .execute()
  const found = await readCertificates(db, [stage.workspace])
  const subject = { kind: 'certificate', id, name: host, server_id: stage.server }
  expect(found).toMatchObject(
    ids.toSorted().map((application_id) => ({ subject: { ...subject, application_id } })),
  )
  const rule = { comparison: 'below', threshold: 14 } as const
  expect(found.map(({ read }) => read(rule))).toEqual([{ value: 6 }, { value: 6 }])
  await db
    .updateTable('certificates')
    .set({ expires_at: ends(-2) })
    .where('id', '=', id)
    .execute()
  expect((await readCertificates(db, [stage.workspace])).map(({ read }) => read(rule).value)).toEqual([
    -2, -2,
  ])
  expect(await readCertificates(db, [await makeWorkspace(db)])).toEqual([])
})
