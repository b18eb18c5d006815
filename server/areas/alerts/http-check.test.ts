import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { httpCheck } from '../../../contract/alerts.ts'
import { madeCertificate, type TestPair } from '../../../test/support/factories/certificates.ts'
import { urlOf } from '../../../test/support/programs/port.ts'
import type { LookupAddresses } from '../../platform/net/safe-fetch.ts'
import { runHttpCheck } from './http-check.ts'

type Listening = ReturnType<typeof createTcpServer> & { closeAllConnections?(): void }

async function listening(server: Listening): Promise<string> {
  server.listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections?.()
  })
  await once(server, 'listening')
  return urlOf(server)
}
const serve = (answer: RequestListener) => listening(createServer(answer))

/** Resolves every name to this machine. */
const lookup: LookupAddresses = (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
const here = { networks: ['127.0.0.1'], lookup }
const asked = (given: object = {}) => httpCheck.parse(given)

test('returns the status and latency', async () => {
  const url = new URL(await serve((_, response) => response.end('Status: ok')))
  const healthy = await runHttpCheck(url, asked({ contains: 'ok' }), here)
  expect(healthy).toEqual({ ok: true, status: 200, latency_ms: expect.any(Number), error: null })
  expect(await runHttpCheck(url, asked({ contains: 'is ill' }), here)).toMatchObject({
    ok: false,
    status: 200,
    error: 'responded without the text “is ill”',
  })
})

test('fails for an unexpected status and passes for an expected one', async () => {
  const url = new URL(await serve((_, response) => response.writeHead(502).end()))
  expect(await runHttpCheck(url, asked(), here)).toMatchObject({
    ok: false,
    status: 502,
    error: 'returned 502 instead of 2xx, 3xx',
  })
  for (const status of ['502', '200, 502', '5xx', '4xx,5xx'])
    expect(await runHttpCheck(url, asked({ status }), here)).toMatchObject({ ok: true })
})

test('trusts the certificates of a configured private authority', async () => {
  const pair = await madeCertificate('shop.test')
  const server = createTlsServer({ cert: pair.certificate, key: pair.key }, (_, reply) => reply.end())
  const url = new URL((await listening(server)).replace('http://127.0.0.1', 'https://shop.test'))
  expect(await runHttpCheck(url, asked(), here)).toMatchObject({
    ok: false,
    error: 'has a self-signed certificate',
  })
  expect(await runHttpCheck(url, asked(), { ...here, ca: [pair.certificate] })).toMatchObject({ ok: true })
})

test('fails when the response is too slow', async () => {
  const url = new URL(await serve((_, response) => setTimeout(() => response.end('late'), 150)))
  const { ok, error } = await runHttpCheck(url, asked({ latency_ms: 50 }), here)
  expect({ ok, error }).toEqual({
    ok: false,
    error: expect.stringMatching(/^took [\d.]+ m?s to respond \(limit 50 ms\)$/),
  })
})

test('does not follow a redirect', async () => {
  let followed = 0
  const inner = await serve((_, response) => {
    followed++
    response.end()
  })
  const url = new URL(await serve((_, response) => response.writeHead(302, { location: inner }).end()))
  expect(await runHttpCheck(url, asked(), here)).toMatchObject({ ok: true, status: 302 })
  expect(await runHttpCheck(url, asked({ status: '200' }), here)).toMatchObject({
    error: 'returned 302 instead of 200',
  })
  expect(followed).toBe(0)
})

test('reads at most one megabyte of a response', async () => {
  const url = new URL(
    await serve((_, response) => {
      response.write('begins')
      const more = setInterval(() => response.write('x'.repeat(500_000)), 1)
      response.on('close', () => clearInterval(more))
    }),
  )
  expect(await runHttpCheck(url, asked({ contains: 'begins' }), here)).toMatchObject({ ok: true })
  expect(await runHttpCheck(url, asked({ contains: 'y' }), here)).toMatchObject({ ok: false, status: 200 })
})

test('times out when the response hangs', async () => {
  const url = new URL(await serve(() => {}))
  const stop = new AbortController()
  const checking = runHttpCheck(url, asked(), { ...here, signal: stop.signal })
  const outcome = checking.catch((error: unknown) => error)
  stop.abort(new Error('Slipway stops'))
  expect(await outcome).toEqual(new Error('Slipway stops'))
  const none = { ok: false, status: null, latency_ms: null }
  const soon = { ...here, limit: 300 }
  expect(await runHttpCheck(url, asked(), soon)).toEqual({ ...none, error: 'did not respond within 300 ms' })
  const patient = await runHttpCheck(url, asked({ latency_ms: 1_500 }), soon)
  expect(patient).toEqual({ ...none, error: 'did not respond within 1.5 s' })
})

test('returns the reason of a failed request', async () => {
  const tcp = (act: (socket: Socket) => void) => listening(createTcpServer(act))
  const cut = await tcp((socket) => socket.destroy())
  const strange = await tcp((socket) => void socket.end('SSH-2.0-OpenSSH\r\n'))
  const closed = createTcpServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const refused = urlOf(closed)
  await new Promise((resolve) => closed.close(resolve))
  const reason = async (url: string) => (await runHttpCheck(new URL(url), asked(), here)).error
  expect(await reason(refused)).toBe('refused the connection')
  expect(await reason(cut)).toBe('closed the connection')
  expect(await reason(strange)).toBe('sent an invalid HTTP response')
  expect(await reason(strange.replace('http:', 'https:'))).toBe('failed the TLS handshake')
  const nobody = await runHttpCheck(new URL('https://nobody.invalid/'), asked(), { networks: [] })
  expect(nobody.error).toMatch(/^has a host name that (does not exist|could not be resolved)$/)
})

test('fails for an invalid certificate', async () => {
  const reason = async ({ certificate: cert, key }: TestPair, host: string) => {
    const { port } = new URL(await listening(createTlsServer({ cert, key }, (_, reply) => reply.end())))
    return (await runHttpCheck(new URL(`https://${host}:${port}/`), asked(), here)).error
  }
  const own = await madeCertificate('shop.example.com')
  expect(await reason(own, 'shop.example.com')).toBe('has a self-signed certificate')
  const over = await madeCertificate('shop.example.com', { over: true })
  expect(await reason(over, 'shop.example.com')).toBe('has an expired certificate')
  const signed = await madeCertificate('shop.example.com', { by: own })
  expect(await reason(signed, 'shop.example.com')).toBe('has a certificate from an untrusted authority')
})

test("does not call a private address unless it is the server's own", async () => {
  let called = 0
  const server = createServer((_, response) => {
    called++
    response.end()
  })
  const { port } = new URL(await listening(server))
  const url = new URL(`http://shop.example.com:${port}/`)
  const from = (networks: string[]) => runHttpCheck(url, asked(), { networks, lookup })
  const refused =
    'resolves to a private address that does not belong to its server, so Slipway does not call it'
  expect(await from([])).toMatchObject({ ok: false, status: null, error: refused })
  expect(await from(['10.0.0.7'])).toMatchObject({ error: refused })
  expect(called).toBe(0)
  expect(await from(['127.0.0.1'])).toMatchObject({ ok: true })
})
