import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import * as contract from '../../../contract/registries.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { startFakeTokens } from '../../../test/support/fakes/registry-tokens.ts'
import { urlOf } from '../../../test/support/programs/port.ts'
import { registryLogIn, startRegistry } from '../../../test/support/programs/registry.ts'

const machine = '127.0.0.1'
const tokens = await startFakeTokens(machine, {
  ada: { password: 'hunter2hunter2', scopes: ['acme/', '*'] },
  bob: { password: 'letmeinplease', scopes: ['acme/shop'] },
})
const open = await startRegistry({ machine })
const { storage } = open
const locked = await startRegistry({ machine }, { asksForLogIn: true, storage })
const byToken = await startRegistry({ machine }, { tokens: tokens.auth, storage })
const slipway = await startSlipway({ OUTBOUND_NETWORKS: machine, OUTSIDE_TIMEOUT: '5', LOG_LEVEL: 'debug' })
afterAll(() => slipway.close())
const { workspace, admin, member, viewer } = await makeTeam(slipway.db)

const repositories = join(storage, 'docker/registry/v2/repositories')
for (const tag of ['1.9.0', '1.10.0', '1.10', 'v2.0.0-rc.1', 'v2.0.0', 'latest', 'edge', '1.10.0-alpine'])
  await mkdir(join(repositories, 'acme/shop/_manifests/tags', tag, 'current'), { recursive: true })
await mkdir(join(repositories, 'acme/shop/_layers'), { recursive: true })
for (let index = 0; index < 1_030; index++)
  await mkdir(join(repositories, `zoo/animal-${index}/_layers`), { recursive: true })

const given = { ...registryLogIn, name: 'Ours', kind: 'other', host: locked.address }
const create = (body: object, token = admin.token) =>
  slipway.call(contract.createRegistry.key, { token, body })
const keep = async (body: object) =>
  (await slipway.ok(contract.createRegistry, { token: admin.token, body: { ...given, ...body } })).registry
const forget = (id: string) => slipway.ok(contract.deleteRegistry, { token: admin.token, params: { id } })
const tagsOf = async (repo_name: string, query: Record<string, string> = {}) => {
  const sent = { token: viewer.token, query: { repo_name, ...query } }
  return (await slipway.ok(contract.searchTags, sent)).tags.map(({ name }) => name)
}
const refusedTags = async (repo_name: string, status: number) =>
  (await slipway.refused(contract.searchTags, { token: viewer.token, query: { repo_name } }, status)).text

test('sorts tags of an anonymous registry by version', async () => {
  expect(await tagsOf(`${open.address}/acme/shop`)).toEqual([
    'latest',
    'v2.0.0',
    'v2.0.0-rc.1',
    '1.10',
    '1.10.0',
    '1.10.0-alpine',
    '1.9.0',
    'edge',
  ])
  expect(await tagsOf(`${open.address}/acme/shop`, { q: 'ALPINE' })).toEqual(['1.10.0-alpine'])
  expect(await refusedTags(`${open.address}/acme/none`, 404)).toContain(
    `The registry ${open.address} has no public image acme/none`,
  )
})

test('stores credentials encrypted once the registry accepts them, and never shows them', async () => {
  const shop = `${locked.address}/acme/shop`
  expect(await refusedTags(shop, 409)).toContain('requires credentials')
  const wrong = await create({ ...given, password: 'wrong but long' })
  expect(wrong.status).toBe(422)
  expect(wrong.body).toMatchObject({
    errors: { password: [expect.stringMatching(/rejected this username/)] },
  })
  const registry = await keep({})
  expect(registry).toMatchObject({
    name: 'Ours',
    host: locked.address,
    scope: '',
    username: 'ada',
    error: null,
  })
  expect(await tagsOf(shop)).toContain('1.9.0')
  const row = await slipway.db.selectFrom('registries').selectAll().executeTakeFirstOrThrow()
  expect(slipway.ctx.secrets.open(`registries.password_sealed:${row.id}`, row.password_sealed)).toBe(
    given.password,
  )
  expect((await create(given)).body).toMatchObject({ errors: { scope: [expect.stringContaining('Ours')] } })
  expect((await create({ ...given, scope: 'other' }, member.token)).status).toBe(403)
  const events = slipway.db
    .selectFrom('events')
    .select(['type', 'target_name'])
    .where('target_id', '=', registry.id)
  expect(await events.execute()).toEqual([{ type: 'registry.created', target_name: 'Ours' }])
  await forget(registry.id)
  expect(await refusedTags(shop, 409)).toContain('requires credentials')
})

test('rejects a wrong password, saves one without a check, and tests with the registry error', async () => {
  const { id } = await keep({ scope: 'acme' })
  const params = { id }
  const change = (body: object) =>
    slipway.call(contract.updateRegistry.key, { token: admin.token, params, body })
  const check = async () => (await slipway.ok(contract.testRegistry, { token: admin.token, params })).registry
  expect((await change({ password: 'wrong but long' })).status).toBe(422)
  expect(await check()).toMatchObject({ error: null, checked_at: expect.any(String) })
  expect((await change({ name: 'Theirs', scope: '' })).body).toMatchObject({
    registry: { name: 'Theirs', scope: '' },
  })
  const unchecked = await change({ password: 'wrong but long', unchecked: true })
  expect(unchecked.body).toMatchObject({ registry: { error: null, checked_at: null } })
  expect(await check()).toMatchObject({
    error: expect.stringMatching(/rejected this username/),
    checked_at: null,
  })
  expect(await refusedTags(`${locked.address}/acme/shop`, 409)).toContain('rejected this username')
  const stranger = (await makeTeam(slipway.db)).owner
  const foreign = { token: stranger.token, params }
  for (const endpoint of [contract.testRegistry, contract.deleteRegistry])
    expect((await slipway.call(endpoint.key, foreign)).status).toBe(404)
  expect((await slipway.ok(contract.listRegistries, { token: stranger.token })).registries).toEqual([])
  await forget(id)
})

test('selects the credentials for the image in a registry with tokens', async () => {
  const host = byToken.address
  const [name, shop] = ['Tokens', `${host}/acme/shop`]
  expect(await refusedTags(shop, 409)).toContain('requires credentials')
  const wrong = await create({ ...given, name, host, username: 'ada', password: 'nope nope nope' })
  expect(wrong.body).toMatchObject({ errors: { password: [expect.any(String)] } })
  const all = await keep({ name, host, username: 'bob', password: 'letmeinplease' })
  expect(await tagsOf(shop)).toContain('latest')
  expect(tokens.asked.at(-1)).toContain(`scope=${encodeURIComponent('repository:acme/shop:pull')}`)
  expect(await refusedTags(`${host}/zoo/animal-1`, 409)).toContain('denies access')
  const search = (id: string, query: Record<string, string> = {}) =>
    slipway.call(contract.searchImages.key, { token: viewer.token, query: { registry_id: id, ...query } })
  expect((await search(all.id)).body).toMatchObject({ code: 'registry_lists_nothing' })
  const own = await keep({ name, host, scope: 'acme', username: 'ada', password: 'hunter2hunter2' })
  expect((await search(own.id)).body).toMatchObject({ repositories: [{ name: shop }], page: { total: 1 } })
  await tagsOf(shop)
  expect(tokens.asked.at(-1)).toContain('account=ada')
  for (const { id } of [all, own]) await forget(id)
})

test('reads all pages of a catalog', async () => {
  const { id } = await keep({})
  const query = { registry_id: id, q: 'zoo/', page: '42' }
  const found = await slipway.ok(contract.searchImages, { token: viewer.token, query })
  expect([found.repositories.length, found.page]).toEqual([5, { next: null, total: 1_030 }])
  await forget(id)
})

test('calls private addresses only when the operator allows it', async () => {
  const asked: string[] = []
  const server = createServer(({ headers }, response) => {
    asked.push(headers.authorization ?? '')
    response.end('inside')
  }).listen(0, '127.0.0.2')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const inside = urlOf(server).replace('http://127.0.0.1', '127.0.0.2')
  for (const host of [inside, '10.255.255.1', '169.254.169.254', inside.replace('127.0.0.2', '127.2')]) {
    expect(await refusedTags(`${host}/a/b`, 409)).toContain('outbound_not_allowed')
    const got = await create({ ...given, host })
    expect([got.status, got.text]).toEqual([409, expect.stringContaining('OUTBOUND_NETWORKS')])
  }
  expect(asked).toEqual([])
  const kept = await keep({ host: inside, unchecked: true })
  expect(kept).toMatchObject({ host: inside, checked_at: null })
  await forget(kept.id)
})

test('reports an invalid host and a host that is no registry', async () => {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<h1>Hi</h1>'),
  )
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, machine, resolve))
  const host = new URL(urlOf(server)).host
  expect(await refusedTags(`${host}/a/b`, 502)).toContain('it returned a web page')
  for (const body of [
    { ...given, host: undefined },
    { ...given, host: 'docker.io' },
    { ...given, host: 'https://x.example' },
    { ...given, kind: 'ghcr', host: 'other.example' },
    { ...given, scope: 'UPPER' },
  ])
    expect((await create(body)).status).toBe(422)
})

test('keeps passwords out of logs, events and rows', async () => {
  const rows = await slipway.db
    .selectFrom('registries')
    .selectAll()
    .where('workspace_id', '=', workspace)
    .execute()
  const events = await slipway.db.selectFrom('events').selectAll().execute()
  const all = [...slipway.lines, JSON.stringify(rows), JSON.stringify(events)].join('\n')
  for (const secret of [registryLogIn.password, 'hunter2hunter2', 'letmeinplease', 'wrong but long']) {
    expect(all).not.toContain(secret)
    expect(all).not.toContain(Buffer.from(`ada:${secret}`).toString('base64'))
  }
})
