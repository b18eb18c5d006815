import type { LookupAddress } from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { urlOf } from '../../../test/support/programs/port.ts'
import { failureOf } from '../../../test/support/stages/reach.ts'
import {
  isInNetworks,
  RedirectRefused,
  type LookupAddresses,
  BlockedAddress,
  safeFetch,
  ResponseTooLarge,
} from './safe-fetch.ts'

async function serve(answer: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization ?? ''}`.trim())
    answer(request, response)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return { url: urlOf(server), port: new URL(urlOf(server)).port, asked }
}
const here = { timeout: 60_000, allowedNetworks: ['127.0.0.1'] }
const nowhere = { timeout: 60_000, allowedNetworks: [] }

test('calls an allowed address and returns the response', async () => {
  const { url } = await serve((_, response) => response.writeHead(418, { 'x-pot': 'tea' }).end('Hé'))
  expect(await safeFetch(new URL(`${url}/a?b=c`), here)).toMatchObject({
    status: 418,
    text: 'Hé',
    headers: { 'x-pot': 'tea' },
  })
})

test.each([
  '127.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '0x7f.1',
  '2130706433',
  '10.1.2.3',
  '169.254.169.254',
])('refuses %s, which is not public', async (host) => {
  for (const scheme of ['http', 'https'])
    expect(await failureOf(safeFetch(new URL(`${scheme}://${host}:9/`), nowhere))).toBeInstanceOf(
      BlockedAddress,
    )
})

test('refuses other protocols than http and https', async () => {
  for (const url of ['file:///etc/passwd', 'ftp://example.com/', 'data:,x'])
    expect(await failureOf(safeFetch(new URL(url), here))).toBeInstanceOf(BlockedAddress)
})

test('checks the address that is connected to, however often the name changes', async () => {
  const { port, asked } = await serve((_, response) => response.end('secret'))
  expect(await failureOf(safeFetch(new URL(`http://localhost:${port}/`), nowhere))).toBeInstanceOf(
    BlockedAddress,
  )
  const answers: LookupAddress[][] = [
    [{ address: '203.0.113.9', family: 4 }],
    [{ address: '127.0.0.1', family: 4 }],
    [{ address: '::1', family: 6 }],
  ]
  let looked = 0
  // The first lookup returns a public address, all others this machine.
  const lookup: LookupAddresses = (_name, _options, done) => done(null, answers[Math.min(looked++, 2)] ?? [])
  const rebinding = { ...nowhere, lookup }
  const at = new URL(`https://rebind.example:${port}/`)
  // Nothing listens on this port.
  expect(await failureOf(safeFetch(at, { ...rebinding, timeout: 300 }))).not.toBeInstanceOf(BlockedAddress)
  expect(await failureOf(safeFetch(at, rebinding))).toBeInstanceOf(BlockedAddress)
  expect(await failureOf(safeFetch(at, rebinding))).toBeInstanceOf(BlockedAddress)
  expect(asked).toEqual([])
})

test('follows redirects only to allowed addresses, without secrets for another origin', async () => {
  const inner = await serve((_, response) => response.end('there'))
  const outer = await serve((request, response) =>
    response.writeHead(302, { location: request.url?.slice(1) || '/' }).end(),
  )
  const to = (where: string) => new URL(`${outer.url}/${where}`)
  const headers = { authorization: 'Basic c2VjcmV0' }
  expect((await safeFetch(to(`${inner.url}/x`), { ...here, headers })).text).toBe('there')
  expect(inner.asked).toEqual(['/x'])
  expect(outer.asked[0]).toContain('Basic')
  const trusted = { ...nowhere, trustedOrigin: outer.url }
  expect(await failureOf(safeFetch(to(`${inner.url}/x`), trusted))).toBeInstanceOf(BlockedAddress)
  expect(await failureOf(safeFetch(to('file:///etc/passwd'), trusted))).toBeInstanceOf(BlockedAddress)
  expect(await failureOf(safeFetch(to('/again'), trusted))).toBeInstanceOf(RedirectRefused)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
    expect(await failureOf(safeFetch(to(`${inner.url}/x`), { ...here, method }))).toBeInstanceOf(
      RedirectRefused,
    )
  expect(inner.asked).toEqual(['/x'])
})

test('allows plain HTTP only without secrets', async () => {
  const lookup: LookupAddresses = (_name, _options, done) =>
    done(null, [{ address: '203.0.113.9', family: 4 }])
  const asking = { ...nowhere, lookup }
  const at = new URL('http://shop.example:9/')
  expect(await failureOf(safeFetch(at, asking))).toBeInstanceOf(BlockedAddress)
  expect(await failureOf(safeFetch(at, { ...asking, timeout: 300, allowHttp: true }))).not.toBeInstanceOf(
    BlockedAddress,
  )
  const near: LookupAddresses = (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
  const inside = { ...asking, lookup: near, allowHttp: true }
  expect(await failureOf(safeFetch(at, inside))).toBeInstanceOf(BlockedAddress)
})

test('limits size and time of a response', async () => {
  const { url } = await serve((request, response) => {
    if (request.url === '/slow') return
    response.write('x')
    const more = setInterval(() => response.write('x'.repeat(100_000)), 1)
    response.on('close', () => clearInterval(more))
  })
  expect(await failureOf(safeFetch(new URL(url), { ...here, maxBytes: 1024 ** 2 }))).toBeInstanceOf(
    ResponseTooLarge,
  )
  const slow = await failureOf(safeFetch(new URL(`${url}/slow`), { ...here, timeout: 100 }))
  expect(slow.name).toBe('TimeoutError')
  const trickle = { ...here, maxBytes: 1e12, timeout: 300 }
  expect((await failureOf(safeFetch(new URL(url), trickle))).name).toBe('TimeoutError')
})

test('matches addresses in ranges', () => {
  expect(isInNetworks('10.1.2.3', ['192.168.0.0/16', '10.0.0.0/8'])).toBe(true)
  expect(isInNetworks('11.1.2.3', ['10.0.0.0/8'])).toBe(false)
  expect(isInNetworks('fd00::5', ['fd00::/8'])).toBe(true)
  expect(isInNetworks('10.0.0.1', ['10.0.0.1'])).toBe(true)
  expect(isInNetworks('10.0.0.2', ['10.0.0.1'])).toBe(false)
})
