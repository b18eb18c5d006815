import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { urlOf } from '../../../test/support/programs/port.ts'
import { temporaryFolder } from '../../../test/support/programs/programs.ts'
import { proxyFolder } from './config.ts'
import { configName, planProxy } from './plan.ts'

/** HAProxy of this machine, in front of an application that returns the address it is told. */
const echo = createServer(({ headers }, reply) => reply.end(String(headers['x-forwarded-for'])))
echo.listen(0, '127.0.0.1')
await once(echo, 'listening')
const spare = createServer().listen(0, '127.0.0.1')
await once(spare, 'listening')
const port = Number(new URL(urlOf(spare)).port)
await new Promise((resolve) => spare.close(resolve))

const folder = await temporaryFolder(afterAll)
const plan = (trustedProxies: string[]) =>
  planProxy(
    {
      httpPorts: [port],
      httpsPorts: [],
      certificates: [],
      challenges: [],
      trustedProxies,
      applications: [
        {
          id: 'app_shop',
          replicas: 1,
          maintenance: false,
          healthPath: null,
          domains: [{ service: '', host: 'shop.test', path: '/', port: null, secure: null }],
          ports: [],
          instances: [
            {
              service: '',
              slot: 1,
              address: '127.0.0.1',
              port: Number(new URL(urlOf(echo)).port),
              serving: true,
            },
          ],
        },
      ],
    },
    true,
  )
const placed = (content: string) =>
  content
    .replaceAll(proxyFolder, folder)
    .replace(/^ {2}[ug]id 99\n/gm, '')
    .replace('/var/lib', folder)
for (const { name, content } of plan([]).files) await writeFile(join(folder, name), placed(content))
const haproxy = spawn('/usr/sbin/haproxy', ['-db', '-f', join(folder, configName)], { stdio: 'ignore' })
afterAll(async () => {
  haproxy.kill('SIGKILL')
  await once(haproxy, 'exit')
  echo.close()
})

const admin = async (command: string) => {
  const socket = connect(join(folder, 'admin.sock'))
  socket.end(`${command}\n`)
  return text(socket)
}

/** Replaces the trusted ranges of the running HAProxy, as a sync does. */
async function trust(...entries: string[]) {
  const ranges = plan(entries).maps.get('trusted.map') ?? new Map()
  await admin(`clear map ${folder}/trusted.map`)
  for (const range of ranges.keys())
    expect((await admin(`add map ${folder}/trusted.map ${range} 1`)).trim()).toBe('')
}

/** The client address of a call from this source with this header. */
async function clientOf(source: string, forwarded?: string | string[]): Promise<string> {
  const sent = request({
    host: source.includes(':') ? '::1' : '127.0.0.1',
    port,
    localAddress: source,
    headers: { host: 'shop.test', ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
    agent: false,
  }).end()
  const [reply] = await once(sent, 'response')
  return text(reply)
}

await vi.waitFor(() => clientOf('127.0.0.2'), { timeout: 20_000 })

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
    // A load balancer behind Cloudflare.
    ['203.0.113.7, 172.64.0.1', '203.0.113.7'],
    ['203.0.113.7, 10.1.2.3, 2606:4700::1', '203.0.113.7'],
    // The client sent a header of its own.
    ['8.8.8.8, 203.0.113.7, 172.64.0.1', '203.0.113.7'],
    ['10.9.9.9, 203.0.113.7', '203.0.113.7'],
    [['8.8.8.8', '203.0.113.7, 172.64.0.1'], '203.0.113.7'],
    ['2001:db8:7::5, 2001:db8:1::9', '2001:db8:7::5'],
    ['203.0.113.7:4711', '203.0.113.7'],
    // More hops than any real chain: the last one that was looked at.
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
  for (let round = 0; round < 5; round++) {
    await trust('127.0.0.9', 'cloudflare')
    await trust()
  }
  stop.abort()
  await Promise.all(calls)
  expect([...answers].toSorted()).toEqual(['127.0.0.9', '203.0.113.7'])
})
