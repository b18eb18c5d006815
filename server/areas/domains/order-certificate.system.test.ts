import { createServer, get } from 'node:http'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import * as contract from '../../../contract/domains.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { eventsOf } from '../../../test/support/clients/events.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { makeServer } from '../../../test/support/factories/factories.ts'
import { blockedName, startPebble } from '../../../test/support/programs/pebble.ts'
import { urlOf } from '../../../test/support/programs/port.ts'
import { makeSetting, takeSetUpHost } from '../../../test/support/stages/setups.ts'
import { enqueueOrder } from '../applications/hosts/certificate-request.ts'
import { toTxtRecord } from '../applications/hosts/host-names.ts'
import { syncProxy } from '../proxies/proxy.ts'
import { findServer } from '../servers/server.ts'
import { requestAcmeCertificate } from './acme-request.ts'
import { removeExpiredChallenges, withChallenges } from './challenges.ts'
import { orderCertificate } from './order-certificate.ts'

const [host, pebble] = await Promise.all([takeSetUpHost(), startPebble()])
const elsewhere = await takeSetUpHost()
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name, ...pebble.env })
afterAll(() => slipway.close())
slipway.work()
/** Setup stores these values after it has logged in to the server. */
const proven = { proven_address: host.address, proven_version: 1 }
const setting = await makeSetting(slipway, host, { name: 'web-1', status: 'ready', ...proven })
const { token } = setting.admin
const application = await makeApplication(slipway.db, setting.workspace, setting.server)
const params = { id: application }

const add = async (name: string, of = application) =>
  (await slipway.ok(contract.createDomain, { token, params: { id: of }, body: { host: name } })).domain

const order = (domain_id: string) =>
  slipway.ok(contract.orderCertificate, { token, params: { ...params, domain_id } })

/** Makes the renewal of the certificate due. */
const renew = (name: string) =>
  slipway.db.transaction().execute(async (trx) => {
    const { id } = await trx
      .updateTable('certificates')
      .set({ next_try_at: new Date(Date.now() - 60_000) })
      .where('host', '=', name)
      .returning('id')
      .executeTakeFirstOrThrow()
    await enqueueOrder(slipway.ctx, trx, setting.workspace, id)
  })

const find = async (name: string, of = application) => {
  const { domains } = await slipway.ok(contract.listDomains, { token, params: { id: of } })
  return domains.find((domain) => domain.host === name)
}

const until = (name: string, certificate: object, of = application) =>
  vi.waitFor(async () => expect((await find(name, of))?.certificate).toMatchObject(certificate), {
    timeout: 120_000,
    interval: 100,
  })

/** Returns the serial number of the certificate that is served, after verifying it. */
const servedFor = (name: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect({ host: host.address, port: 443, servername: name, ca: pebble.root }, () => {
      resolve(socket.getPeerCertificate().serialNumber)
      socket.destroy()
    })
    socket.on('error', reject)
  })

const untilServed = (name: string, not = '') =>
  vi.waitFor(
    async () => {
      const served = await servedFor(name)
      expect(served).not.toBe(not)
      return served
    },
    { interval: 100 },
  )

const proxyStarted = () => host.exec('docker', 'inspect', '--format', '{{.State.StartedAt}}', 'slipway-proxy')

test('issues, serves, renews and removes a certificate', async () => {
  const name = 'shop.example.com'
  await pebble.point(name, host.address)
  const began = await proxyStarted()
  const { id } = await add(name)
  await until(name, { status: 'issued', error: null, issuer: expect.stringMatching(/^Pebble/) })
  const first = await untilServed(name)
  expect((await find(name))?.url).toBe(`https://${name}/`)
  expect(await redirected(name)).toBe(`https://${name}/path?query`)
  // Renewal is due when a third of the lifetime is left.
  const { expires_at, next_try_at } = (await find(name))?.certificate ?? {}
  const [left, all] = [
    Date.parse(expires_at ?? '') - Date.parse(next_try_at ?? ''),
    Date.parse(expires_at ?? '') - Date.now(),
  ]
  expect(left / all).toBeCloseTo(1 / 3, 2)

  await slipway.refused(
    contract.orderCertificate,
    { token, params: { ...params, domain_id: id } },
    409,
    'certificate_issued',
  )
  await renew(name)
  const second = await untilServed(name, first)
  expect(second).not.toBe(first)

  // DNS points elsewhere during the renewal: the old certificate stays.
  await pebble.point(name, '203.0.113.9')
  await renew(name)
  await until(name, { status: 'issued', error: expect.stringContaining(`${name} points to 203.0.113.9`) })
  expect(await servedFor(name)).toBe(second)
  expect(await proxyStarted()).toBe(began)

  await slipway.ok(contract.deleteDomain, { token, params: { ...params, domain_id: id } })
  await vi.waitFor(() => expect(servedFor(name)).rejects.toThrow(/alert|ECONN|disconnected/))
  expect(
    (await eventsOf(slipway.db, setting.workspace)).filter((type) => type.startsWith('certificate')),
  ).toEqual(['certificate.issued', 'certificate.issued', 'certificate.failed'])
})

/** Returns the redirect target of an HTTP request. */
const redirected = (name: string) =>
  new Promise<string | undefined>((resolve, reject) => {
    get({ host: host.address, path: '/path?query', headers: { host: name } }, (answer) => {
      answer.resume()
      resolve(answer.headers.location)
    }).on('error', reject)
  })

test('orders no certificate until DNS points to the server', async () => {
  const name = 'moved.example.com'
  await pebble.point(name)
  const { id } = await add(name)
  await until(name, {
    status: 'waiting',
    error: `${name} has no DNS record yet. Set its A record to ${host.address}.`,
    next_try_at: expect.any(String),
  })
  await pebble.point(name, '203.0.113.9')
  await order(id)
  await until(name, {
    status: 'waiting',
    error: `${name} points to 203.0.113.9, not to web-1 (${host.address}). Set its A record to ${host.address}.`,
  })
  // A user can check a domain without HTTPS on request.
  const astray = async () =>
    (await slipway.ok(contract.checkDns, { token, params: { ...params, domain_id: id } })).problem
  expect(await astray()).toMatch(`${name} points to 203.0.113.9, not to web-1`)
  await pebble.point(name, host.address)
  expect(await astray()).toBeNull()
  await order(id)
  await until(name, { status: 'issued', error: null })
})

/** Returns the response of a proxy to a challenge for the name. */
const challenged = (at: { address: string }, name: string, token: string) =>
  new Promise<string>((resolve, reject) => {
    const path = `/.well-known/acme-challenge/${token}`
    get({ host: at.address, path, headers: { host: name }, agent: false }, (answer) => {
      text(answer).then((body) => resolve(`${answer.statusCode} ${body}`), reject)
    }).on('error', reject)
  })

test('serves a challenge only on its proxy, for its name and during the order', async () => {
  const { db, ctx } = slipway
  const name = 'challenge.example.com'
  const owner = { workspace_id: setting.workspace, host: name }
  const server = await findServer(ctx, setting.workspace, setting.server)
  const theirs = await makeSetting(slipway, elsewhere, { name: 'web-9', status: 'ready' })
  if (!server) throw new Error('The server is gone.')
  const nobody = '404 No such challenge.'
  expect(await challenged(host, name, 'token-1')).toBe(nobody)
  await withChallenges(ctx, owner, [server], async (serveChallenge) => {
    await serveChallenge('token-1', 'token-1.thumb')
    const other = await findServer(ctx, theirs.workspace, theirs.server)
    if (other) await syncProxy(ctx, other)
    expect(await challenged(host, name, 'token-1')).toBe('200 token-1.thumb')
    expect(await challenged(host, name, 'token-2')).toBe(nobody)
    expect(await challenged(host, 'other.example.com', 'token-1')).toBe(nobody)
    expect(await challenged(elsewhere, name, 'token-1')).toBe(nobody)
    await expect(serveChallenge('token 3', 'token')).rejects.toThrow('invalid challenge')
    // The challenge survives a proxy restart.
    await host.exec('docker', 'restart', 'slipway-proxy')
    await vi.waitFor(async () => expect(await challenged(host, name, 'token-1')).toMatch(/^200/))
  })
  const gone = async () => expect(await challenged(host, name, 'token-1')).toBe(nobody)
  await vi.waitFor(gone)
  // The challenge of an interrupted order is removed once it has expired.
  const expires_at = new Date(Date.now() - 1_000)
  const left = { ...owner, server_id: setting.server, token: 'token-1', key_authorization: 'token-1.x' }
  await db
    .insertInto('acme_challenges')
    .values({ ...left, expires_at })
    .execute()
  await syncProxy(ctx, server)
  expect(await challenged(host, name, 'token-1')).toBe(nobody)
  await removeExpiredChallenges(ctx)
  expect(await db.selectFrom('acme_challenges').selectAll().execute()).toEqual([])
})

test('issues no certificate to another workspace for a name that points to the first one’s server', async () => {
  const name = 'www.shop.example.com'
  await pebble.point(name, host.address)
  // The other workspace has a real server, at another address.
  const at = { proven_address: elsewhere.address, proven_version: 1 }
  const theirs = await makeSetting(slipway, elsewhere, { name: 'web-8', status: 'ready', ...at })
  const id = await makeApplication(slipway.db, theirs.workspace, theirs.server)
  const asked = { token: theirs.admin.token, params: { id } }
  await slipway.ok(contract.createDomain, { ...asked, body: { host: name } })
  const find = async () => (await slipway.ok(contract.listDomains, asked)).domains[0]
  await vi.waitFor(async () => expect((await find())?.verification.status).toBe('needs_txt'))
  const ordered = slipway.db.selectFrom('acme_orders').selectAll().where('host', '=', name)
  expect(await ordered.execute()).toEqual([])
  // The first workspace, whose server the name points to, takes it over and gets a certificate.
  await add(name)
  await until(name, { status: 'issued', error: null })
  expect(await find()).toMatchObject({ certificate: null, verification: { status: 'released' } })
  expect(await slipway.db.selectFrom('acme_challenges').selectAll().execute()).toEqual([])
})

test('does not let another workspace take over a name that is served without HTTPS', async () => {
  const name = 'plain.example.com'
  await pebble.point(name, host.address)
  await slipway.ok(contract.createDomain, { token, params, body: { host: name, https: false } })
  // Slipway cannot log in there, so only the first workspace changes the proxy.
  const claimed = { ...host, hostKey: 'ssh-ed25519 other' }
  const theirs = await makeSetting(slipway, claimed, { name: 'web-9', status: 'ready', ...proven })
  const id = await makeApplication(slipway.db, theirs.workspace, theirs.server)
  const asked = { token: theirs.admin.token, params: { id }, body: { host: name } }
  await slipway.refused(contract.createDomain, asked, 409, 'host_taken')
  // The check after adding the name verifies it, so not even a TXT record takes it away.
  await vi.waitFor(async () =>
    expect(await find(name)).toMatchObject({ verification: { status: 'verified' }, routing_error: null }),
  )
  await pebble.write(`_slipway.${name}`, toTxtRecord(theirs.workspace, name).value)
  await slipway.refused(contract.createDomain, asked, 409, 'host_taken')
})

test('deactivates authorizations after the order', async () => {
  const name = 'again.example.com'
  await pebble.point(name, host.address)
  const server = await findServer(slipway.ctx, setting.workspace, setting.server)
  if (!server) throw new Error('The server is gone.')
  const owner = { workspace_id: setting.workspace, host: name }
  let challenges = 0
  const order = () =>
    withChallenges(slipway.ctx, owner, [server], (serveChallenge) =>
      requestAcmeCertificate(
        slipway.ctx,
        name,
        (...challenge) => {
          challenges += 1
          return serveChallenge(...challenge)
        },
        new AbortController().signal,
      ),
    )
  await order()
  await order()
  expect(challenges).toBe(2)
})

test('shows the error of the certificate authority and backs off', async () => {
  await pebble.point(blockedName, host.address)
  await add(blockedName)
  await until(blockedName, { status: 'failed', error: expect.stringMatching(/forbidden by policy/) })
  const { next_try_at } = (await find(blockedName))?.certificate ?? {}
  expect(Date.parse(next_try_at ?? '') - Date.now()).toBeGreaterThan(4 * 60_000)
  expect((await find(blockedName))?.url).toBe(`http://${blockedName}/`)
})

test('honors Retry-After of the certificate authority', async () => {
  const authority = createServer((request, response) => {
    const at = urlOf(authority)
    response.setHeader('content-type', 'application/json').setHeader('replay-nonce', 'bm9uY2U')
    if (request.method !== 'POST')
      response.end(JSON.stringify({ newNonce: `${at}/n`, newAccount: `${at}/a` }))
    else
      response
        .writeHead(429, { 'retry-after': '7200' })
        .end(
          JSON.stringify({ type: 'urn:ietf:params:acme:error:rateLimited', detail: 'too many new orders' }),
        )
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void authority.close())
  await vi.waitFor(() => expect(authority.listening).toBe(true))
  const config = { ...slipway.ctx.config, ACME_URL: `${urlOf(authority)}/dir` }
  const asked = requestAcmeCertificate(
    { ...slipway.ctx, config },
    'a.example.com',
    async () => {},
    new AbortController().signal,
  )
  await expect(asked).rejects.toMatchObject({ message: 'Too many new orders.', retryAfter: 7200 })
  authority.close()
  authority.closeAllConnections()
  const again = requestAcmeCertificate(
    { ...slipway.ctx, config },
    'a.example.com',
    async () => {},
    new AbortController().signal,
  )
  await expect(again).rejects.toThrow(/^Could not reach the certificate authority at 127\.0\.0\.1:\d+: .+\.$/)
})

test('explains that certificates need port 80', async () => {
  const server = await makeServer(
    slipway.ctx,
    setting.workspace,
    { ...host, hostKey: 'ssh-ed25519 other' },
    {
      name: 'web-2',
      http_port: 8080,
      ...proven,
    },
  )
  const other = await makeApplication(slipway.db, setting.workspace, server)
  await add('port.example.com', other)
  await until(
    'port.example.com',
    {
      status: 'waiting',
      error: expect.stringContaining('The proxy of web-2 listens on port 8080, but certificate authorities '),
    },
    other,
  )
})

test('discards the result of a lost job; the next one gets the certificate', async () => {
  const name = 'lost.example.com'
  await pebble.point(name)
  const { id } = await add(name)
  await until(name, { status: 'waiting', error: expect.any(String) })
  await pebble.point(name, host.address)
  const { db, ctx } = slipway
  const row = await db
    .updateTable('certificates')
    .set({ next_try_at: new Date(Date.now() - 60_000) })
    .where('host', '=', name)
    .returningAll()
    .executeTakeFirstOrThrow()
  const lost = new Error('The lease is lost.')
  const run = { id: 'job_lost', attempt: 1, fence: 1, signal: new AbortController().signal } as const
  const assertLease = () => Promise.reject(lost)
  await expect(orderCertificate(ctx, setting.workspace, row.id, { ...run, assertLease })).rejects.toThrow(
    'The lease is lost.',
  )
  expect((await find(name))?.certificate).toMatchObject({ status: 'waiting' })
  await order(id)
  await until(name, { status: 'issued' })
})
