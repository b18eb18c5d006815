import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { newKeyPair } from '../../server/remote/ssh/key-pair.ts'
import { asking } from '../support/fakes/clouds/ask-cloud.ts'
import { startFakeDigitalOcean } from '../support/fakes/clouds/digital-ocean.ts'

const cloud = await startFakeDigitalOcean()
afterAll(() => cloud.close())
afterEach(() => {
  cloud.servers.length = 0
  cloud.keys.length = 0
  Object.assign(cloud.state, { mostPerPage: Infinity, quota: 10 })
})
const ask = asking(cloud, cloud.addToken())
const droplet = { name: 'web', region: 'fra1', size: 's-1vcpu-1gb', image: 'debian-12-x64' }
const unfit = (message: string) => ({ status: 422, body: { id: 'unprocessable_entity', message } })

test('pages lists with links', async () => {
  cloud.state.mostPerPage = 10
  const seen: unknown[] = []
  let next: string | undefined = '/v2/sizes?per_page=200'
  while (next) {
    const { body } = await ask('GET', next)
    expect(body).toMatchObject({ meta: { total: 24 } })
    const { sizes, links } = body as { sizes: unknown[]; links: { pages?: { next?: string } } }
    seen.push(...sizes)
    next = links.pages?.next?.replace(cloud.url, '')
  }
  expect(new Set(seen)).toHaveLength(24)
  expect(await ask('GET', '/v2/regions')).toMatchObject({ body: { links: {}, meta: { total: 12 } } })
  expect(await ask('GET', '/v2/sizes?page=0')).toMatchObject({ status: 400, body: { id: 'bad_request' } })
})

test('creates a droplet as new without an address, then active, and destroys it only then', async () => {
  const { publicKey } = newKeyPair('mine')
  const added = await ask('POST', '/v2/account/keys', { name: 'mine', public_key: publicKey })
  const { ssh_key } = added.body as { ssh_key: { id: number; fingerprint: string } }
  expect(await ask('POST', '/v2/account/keys', { name: 'other', public_key: publicKey })).toMatchObject(
    unfit('SSH Key is already in use on your account'),
  )
  cloud.neverBoots()
  const made = await ask('POST', '/v2/droplets', {
    ...droplet,
    ssh_keys: [ssh_key.fingerprint],
    tags: ['slipway:srv_1'],
    user_data: '#!/bin/sh\n',
  })
  expect(made).toMatchObject({ status: 202, body: { droplet: { status: 'new', networks: { v4: [] } } } })
  const { droplet: one } = made.body as { droplet: { id: number } }
  // Extends the lock after creation, so that a slow machine does not matter.
  Object.assign(cloud.servers[0] ?? {}, { created: new Date(Date.now() + 60_000) })
  expect(await ask('DELETE', `/v2/droplets/${one.id}`)).toMatchObject(
    unfit('Droplet already has a pending event.'),
  )
  cloud.slowBoot(0)
  await vi.waitFor(async () =>
    expect(await ask('GET', '/v2/droplets?tag_name=SLIPWAY:srv_1')).toMatchObject({
      body: { droplets: [{ status: 'active', networks: { v4: [{ type: 'private' }, { type: 'public' }] } }] },
    }),
  )
  expect(await ask('GET', '/v2/droplets?tag_name=none')).toMatchObject({ body: { droplets: [] } })
  expect(cloud.servers).toMatchObject([{ userData: '#!/bin/sh\n', keys: [{ publicKey }] }])
  expect((await ask('DELETE', `/v2/droplets/${one.id}`)).status).toBe(204)
  expect((await ask('DELETE', `/v2/droplets/${one.id}`)).status).toBe(404)
  expect((await ask('DELETE', `/v2/account/keys/${ssh_key.id}`)).status).toBe(204)
  expect((await ask('DELETE', `/v2/account/keys/${ssh_key.id}`)).status).toBe(404)
})

test.each([
  ['Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)', { name: 'not a host' }],
  ['You specified an invalid region for Droplet creation.', { region: 'mars1' }],
  ['Region is not available', { region: 'sfo2' }],
  ['You specified an invalid size for Droplet creation.', { size: 'huge' }],
  ['Size is not available in this region.', { size: 'gpu-h100x1-80gb' }],
  ['You specified an invalid image for Droplet creation.', { image: 'debian-1-x64' }],
  ['1 are invalid key identifiers for Droplet creation.', { ssh_keys: [1] }],
  ['Tags may only contain letters, numbers, colons, dashes, and underscores.', { tags: ['a b'] }],
  ['User data must be at most 64 KiB.', { user_data: 'x'.repeat(65_537) }],
])('does not create a droplet: %s', async (message, wrong) => {
  expect(await ask('POST', '/v2/droplets', { ...droplet, ...wrong })).toMatchObject(unfit(message))
  expect(cloud.servers).toEqual([])
})

test('enforces its stock and the droplet limit of the account', async () => {
  cloud.soldOut('s-1vcpu-1gb', 'fra1')
  expect(await ask('POST', '/v2/droplets', droplet)).toMatchObject(
    unfit('Size is not available in this region.'),
  )
  const { body } = await ask('GET', '/v2/sizes?per_page=200')
  const { sizes } = body as { sizes: { slug: string; regions: string[] }[] }
  expect(sizes.find(({ slug }) => slug === 's-1vcpu-1gb')?.regions).not.toContain('fra1')
  cloud.soldOut('s-1vcpu-1gb', 'fra1', false)
  cloud.state.quota = 1
  expect((await ask('POST', '/v2/droplets', droplet)).status).toBe(202)
  expect(await ask('POST', '/v2/droplets', droplet)).toMatchObject(
    unfit('creating this/these droplet(s) will exceed your droplet limit'),
  )
})

test('enforces the scopes of a token', async () => {
  const scoped = asking(cloud, cloud.addToken({ rights: ['droplet:read', 'droplet:create'] }))
  const forbidden = { status: 403, body: { id: 'forbidden' } }
  expect((await scoped('GET', '/v2/droplets')).status).toBe(200)
  expect(await scoped('GET', '/v2/droplets?tag_name=a')).toMatchObject(forbidden)
  expect(await scoped('GET', '/v2/account')).toMatchObject(forbidden)
  expect(await scoped('POST', '/v2/droplets', { ...droplet, tags: ['a'] })).toMatchObject(forbidden)
  expect(await scoped('POST', '/v2/tags', {})).toMatchObject(forbidden)
  expect(await ask('POST', '/v2/tags', {})).toMatchObject(unfit("Name can't be blank"))
  const reading = asking(cloud, cloud.addToken({ rights: 'read' }))
  expect((await reading('GET', '/v2/account')).status).toBe(200)
  expect(await reading('POST', '/v2/droplets', droplet)).toMatchObject(forbidden)
  expect(await asking(cloud, 'none')('GET', '/v2/account')).toMatchObject({
    status: 401,
    body: { message: 'Unable to authenticate you' },
  })
  expect((await ask('GET', '/v2/account')).headers.get('ratelimit-remaining')).toMatch(/^\d+$/)
})
