import { get } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { madeCertificate } from '../../../test/support/factories/certificates.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeRouted, takeProxyHost, visit } from '../../../test/support/stages/proxies.ts'
import { newId } from '../../platform/ids.ts'
import { certificateKeySealContext } from '../applications/hosts/certificate-request.ts'
import { readTraffic } from './traffic.ts'

const host = await takeProxyHost()
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name })
afterAll(() => slipway.close())
const shop = await makeRouted(slipway, host)
const api = await makeRouted(slipway, host, {}, shop)
beforeAll(async () => {
  await shop.addDomain('shop.example.com')
  await api.addDomain('shop.example.com', { path: '/api' })
  await api.addDomain('api.example.com', { port: 4_001 })
  await shop.serve('1')
  await api.serve('2', { TCP_PORT: '4001' })
})

const version = async (name: string, path = '/') =>
  (await visit(host, { host: name, path })).headers['x-version']

/** Sends a raw request that no client library would send. */
function raw(request: string): Promise<string> {
  const socket = connect(80, host.address)
  socket.end(request)
  return text(socket)
}

const setCertificate = async (name: string, pair: { certificate: string; key: string }) => {
  const id = newId('certificate')
  await slipway.db.deleteFrom('certificates').where('host', '=', name).execute()
  await slipway.db
    .insertInto('certificates')
    .values({
      id,
      workspace_id: shop.workspace,
      host: name,
      kind: 'uploaded',
      status: 'issued',
      chain: pair.certificate,
      key_sealed: slipway.ctx.secrets.seal(certificateKeySealContext(id), pair.key),
    })
    .execute()
}

describe('a domain', () => {
  test('routes by the longest path, at folder boundaries only', async () => {
    expect(await version('shop.example.com')).toBe('1')
    expect(await version('shop.example.com', '/api')).toBe('2')
    expect(await version('shop.example.com', '/api/orders?of=1')).toBe('2')
    expect(await version('shop.example.com', '/apis')).toBe('1')
    expect((await visit(host, { host: 'shop.example.com', path: '/api/x' })).text).toContain(' /api/x\n')
  })

  test('matches host names in any notation', async () => {
    const written = ['SHOP.Example.COM', 'shop.example.com:80', 'shop.example.com.', 'Shop.example.com.:8080']
    expect(await Promise.all(written.map((name) => version(name)))).toEqual(written.map(() => '1'))
    const unknown = ['example.com', 'x.shop.example.com', 'shop.example.com.evil.test', '127.0.0.1', '[::1]']
    for (const name of unknown)
      expect(await visit(host, { host: name })).toMatchObject({
        status: 404,
        text: expect.stringContaining('Nothing is served at this address'),
      })
    const odd = [
      'Host: shöp.example.com',
      'Host:',
      'Host: shop.example.com/../',
      'Host: shop.example.com/api',
    ]
    for (const header of odd)
      expect(await raw(`GET / HTTP/1.1\r\n${header}\r\nConnection: close\r\n\r\n`)).toMatch(
        /^HTTP\/1.1 40[04]/,
      )
    expect(await raw('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 404/)
    expect(await raw('GET / HTTP/1.1\r\nHost: a\r\nHost: shop.example.com\r\n\r\n')).toMatch(/^HTTP\/1.1 400/)
  })

  test('sets forwarding headers and ignores those of the client', async () => {
    const claims = {
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.test',
    }
    const { text: said } = await visit(host, { host: 'shop.example.com', path: '/headers', headers: claims })
    expect(JSON.parse(said)).toMatchObject({
      'x-forwarded-for': host.machine,
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'shop.example.com',
      'x-forwarded-port': '80',
    })
  })

  test('routes to another container port, and reports when nothing listens', async () => {
    // The echo server is not an HTTP server: it sends data before it receives a request.
    expect(await visit(host, { host: 'api.example.com' })).toMatchObject({
      status: 502,
      headers: { 'retry-after': '5' },
      text: expect.stringContaining('not available right now'),
    })
  })

  test('streams events without buffering', async () => {
    // The stream is silent after the first event, for longer than the test may take.
    const options = { host: host.address, path: '/sse', headers: { host: 'shop.example.com' }, agent: false }
    const first = await new Promise<string>((resolve, reject) => {
      const asking = get(options, (reply) => {
        reply.once('data', (data: Buffer) => {
          resolve(data.toString())
          asking.destroy()
        })
      }).once('error', reject)
    })
    expect(first).toMatch(/^data: /)
  })

  test('answers only challenges of pending orders', async () => {
    const { workspace: workspace_id, server: server_id } = shop
    const handed = { host: 'shop.example.com', token: 'a-token_1', key_authorization: 'a-token_1.thumb' }
    const expires_at = new Date(Date.now() + 60_000)
    await slipway.db
      .insertInto('acme_challenges')
      .values({ workspace_id, server_id, ...handed, expires_at })
      .execute()
    await shop.sync()
    const ask = (name: string, token: string) =>
      visit(host, { host: name, path: `/.well-known/acme-challenge/${token}` })
    expect(await ask('shop.example.com', 'a-token_1')).toMatchObject({
      status: 200,
      text: 'a-token_1.thumb',
      headers: { 'content-type': 'text/plain' },
    })
    for (const [name, token] of [
      ['shop.example.com', 'a-token_2'],
      ['api.example.com', 'a-token_1'],
      ['nobody.example.com', 'a-token_1'],
      ['shop.example.com', '<b>'],
    ] as const)
      expect((await ask(name, token)).status).toBe(404)
  })
})

test('shows a maintenance page for one application without a reload', async () => {
  const set = async (maintenance: boolean) => {
    await slipway.db.updateTable('applications').set({ maintenance }).where('id', '=', api.id).execute()
    await api.sync()
  }
  await set(true)
  expect(await visit(host, { host: 'shop.example.com', path: '/api' })).toMatchObject({
    status: 503,
    headers: { 'retry-after': '60', 'cache-control': 'no-store' },
    text: expect.stringContaining('Down for maintenance'),
  })
  expect(await version('shop.example.com')).toBe('1')
  await set(false)
  expect(await version('shop.example.com', '/api')).toBe('2')
})

test('redirects to HTTPS once there is a certificate, and replaces it at run time', async () => {
  const name = 'safe.example.com'
  await shop.addDomain(name, { https: true })
  await shop.sync()
  expect(await version(name)).toBe('1')
  const [first, second] = [await madeCertificate(name), await madeCertificate(name)]
  await setCertificate(name, first)
  await shop.sync()
  expect(await visit(host, { host: name, path: '/a?b=c' })).toMatchObject({
    status: 308,
    headers: { location: `https://${name}/a?b=c` },
  })
  await api.addDomain(name, { path: '/plain' })
  await api.sync()
  expect(await version(name, '/plain/x')).toBe('2')
  expect(await visit(host, { host: name, path: '/plainer' })).toMatchObject({ status: 308 })
  const challenge = await visit(host, { host: name, path: '/.well-known/acme-challenge/t' })
  expect(challenge.status).toBe(404)
  const said = await visit(host, { host: name, path: '/headers', ca: first.certificate })
  expect(JSON.parse(said.text)).toMatchObject({ 'x-forwarded-proto': 'https', 'x-forwarded-port': '443' })
  const before = await readTraffic(slipway.ctx, await shop.row())
  await setCertificate(name, second)
  await shop.sync()
  expect(await visit(host, { host: name, ca: second.certificate })).toMatchObject({ status: 200 })
  expect((await readTraffic(slipway.ctx, await shop.row())).process).toBe(before.process)
  // A certificate with the wrong key affects no other domain, and its domain does not redirect to HTTPS.
  await setCertificate(name, { certificate: first.certificate, key: second.key })
  await shop.sync()
  expect(await version('shop.example.com')).toBe('1')
  expect(await version(name)).toBe('1')
})

test('routes everything else when a certificate is rejected', async () => {
  await shop.addDomain('weak.example.com', { https: true })
  // The key belongs to the certificate, but is too short.
  await setCertificate('weak.example.com', await madeCertificate('weak.example.com', { kind: ['rsa:512'] }))
  await shop.publish(15_434, 3_000)
  await shop.sync()
  expect(await visit(host, { port: 15_434 })).toMatchObject({ status: 200 })
  expect(await version('weak.example.com')).toBe('1')
})

test('separates the metrics of two applications', async () => {
  const theirs = await makeRouted(slipway, host, {}, shop)
  await theirs.addDomain('theirs.example.com')
  await theirs.serve('2')
  expect(await version('theirs.example.com')).toBe('2')
  expect(await version('shop.example.com')).toBe('1')
  // HAProxy counts a response shortly after it was sent.
  const settled = () =>
    vi.waitFor(async () => {
      const { applications } = await readTraffic(slipway.ctx, await theirs.row())
      for (const { sessions } of applications.values()) expect(sessions).toBe(0)
      return applications
    })
  const before = await settled()
  await visit(host, { host: 'theirs.example.com' })
  const after = await settled()
  const requests = (of: typeof after, id: string) => of.get(id)?.requests ?? Number.NaN
  expect(requests(after, theirs.id) - requests(before, theirs.id)).toBe(1)
  expect(requests(after, shop.id)).toBe(requests(before, shop.id))
  expect(after.get(theirs.id)).toMatchObject({ status5xx: 0, sessions: 0 })
  const answered = (of: typeof after) => of.get(theirs.id)?.slower?.[0] ?? Number.NaN
  expect(answered(after) - answered(before)).toBe(1)
})
