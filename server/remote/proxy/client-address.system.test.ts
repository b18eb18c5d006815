import { expect, test, vi } from 'vitest'
import { startHaproxy } from '../../../test/support/programs/haproxy.ts'

/** The application returns the client address that the proxy passes on. */
const { folder, plan, admin, visit } = await startHaproxy(({ headers }, reply) =>
  reply.end(String(headers['x-forwarded-for'])),
)

/** Replaces the trusted ranges of the running HAProxy, as a sync does. */
async function trust(...entries: string[]) {
  const ranges = plan({ trustedProxies: entries }).maps.get('trusted.map') ?? new Map()
  await admin(`clear map ${folder}/trusted.map`)
  for (const range of ranges.keys())
    expect((await admin(`add map ${folder}/trusted.map ${range} 1`)).trim()).toBe('')
}

/** Returns the client address of a request from this source with this header. */
async function clientOf(source: string, forwarded?: string | string[]): Promise<string> {
  const { text } = await visit({
    host: source.includes(':') ? '::1' : '127.0.0.1',
    localAddress: source,
    ...(forwarded !== undefined && { headers: { 'x-forwarded-for': forwarded } }),
  })
  return text
}

test('overwrites the header of every source while no proxy is trusted', async () => {
  expect(await clientOf('127.0.0.9', '203.0.113.7')).toBe('127.0.0.9')
  expect(await clientOf('127.0.0.9', ['203.0.113.7', '203.0.113.8'])).toBe('127.0.0.9')
})

test('believes only trusted proxies', async () => {
  await trust('127.0.0.9')
  expect(await clientOf('127.0.0.9', '203.0.113.7')).toBe('203.0.113.7')
  expect(await clientOf('127.0.0.9')).toBe('127.0.0.9')
  expect(await clientOf('127.0.0.8', '203.0.113.7')).toBe('127.0.0.8')
  expect(await clientOf('127.0.0.8', '203.0.113.7, 127.0.0.9')).toBe('127.0.0.8')
})

test('finds the client behind a chain of proxies, and ignores what it claims', async () => {
  await trust('127.0.0.9', 'cloudflare', '10.0.0.0/8', '2001:db8:1::/48')
  const chains: [string | string[], string][] = [
    // The request passed Cloudflare, then a load balancer.
    ['203.0.113.7, 172.64.0.1', '203.0.113.7'],
    ['203.0.113.7, 10.1.2.3, 2606:4700::1', '203.0.113.7'],
    // The client sent a forged header.
    ['8.8.8.8, 203.0.113.7, 172.64.0.1', '203.0.113.7'],
    ['10.9.9.9, 203.0.113.7', '203.0.113.7'],
    [['8.8.8.8', '203.0.113.7, 172.64.0.1'], '203.0.113.7'],
    ['2001:db8:7::5, 2001:db8:1::9', '2001:db8:7::5'],
    ['203.0.113.7:4711', '203.0.113.7'],
    // With more hops than any real chain, the result is the last address that the proxy examined.
    ['203.0.113.7, 10.0.0.6, 10.0.0.5, 10.0.0.4, 10.0.0.3, 10.0.0.2', '10.0.0.6'],
  ]
  for (const [header, client] of chains)
    expect([header, await clientOf('127.0.0.9', header)]).toEqual([header, client])
})

test('stops at an entry that is no address', async () => {
  await trust('127.0.0.9', '10.0.0.0/8')
  for (const nonsense of ['unknown', 'x'.repeat(5_000), '999.1.1.1', '%[src]', ', ,', '10.0.0.1/8'])
    expect(await clientOf('127.0.0.9', `8.8.8.8, ${nonsense}`)).toBe('127.0.0.9')
  expect(await clientOf('127.0.0.9', '8.8.8.8, unknown, 10.0.0.2')).toBe('10.0.0.2')
  expect(await clientOf('127.0.0.9', '')).toBe('127.0.0.9')
})

test('recognizes trusted proxies and clients with IPv6 addresses', async () => {
  await trust('::1')
  expect(await clientOf('::1', '2001:db8::7')).toBe('2001:db8::7')
  await trust('2001:db8::/32')
  expect(await clientOf('::1', '2001:db8::7')).toBe('::1')
})

test('changes while requests run, without a failure', async () => {
  const answers = new Set<string>()
  const stop = new AbortController()
  const calls = Array.from({ length: 4 }, async () => {
    while (!stop.signal.aborted) answers.add(await clientOf('127.0.0.9', '203.0.113.7'))
  })
  const seen = new Set<string>()
  const untilSeen = async (client: string) => {
    answers.clear()
    await vi.waitFor(() => expect(answers).toContain(client), { interval: 1 })
    for (const answer of answers) seen.add(answer)
  }
  for (let round = 0; round < 5; round++) {
    await trust('127.0.0.9', 'cloudflare')
    await untilSeen('203.0.113.7')
    await trust()
    await untilSeen('127.0.0.9')
  }
  stop.abort()
  await Promise.all(calls)
  expect([...seen].toSorted()).toEqual(['127.0.0.9', '203.0.113.7'])
})
