import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { startFakeDigitalOcean } from '../../../test/support/fakes/clouds/digital-ocean.ts'
import { urlOf } from '../../../test/support/programs/port.ts'
import { newId } from '../../platform/ids.ts'
import { newKeyPair } from '../../remote/ssh/key-pair.ts'
import { CloudUnavailable, MissingPermission } from './cloud-errors.ts'
import { digitalOcean } from './digital-ocean.ts'
import { hetzner } from './hetzner.ts'
import type { Account } from './provider.ts'
import { vultr } from './vultr.ts'

const ocean = await startFakeDigitalOcean()
const slipway = await startSlipway(ocean.env)
afterAll(async () => {
  await slipway.close()
  await ocean.close()
})

/** Starts a provider with custom responses. */
async function startStrange(
  answers: Record<string, unknown>,
  otherwise: (response: ServerResponse) => void = (response) => response.writeHead(404).end('{}'),
): Promise<Account & { asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://cloud')
    asked.push(pathname)
    if (pathname in answers) response.writeHead(200).end(JSON.stringify(answers[pathname]))
    else otherwise(response)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  const url = urlOf(server)
  const config = readConfig({
    PUBLIC_URL: 'http://slipway.test',
    DATA_DIR: '/nowhere',
    HCLOUD_API_URL: url,
    DIGITALOCEAN_API_URL: url,
    VULTR_API_URL: url,
  })
  // Prices are cached by token.
  return { ctx: { ...slipway.ctx, config }, token: newId('cloudToken'), asked }
}

const price = (location: string, gross: string) => ({
  location,
  price_monthly: { net: '1', gross },
  price_hourly: { net: '0.001', gross: '0.002' },
})
const cx22 = {
  id: 104,
  name: 'cx22',
  cores: 2,
  memory: 4,
  disk: 40,
  cpu_type: 'shared',
  architecture: 'x86',
  prices: [price('fsn1', '4.51'), price('hel1', '4.51')],
  locations: [{ name: 'fsn1', available: true, deprecation: null }],
}

test('skips unreadable list items except servers', async () => {
  const account = await startStrange({
    '/v1/pricing': { pricing: {} },
    '/v1/server_types': {
      server_types: [null, { name: 5 }, { ...cx22, prices: [{ odd: 1 }, price('fsn1', '4')] }],
    },
    '/v1/servers': { servers: [{ id: 7, status: 'dreaming', public_net: 3, labels: [1] }] },
    '/v1/locations': { locations: [{}, { name: 'fsn1', brand_new: true }] },
    '/v2/droplets': { droplets: [{ id: 8, networks: null, created_at: 'never' }] },
    '/v2/plans': { plans: [7] },
    '/v2/instances': { instances: [{ id: 'x', tags: null, main_ip: 4 }] },
  })
  expect(await hetzner.listTypes(account)).toMatchObject([{ id: 'cx22', regions: [{ id: 'fsn1' }] }])
  expect(await hetzner.listRegions(account)).toMatchObject([{ id: 'fsn1', name: 'fsn1', country: null }])
  const unknown = { status: 'unknown', address: null, price: null, created_at: null, serverId: null }
  expect(await hetzner.listServers(account)).toMatchObject([{ id: '7', name: '7', ...unknown }])
  expect(await digitalOcean.listServers(account)).toMatchObject([{ id: '8', name: '8', ...unknown }])
  expect(await vultr.listServers(account)).toMatchObject([{ id: 'x', name: 'x', ...unknown }])
  expect(
    slipway.lines.some((line) => line.startsWith('Skipped an invalid item in a list of a cloud provider')),
  ).toBe(true)
})

test('uses the first address of an IPv6-only network at Hetzner', async () => {
  const public_net = { ipv4: null, ipv6: { ip: '2001:db8:1:2::/64' } }
  const account = await startStrange({
    '/v1/pricing': { pricing: {} },
    '/v1/servers': { servers: [{ id: 1, public_net }] },
  })
  expect(await hetzner.listServers(account)).toMatchObject([{ address: '2001:db8:1:2::1' }])
})

test('never mistakes other servers for ours when the tag filter is ignored', async () => {
  const [mine, other] = [newId('server'), newId('server')]
  // Users have their own tags, which come first.
  const tags = ['slipway-prod', `slipway-${mine}-old`, `Slipway-${other.toUpperCase()}`, 'web']
  const account = await startStrange({
    '/v1/pricing': { pricing: {} },
    '/v1/servers': { servers: [{ id: 1, labels: { slipway: other } }, { id: 2 }] },
    '/v2/droplets': {
      droplets: [
        { id: 1, tags },
        { id: 2, tags: ['slipway-prod'] },
      ],
    },
    '/v2/plans': { plans: [] },
    '/v2/instances': { instances: [{ id: 'a', tags }, { id: 'b' }] },
  })
  for (const provider of [hetzner, digitalOcean, vultr]) {
    expect(await provider.listServers(account, mine)).toEqual([])
    expect(await provider.listServers(account, other)).toMatchObject([{ serverId: other }])
  }
})

test('works without prices', async () => {
  const id = '0f0e0d0c-0000-4000-8000-000000000001'
  const account = await startStrange(
    {
      '/v1/servers': {
        servers: [{ id: 1, server_type: cx22, location: { name: 'fsn1' } }],
        server: { id: 1 },
      },
      '/v1/servers/1': { server: { id: 1 } },
      '/v2/instances': { instances: [{ id, plan: 'vc2-1c-1gb' }], instance: { id } },
      [`/v2/instances/${id}`]: { instance: { id } },
    },
    (response) => response.writeHead(500).end('{}'),
  )
  const wanted = { name: 'web-1', region: 'x', type: 'y', image: '1', keyId: '1', userData: '#!' }
  for (const provider of [hetzner, vultr]) {
    const [first] = await provider.listServers(account)
    expect(first).toMatchObject({ price: null })
    expect(await provider.findServer(account, first?.id ?? '')).toMatchObject({ price: null })
    const made = await provider.createServer(account, { ...wanted, serverId: newId('server') })
    expect(made).toMatchObject({ id: first?.id, price: null })
    await expect(provider.listTypes(account)).rejects.toBeInstanceOf(CloudUnavailable)
  }
})

test("understands Vultr's 400 for missing objects and refusals without code", async () => {
  const id = '0f0e0d0c-0000-4000-8000-000000000001'
  const says = (status: number, error: string) =>
    startStrange({}, (response) => response.writeHead(status).end(JSON.stringify({ error, status })))
  const gone = await says(400, 'invalid instance ID')
  expect(await vultr.findServer(gone, id)).toBeUndefined()
  await vultr.destroyServer(gone, id)
  await vultr.removeKey(await says(400, 'Invalid SSH key ID.'), id)
  await expect(vultr.listServers(gone)).rejects.toMatchObject({ why: 'invalid' })
  for (const elsewhere of [
    await says(401, 'Unauthorized IP address: 203.0.113.9'),
    await says(403, 'IP denied'),
  ])
    await expect(vultr.check(elsewhere)).rejects.toBeInstanceOf(MissingPermission)
  const full = await says(400, 'Unable to allocate an IP address in this location.')
  await expect(vultr.check(full)).rejects.toMatchObject({ why: 'invalid' })
})

test('refuses endless lists, other formats and redirects', async () => {
  const circle = { regions: [], meta: { links: { next: 'again' } } }
  const endless = await startStrange({ '/v2/regions': circle })
  await expect(vultr.listRegions(endless)).rejects.toThrow(/its list has too many pages/)
  const other = await startStrange({ '/v2/regions': { regions: 'none' }, '/v1/locations': [1] })
  await expect(vultr.listRegions(other)).rejects.toBeInstanceOf(CloudUnavailable)
  await expect(hetzner.listRegions(other)).rejects.toBeInstanceOf(CloudUnavailable)
  const elsewhere = await startStrange({}, (response) =>
    response.writeHead(302, { location: '/v2/there' }).end(),
  )
  await expect(digitalOcean.listRegions(elsewhere)).rejects.toBeInstanceOf(CloudUnavailable)
  expect(elsewhere.asked).toEqual(['/v2/regions'])
})

test('recognizes a key that DigitalOcean does not know yet', async () => {
  const account = { ctx: slipway.ctx, token: ocean.addToken() }
  const { publicKey } = newKeyPair('web')
  const wanted = {
    name: 'web-1',
    region: 'fra1',
    type: 's-1vcpu-1gb',
    image: 'debian-12-x64',
    keyId: await digitalOcean.keepKey(account, { name: 'web', publicKey }),
    userData: '#!/bin/sh\n',
    serverId: newId('server'),
  }
  await expect(digitalOcean.createServer(account, { ...wanted, keyId: '99' })).rejects.toMatchObject({
    why: 'no_key',
  })
  expect(await digitalOcean.createServer(account, wanted)).toMatchObject({ name: 'web-1' })
})
