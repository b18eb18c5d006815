import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { endSlowRequests } from '../../../test/support/rig/load-app.ts'
import { makeRouted, takeProxyHost, visit } from '../../../test/support/stages/proxies.ts'
import { readProxyState } from '../../remote/proxy/apply.ts'
import { getServerHost } from '../servers/server-host.ts'
import { countOpenConnections } from './count-open-connections.ts'
import { readTraffic } from './traffic.ts'

const host = await takeProxyHost()
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name })
afterAll(() => slipway.close())
const shop = await makeRouted(slipway, host)

beforeAll(async () => {
  await shop.addDomain('web.example.com', { service: 'web', port: 3000 })
  await shop.addDomain('api.example.com', { service: 'api' })
  await shop.publish(15_432, 3_000, { service: 'api' })
  await shop.publish(15_433, 3_000, { service: 'api', host: '127.0.0.1' })
  // The server does not have this address, which must not affect other ports.
  await shop.publish(15_433, 3_000, { service: 'web', host: '192.0.2.7' })
  await shop.serve('1', {}, 0, 'web')
  await shop.serve('2', {}, 0, 'api')
})

const version = async (asked: Parameters<typeof visit>[1]) => (await visit(host, asked)).headers['x-version']
const inside = (port: number) =>
  host.exec('curl', '--silent', '--show-error', '--head', `http://127.0.0.1:${port}/`)

const placesOf = async (backend: RegExp) =>
  (await readProxyState(getServerHost(slipway.ctx, await shop.row()))).places.filter((one) =>
    backend.test(one.backend),
  )

test('routes each domain and port to its service', async () => {
  expect(await version({ host: 'web.example.com' })).toBe('1')
  expect(await version({ host: 'api.example.com' })).toBe('2')
  expect(await version({ port: 15_432 })).toBe('2')
})

test('binds a loopback port to loopback only', async () => {
  expect(await inside(15_433)).toMatch(/x-version: 2/i)
  await expect(visit(host, { port: 15_433 })).rejects.toThrow('ECONNREFUSED')
})

test('replaces one service without touching the others or reloading', async () => {
  const { process } = await readTraffic(slipway.ctx, await shop.row())
  const before = await placesOf(/-web$/)
  await shop.serve('1', {}, 0, 'api')
  expect(await version({ host: 'api.example.com' })).toBe('1')
  expect(await version({ port: 15_432 })).toBe('1')
  expect(await inside(15_433)).toMatch(/x-version: 1/i)
  expect(await placesOf(/-web$/)).toEqual(before)
  const after = await readTraffic(slipway.ctx, await shop.row())
  expect(after.process).toBe(process)
  expect(after.applications.get(shop.id)?.requests).toBeGreaterThan(2)
})

test('drains a held instance and restores it', async () => {
  const set = async (state: 'held' | 'serving') => {
    const ofApi = slipway.db.updateTable('instances').set({ state }).where('application_id', '=', shop.id)
    await ofApi.where('service', '=', 'api').execute()
    await shop.sync()
  }
  const slow = visit(host, { host: 'api.example.com', path: '/slow' })
  const open = async () => [...(await countOpenConnections(slipway.ctx, await shop.row())).values()]
  await vi.waitFor(async () => expect(await open()).toContain(1))
  await set('held')
  expect(await visit(host, { host: 'api.example.com' })).toMatchObject({ status: 503 })
  expect(await version({ host: 'web.example.com' })).toBe('1')
  await endSlowRequests(host)
  expect(await slow).toMatchObject({ status: 200 })
  await vi.waitFor(async () => expect(await open()).toEqual([0, 0]))
  await set('serving')
  expect(await version({ host: 'api.example.com' })).toBe('1')
})
