import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '../../../contract/providers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam, unique } from '../../../test/support/factories/factories.ts'
import { Refusal } from '../../../test/support/fakes/http-service.ts'
import { startFakeDigitalOcean } from '../../../test/support/fakes/clouds/digital-ocean.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'
import { startFakeVultr } from '../../../test/support/fakes/clouds/vultr.ts'
import { newId } from '../../platform/ids.ts'
import { newKeyPair } from '../../remote/ssh/key-pair.ts'
import { CloudUnavailable, CloudBusy, CloudRefused, MissingPermission, TokenRefused } from './cloud-errors.ts'
import type { Account, Provider, NewCloudServer } from './provider.ts'
import { findProvider } from './providers.ts'

const [hetzner, digitalOcean, vultr] = await Promise.all([
  startFakeHetzner(),
  startFakeDigitalOcean(),
  startFakeVultr(),
])
const slipway = await startSlipway({
  ...hetzner.env,
  ...digitalOcean.env,
  ...vultr.env,
  OUTSIDE_TIMEOUT: '2',
})
afterAll(async () => {
  await slipway.close()
  await Promise.all([hetzner.close(), digitalOcean.close(), vultr.close()])
})

const clouds = [
  {
    id: 'hetzner',
    fake: hetzner,
    region: 'nbg1',
    type: 'cx23',
    image: 'debian-12',
    currency: 'EUR',
    monthly: 4.7481,
    // The provider does not report the account and requires unique names.
    owner: null,
    twice: 'name_taken',
  },
  {
    id: 'digitalocean',
    fake: digitalOcean,
    region: 'fra1',
    type: 's-1vcpu-1gb',
    image: 'debian-12-x64',
    currency: 'USD',
    monthly: 6,
    owner: 'main@example.com (My Team)',
    twice: undefined,
  },
  {
    id: 'vultr',
    fake: vultr,
    region: 'fra',
    type: 'vc2-1c-1gb',
    image: '2136',
    currency: 'USD',
    monthly: 5,
    owner: 'main (main@example.com)',
    twice: undefined,
  },
]

function getProvider(id: string): Provider {
  const provider = findProvider(id)
  if (!provider) throw new Error('It is not there.')
  return provider
}

describe.each(clouds)('at $id', ({ id, fake, region, type, image, currency, monthly, owner, twice }) => {
  const provider = getProvider(id)
  let account: Account
  beforeEach(() => {
    fake.heal()
    fake.liftRate()
    fake.state.soldOut.clear()
    fake.servers.splice(0)
    fake.keys.splice(0)
    fake.asked.splice(0)
    Object.assign(fake.state, { quota: 10, mostPerPage: Infinity, bootMs: 20 })
    // Each test has its own account, because responses are cached per account.
    account = { ctx: slipway.ctx, token: fake.addToken() }
  })

  async function wanted(given: Partial<NewCloudServer> = {}): Promise<NewCloudServer> {
    const keyId = await provider.keepKey(account, {
      name: unique('key'),
      publicKey: newKeyPair('web').publicKey,
    })
    const userData = '#!/bin/sh\ncurl https://slipway.test/import/tok_secret | sh\n'
    return { name: 'web-1', region, type, image, keyId, userData, serverId: newId('server'), ...given }
  }
  const create = async (given?: Partial<NewCloudServer>) =>
    provider.createServer(account, await wanted(given))
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    )

  test('creates a server, finds it by its tag, and destroys it', async () => {
    const order = await wanted()
    const made = await provider.createServer(account, order)
    expect(made).toMatchObject({
      name: 'web-1',
      serverId: order.serverId,
      region,
      type,
      price: { monthly, currency },
    })
    await expect.poll(async () => (await provider.findServer(account, made.id))?.status).toBe('running')
    await create({ name: 'web-2' })
    const [found, ...more] = await provider.listServers(account, order.serverId)
    expect(more).toEqual([])
    expect(found).toMatchObject({
      id: made.id,
      address: expect.stringMatching(/^203\.0\.113\./),
      status: 'running',
    })
    expect(found?.image).toContain('Debian')
    expect(Math.abs(Date.now() - (found?.created_at?.getTime() ?? 0))).toBeLessThan(60_000)
    expect(fake.servers[0]).toMatchObject({ userData: order.userData, keys: [{ id: order.keyId }] })
    expect(await provider.listServers(account)).toHaveLength(2)
    expect(fake.asked.filter((one) => /pricing|plans/.test(one)).length).toBeLessThan(2)
    await provider.destroyServer(account, made.id)
    await expect.poll(() => provider.findServer(account, made.id)).toBeUndefined()
    expect(await provider.listServers(account, order.serverId)).toEqual([])
  })

  test('returns undefined for missing objects and tolerates repeated deletions', async () => {
    for (const gone of [fake.state.nextId(), 'nonsense', '../account', '']) {
      expect(await provider.findServer(account, gone)).toBeUndefined()
      await provider.destroyServer(account, gone)
      await provider.removeKey(account, gone)
    }
    expect(await provider.listServers(account, newId('server'))).toEqual([])
  })

  test('stores a key once, whatever its comment', async () => {
    const { publicKey } = newKeyPair('one')
    expect(await provider.findKey(account, publicKey)).toBeUndefined()
    const first = await provider.keepKey(account, { name: 'a', publicKey })
    expect(await provider.findKey(account, publicKey)).toBe(first)
    const bare = publicKey.split(' ').slice(0, 2).join(' ')
    expect(await provider.keepKey(account, { name: 'b', publicKey: `${bare} another` })).toBe(first)
    expect(fake.keys).toHaveLength(1)
    await provider.removeKey(account, first)
    expect(fake.keys).toEqual([])
  })

  test('lists all pages', async () => {
    const whole = { regions: await provider.listRegions(account), types: await provider.listTypes(account) }
    fake.state.mostPerPage = 3
    fake.asked.splice(0)
    expect(await provider.listRegions(account)).toEqual(whole.regions)
    expect(await provider.listTypes(account)).toEqual(whole.types)
    expect(fake.asked.filter((one) => /page=|cursor=/.test(one)).length).toBeGreaterThan(5)
    for (let n = 0; n < 8; n++) fake.addServer({ name: `s${n}`, region, type, image })
    expect((await provider.listServers(account)).map(({ name }) => name).toSorted()).toEqual([
      's0',
      's1',
      's2',
      's3',
      's4',
      's5',
      's6',
      's7',
    ])
  })

  test('returns the catalog with availability, prices and images', async () => {
    fake.soldOut(type, region)
    const types = await provider.listTypes(account)
    for (const one of types) contract.serverType.parse(one)
    const places = types.find((one) => one.id === type)?.regions ?? []
    expect(places.find((one) => one.id === region)?.available ?? false).toBe(false)
    expect(places.filter(({ available }) => available).length).toBeGreaterThan(1)
    expect(places[0]?.price).toMatchObject({
      monthly,
      currency,
      hourly: expect.any(Number),
      taxed: currency === 'EUR',
    })
    expect(types.every(({ regions }) => regions.length > 0)).toBe(true)
    expect(types.some(({ id }) => /^gpu|^vcg|v6$/.test(id))).toBe(false)
    const regions = await provider.listRegions(account)
    for (const one of regions) contract.region.parse(one)
    expect(regions.find((one) => one.id === region)).toMatchObject({ country: 'DE', available: true })
    const images = await provider.listImages(account)
    for (const one of images) contract.serverImage.parse(one)
    expect(images.filter(({ recommended }) => recommended).map(({ family }) => family)).toEqual(['debian'])
    expect(images.find((one) => one.id === image)).toMatchObject({ name: 'Debian 12', family: 'debian' })
    expect(images.map(({ name }) => name).join()).not.toMatch(/windows|suse|bsd|snapshot|docker|alpine/i)
  })

  test('refuses invalid and revoked tokens as such', async () => {
    expect(await provider.check(account)).toEqual({ account: owner })
    expect(fake.servers.length + fake.keys.length).toBe(0)
    fake.revoke(account.token)
    for (const error of [
      await failure(provider.check(account)),
      await failure(provider.listServers(account)),
    ]) {
      expect(error).toBeInstanceOf(TokenRefused)
      expect(String(error)).toMatch(/rejected this token/)
    }
  })

  test('reports a read-only token and what to do', async () => {
    const token = fake.addToken({ rights: 'read' })
    const error = await failure(provider.check({ ...account, token }))
    expect(error).toBeInstanceOf(MissingPermission)
    expect(String(error)).toContain(provider.tokenHelp)
    expect(fake.keys).toEqual([])
  })

  test('distinguishes limits, sold-out types and taken names', async () => {
    fake.soldOut(type, region)
    const soldOut = await failure(create())
    expect(soldOut).toMatchObject({
      why: 'sold_out',
      message: expect.stringContaining(`${type} is sold out in ${region}`),
    })
    fake.state.soldOut.clear()
    await create()
    const again = await failure(create())
    expect(again instanceof CloudRefused ? again.why : again).toBe(twice)
    fake.state.quota = 1
    expect(await failure(create({ name: 'web-3' }))).toMatchObject({ why: 'quota', status: 409 })
    expect(await failure(create({ name: 'web-4', region: 'nowhere' }))).toMatchObject({ why: 'invalid' })
    expect(soldOut).toBeInstanceOf(CloudRefused)
  })

  test.each(['broken', 'bad gateway', 'nonsense', 'half', 'cut', 'slow'] as const)(
    'treats a response that is %s as unknown outcome',
    async (how) => {
      const order = await wanted()
      await provider.listServers(account)
      fake.fail('create', how, 1)
      const error = await failure(provider.createServer(account, order))
      expect(error).toBeInstanceOf(CloudUnavailable)
      expect(String(error)).toMatch(/(The request to .* failed|did not respond in time)/)
    },
  )

  test('finds what was created when the response was lost', async () => {
    for (const lose of [() => fake.failAfter('create'), () => fake.loseAnswer('create')]) {
      const order = await wanted({ name: `web-${fake.servers.length}` })
      lose()
      expect(await failure(provider.createServer(account, order))).toBeInstanceOf(CloudUnavailable)
      expect(await provider.listServers(account, order.serverId)).toHaveLength(1)
    }
    const key = { name: 'lost', publicKey: newKeyPair('lost').publicKey }
    fake.loseAnswer('add key')
    expect(await failure(provider.keepKey(account, key))).toBeInstanceOf(CloudUnavailable)
    await provider.keepKey(account, key)
    expect(fake.keys.filter(({ name }) => name === 'lost')).toHaveLength(1)
  })

  test('respects rate limits without affecting other accounts', async () => {
    fake.limitRate({ remaining: 0, retryAfter: 7 })
    const error = await failure(provider.listRegions(account))
    expect(error).toBeInstanceOf(CloudBusy)
    expect(error).toMatchObject({ status: 429, retryAfter: 7 })
    fake.liftRate()
    fake.asked.splice(0)
    expect(await failure(provider.listRegions(account))).toBeInstanceOf(CloudBusy)
    expect(fake.asked).toEqual([])
    const other = { ...account, token: fake.addToken() }
    expect((await provider.listRegions(other)).length).toBeGreaterThan(3)
    // Without that header, waits at most a minute, although the quota resets in an hour.
    fake.limitRate({ remaining: 0, seconds: 3600 })
    const limited = await failure(provider.listRegions(other))
    expect(limited).toBeInstanceOf(CloudBusy)
    expect(limited instanceof CloudBusy && (limited.retryAfter ?? 0)).toBeGreaterThan(5)
    expect(limited instanceof CloudBusy && (limited.retryAfter ?? 99)).toBeLessThanOrEqual(60)
  })

  test('reports an outage and honors aborts', async () => {
    fake.down('503')
    expect(await failure(provider.findServer(account, fake.state.nextId()))).toBeInstanceOf(CloudUnavailable)
    fake.down('cut')
    expect(await failure(provider.check(account))).toBeInstanceOf(CloudUnavailable)
    fake.up()
    fake.fail('list', 'slow')
    const left = AbortSignal.abort(new Error('They left.'))
    expect(await failure(provider.listServers({ ...account, signal: left }))).toMatchObject({
      message: 'They left.',
    })
  })

  test('asks to retry while an operation is in progress', async () => {
    fake.neverBoots()
    const made = await create()
    // Extends the lock after creation, so that a slow machine does not matter.
    Object.assign(fake.servers[0] ?? {}, { created: new Date(Date.now() + 60_000) })
    if (id === 'hetzner')
      fake.fail('destroy', new Refusal(423, { error: { code: 'locked', message: 'x' } }), 1)
    expect(await failure(provider.destroyServer(account, made.id))).toBeInstanceOf(CloudBusy)
    fake.slowBoot(0)
    await expect.poll(() => failure(provider.destroyServer(account, made.id))).toBeUndefined()
  })

  test('keeps secrets out of errors and logs', async () => {
    const order = await wanted()
    const encoded = Buffer.from(order.userData).toString('base64')
    const echo = `cannot use ${account.token} with ${order.userData} or ${encoded}`
    const body = { error: id === 'hetzner' ? { code: 'invalid_input', message: echo } : echo, message: echo }
    fake.fail('create', new Refusal(id === 'vultr' ? 400 : 422, body), 1)
    const error = await failure(provider.createServer(account, order))
    expect(error).toMatchObject({ why: 'invalid', message: expect.stringContaining('Cannot use … with') })
    const all = `${JSON.stringify(error)} ${String(error)} ${slipway.lines.join('\n')}`
    for (const secret of [account.token, 'tok_secret', encoded]) expect(all).not.toContain(secret)
  })
})

test('names the missing scopes of a DigitalOcean token', async () => {
  const rights = ['droplet:read', 'droplet:create', 'ssh_key:read', 'ssh_key:create', 'ssh_key:delete']
  const token = digitalOcean.addToken({
    rights: [...rights, 'tag:read', 'tag:create', 'regions:read', 'sizes:read'],
  })
  const error = await getProvider('digitalocean').check({ ctx: slipway.ctx, token }).catch(String)
  expect(error).toContain('lacks the scopes droplet:delete, image:read.')
})

test('lists providers for users who may manage servers', async () => {
  const { admin, viewer } = await makeTeam(slipway.db)
  const { providers } = await slipway.ok(contract.listProviders, { token: admin.token })
  expect(providers.map(({ id, name }) => [id, name])).toEqual([
    ['hetzner', 'Hetzner'],
    ['digitalocean', 'DigitalOcean'],
    ['vultr', 'Vultr'],
  ])
  expect(providers[0]?.token_help).toMatch(/Read & Write/)
  expect(await slipway.call(contract.listProviders.key, { token: viewer.token })).toMatchObject({
    status: 403,
  })
})

test('retries the lookup of a key that is not listed yet', async () => {
  const said = [
    [hetzner, 'hetzner', new Refusal(409, { error: { code: 'uniqueness_error', message: 'x' } })],
    [
      digitalOcean,
      'digitalocean',
      new Refusal(422, {
        id: 'unprocessable_entity',
        message: 'SSH Key is already in use on your account',
      }),
    ],
  ] as const
  for (const [fake, id, refusal] of said) {
    fake.heal()
    fake.liftRate()
    const account = { ctx: slipway.ctx, token: fake.addToken() }
    fake.fail('add key', refusal, 1)
    const kept = getProvider(id).keepKey(account, { name: 'a', publicKey: newKeyPair('a').publicKey })
    await expect(kept).rejects.toMatchObject({ code: 'cloud_locked', retryAfter: 5 })
  }
})
