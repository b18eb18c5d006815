import { afterAll, expect, test, vi } from 'vitest'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { startLoad } from '../../../test/support/clients/load.ts'
import { makeRouted, takeProxyHost, visit } from '../../../test/support/stages/proxies.ts'

const host = await takeProxyHost()
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name })
afterAll(() => slipway.close())

const first = await makeRouted(slipway, host)

const reloads = async () => {
  const said = await host.exec(
    'sh',
    '-c',
    'docker logs slipway-proxy 2>&1 | grep -c "Reloading HAProxy" || true',
  )
  return Number(said)
}

test('switches version after version without failed requests', async () => {
  const application = await makeRouted(slipway, host, {}, first)
  await application.addDomain('swap.example.com')
  await application.publish(15_432, 4_000)
  await application.serve('1', { TCP_PORT: '4000' })
  const before = await reloads()
  const load = startLoad({
    address: host.address,
    host: 'swap.example.com',
    keepAlive: 6,
    fresh: 2,
    webSockets: 3,
    slow: 2,
    slowMs: 1_000,
    tcp: { port: 15_432, clients: 2 },
    pauseMs: 10,
  })
  for (let swap = 1; swap <= 6; swap++) await application.serve(swap % 2 ? '2' : '1', { TCP_PORT: '4000' }, 3)
  const { failures, done, versions } = await load.stop()
  expect(failures).toEqual([])
  expect(versions).toEqual(['1', '2'])
  const few = ['keep-alive', 'fresh', 'web-socket', 'slow', 'tcp'].filter((kind) => (done[kind] ?? 0) <= 5)
  expect(few).toEqual([])
  expect(await reloads()).toBe(before)
})

test('reloads for a new domain and port without failed requests', async () => {
  const application = await makeRouted(slipway, host, {}, first)
  await application.addDomain('reload.example.com')
  await application.serve('1')
  const other = await makeRouted(slipway, host, {}, first)
  const before = await reloads()
  const asked = { address: host.address, host: 'reload.example.com' }
  const busy = startLoad({
    ...asked,
    keepAlive: 4,
    fresh: 2,
    webSockets: 1,
    slow: 1,
    slowMs: 1_000,
    pauseMs: 10,
  })
  // The connection stays with the old process, which knows only the old container.
  const idle = startLoad({ ...asked, keepAlive: 1, pauseMs: 4_000 })
  await vi.waitFor(() => expect(idle.result.done['keep-alive']).toBe(1), { timeout: 60_000 })
  await other.addDomain('other.example.com')
  await other.publish(15_433, 3_000)
  await other.serve('2')
  expect(await reloads()).toBeGreaterThan(before)
  expect(await visit(host, { host: 'other.example.com' })).toMatchObject({ status: 200 })
  expect(await visit(host, { host: 'any.example.com', port: 15_433 })).toMatchObject({ status: 200 })
  await application.serve('2', {}, 1)
  const ended = await Promise.all([busy.stop(), idle.stop()])
  expect(ended.flatMap(({ failures }) => failures)).toEqual([])
  expect(await visit(host, { host: 'reload.example.com' })).toMatchObject({ headers: { 'x-version': '2' } })
})
