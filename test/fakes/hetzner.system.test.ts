import { afterAll, expect, test, vi } from 'vitest'
import { newKeyPair } from '../../server/remote/ssh/key-pair.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'

const cloud = await startFakeHetzner()
afterAll(() => cloud.close())
const main = cloud.addToken()

/** Returns the body, or `status code` for an error. */
async function call(method: string, path: string, body?: unknown, token = main) {
  const answer = await fetch(`${cloud.url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const said = await answer.text()
  const [, code] = /"code":"(\w+)"/.exec(said) ?? []
  return code && !answer.ok ? `${answer.status} ${code}` : JSON.parse(said || '{}')
}

const patient = { timeout: 120_000 }
const wanted = { name: 'web-1', server_type: 'cx23', location: 'fsn1', image: 'debian-12' }
const order = (given: object, token?: string) => call('POST', '/servers', { ...wanted, ...given }, token)

test('rejects calls without a token, and writes with a read-only token', async () => {
  expect(await call('GET', '/servers', undefined, 'wrong')).toBe('401 unauthorized')
  const reader = cloud.addToken({ rights: 'read' })
  expect(await call('GET', '/servers', undefined, reader)).toMatchObject({ servers: [] })
  expect(await order({}, reader)).toBe('401 token_readonly')
  expect(await call('DELETE', '/servers/1', undefined, reader)).toBe('401 token_readonly')
  cloud.revoke(reader)
  expect(await call('GET', '/servers', undefined, reader)).toBe('401 unauthorized')
})

test.each([
  ['no name', { name: undefined }, '422 invalid_input'],
  ['a name with a space', { name: 'web 1' }, '422 invalid_input'],
  ['a name with an underscore', { name: 'web_1' }, '422 invalid_input'],
  ['an unknown type', { server_type: 'cx1000' }, '422 invalid_input'],
  ['a type that is no longer sold', { server_type: 'cx22' }, '422 invalid_input'],
  ['a type that this location has not', { location: 'ash' }, '422 invalid_input'],
  ['an unknown location', { location: 'mars1' }, '422 invalid_input'],
  ['an unknown image', { image: 'debian-99' }, '422 invalid_input'],
  ['an image for another architecture', { image: '114690388' }, '422 invalid_input'],
  ['an unknown key', { ssh_keys: [12] }, '404 not_found'],
  ['a label with a bad value', { labels: { 'slipway/server': 'a b' } }, '422 invalid_input'],
  ['a label of its own', { labels: { 'hetzner.cloud/x': 'a' } }, '422 invalid_input'],
  ['user data that is too long', { user_data: 'x'.repeat(32 * 1024 + 1) }, '422 invalid_input'],
  ['a datacenter', { datacenter: 'fsn1-dc14' }, '422 invalid_input'],
])('creates no server with %s', async (_, given, refused) => {
  expect(await order(given)).toBe(refused)
  expect(cloud.servers).toEqual([])
})

test('has no datacenters and rejects undocumented parameters', async () => {
  expect(await call('GET', '/datacenters')).toBe('410 deprecated_api_endpoint')
  expect(await call('GET', '/actions')).toBe('404 not_found')
  expect(await call('GET', '/servers?labels=a')).toBe('422 invalid_input')
})

test('enforces unique names and keys per project and the server limit', async () => {
  const other = cloud.addToken({ account: 'other' })
  const { publicKey } = newKeyPair('one')
  const key = { name: 'one', public_key: publicKey }
  const { ssh_key } = await call('POST', '/ssh_keys', key)
  expect(await call('POST', '/ssh_keys', { ...key, name: 'two' })).toBe('409 uniqueness_error')
  const second = { name: 'one', public_key: newKeyPair('two').publicKey }
  expect(await call('POST', '/ssh_keys', second)).toBe('409 uniqueness_error')
  expect(await call('POST', '/ssh_keys', { ...key, public_key: 'ssh-ed25519 AAAA' })).toBe(
    '422 invalid_input',
  )
  expect(await call('GET', '/ssh_keys?name=one')).toMatchObject({ ssh_keys: [{ id: ssh_key.id }] })
  expect(await call('DELETE', `/ssh_keys/${ssh_key.id}`, undefined, other)).toBe('404 not_found')

  expect(await order({ ssh_keys: [ssh_key.id] })).toMatchObject({
    server: { status: 'initializing', location: { name: 'fsn1' }, image: { name: 'debian-12' } },
    action: { command: 'create_server', status: 'running' },
    root_password: null,
  })
  expect(await order({})).toBe('409 uniqueness_error')
  expect(await order({}, other)).toMatchObject({ server: { name: 'web-1' } })
  cloud.state.quota = 1
  expect(await order({ name: 'web-2' })).toBe('403 resource_limit_exceeded')
  cloud.state.quota = 10
  cloud.soldOut('cx23', 'fsn1')
  expect(await order({ name: 'web-2' })).toBe('412 resource_unavailable')
  const { server_types } = await call('GET', '/server_types?name=cx23')
  expect(server_types).toMatchObject([{ locations: [{ available: false }, { available: true }, {}] }])
  cloud.soldOut('cx23', 'fsn1', false)
})

test('lists servers by label and page, from creation to deletion', async () => {
  const token = cloud.addToken({ account: 'paged' })
  for (let n = 0; n < 3; n++) await order({ name: `n${n}`, labels: { n: String(n), all: '' } }, token)
  const names = async (query: string) =>
    (await call('GET', `/servers?${query}`, undefined, token)).servers.map(
      ({ name }: { name: string }) => name,
    )
  expect(await names('label_selector=n%3D%3D1')).toEqual(['n1'])
  expect(await names('label_selector=all,n%3D2')).toEqual(['n2'])
  expect(await call('GET', '/servers?label_selector=%3D', undefined, token)).toBe('422 invalid_input')
  const paged = await call('GET', '/servers?per_page=2&page=2', undefined, token)
  expect(paged).toMatchObject({
    servers: [{ name: 'n2' }],
    meta: { pagination: { page: 2, previous_page: 1, next_page: null, last_page: 2, total_entries: 3 } },
  })
  const running = () =>
    cloud.servers.filter(({ account, status }) => account === 'paged' && status === 'running')
  await vi.waitFor(() => expect(running()).toHaveLength(3), patient)
  const id = cloud.servers.find(({ account }) => account === 'paged')?.id
  cloud.state.destroyMs = Infinity
  expect(await call('DELETE', `/servers/${id}`, undefined, token)).toMatchObject({
    action: { status: 'running' },
  })
  expect(await call('DELETE', `/servers/${id}`, undefined, token)).toBe('423 locked')
  cloud.state.destroyMs = 0
  const look = () => call('GET', `/servers/${id}`, undefined, token)
  await vi.waitFor(async () => expect(await look()).toBe('404 not_found'), patient)
  const kept = cloud.addServer({
    name: 'kept',
    region: 'hel1',
    type: 'ccx13',
    image: 'debian-12',
    account: 'paged',
    protected: true,
  })
  expect(await call('DELETE', `/servers/${kept.id}`, undefined, token)).toBe('423 protected')
})

test('fails on request: before or after an operation, for all callers, and by rate limit', async () => {
  const token = cloud.addToken({ account: 'faults' })
  const made = () => cloud.servers.filter(({ account }) => account === 'faults').length
  cloud.fail('create', 'broken', 1)
  expect(await order({}, token)).toBe('500 server_error')
  expect(made()).toBe(0)
  cloud.failAfter('create')
  expect(await order({}, token)).toBe('500 server_error')
  expect(made()).toBe(1)
  cloud.loseAnswer('create')
  await expect(order({ name: 'lost' }, token)).rejects.toThrow('fetch failed')
  expect(made()).toBe(2)
  cloud.down()
  expect(await call('GET', '/servers')).toBe('503 unavailable')
  cloud.down('cut')
  await expect(call('GET', '/servers')).rejects.toThrow('fetch failed')
  cloud.up()
  cloud.limitRate({ remaining: 1, seconds: 60, retryAfter: 3 })
  expect(await call('GET', '/locations')).toMatchObject({ locations: { length: 6 } })
  const over = await fetch(`${cloud.url}/v1/locations`, { headers: { authorization: `Bearer ${token}` } })
  expect([over.status, over.headers.get('ratelimit-remaining'), over.headers.get('retry-after')]).toEqual([
    429,
    '0',
    '3',
  ])
  cloud.liftRate()
})
