import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import * as contract from '../../../contract/registries.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam, unique } from '../../../test/support/factories/factories.ts'
import { urlOf } from '../../../test/support/programs/port.ts'
import { failureOf } from '../../../test/support/stages/reach.ts'
import { createRegistryClient } from './registry-client.ts'
import { readRegistryList } from './read-list.ts'

const slipway = await startSlipway({ OUTBOUND_NETWORKS: '127.0.0.1', OUTSIDE_TIMEOUT: '20' })
afterAll(() => slipway.close())
const { admin, viewer } = await makeTeam(slipway.db)

const right = { username: 'ada', password: 'right' }
const isRight = ({ headers }: IncomingMessage) =>
  headers.authorization === `Basic ${Buffer.from('ada:right').toString('base64')}`

/** Starts a registry with unusual responses. */
async function startStrange(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  }).listen(0, '127.0.0.1')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(close)
  await once(server, 'listening')
  return { host: new URL(urlOf(server)).host, asked, close }
}

const says = (response: ServerResponse, body: object, headers = {}) =>
  response.writeHead(200, headers).end(JSON.stringify(body))
const create = (host: string, given: object = {}) =>
  slipway.call(contract.createRegistry.key, {
    token: admin.token,
    body: { ...right, name: unique('Ours'), host, ...given },
  })
const keep = async (host: string, given: object = {}) =>
  (
    await slipway.ok(contract.createRegistry, {
      token: admin.token,
      body: { ...right, name: unique('Ours'), host, ...given },
    })
  ).registry
const tags = (repo_name: string) =>
  slipway.call(contract.searchTags.key, { token: viewer.token, query: { repo_name } })
const change = (id: string, body: object) =>
  slipway.call(contract.updateRegistry.key, { token: admin.token, params: { id }, body })
const check = (id: string) => slipway.call(contract.testRegistry.key, { token: admin.token, params: { id } })

test('limits size and time when reading endless lists', async () => {
  const { host, asked } = await startStrange(({ url = '' }, response) => {
    const page = Number(/last=(\d+)/.exec(url)?.[1] ?? 0)
    const link = { link: `<${url.split('?')[0]}?last=${page + 1}>; rel="next"` }
    const names = (count: number) => Array.from({ length: count }, (_, index) => `1.${page}.${index}`)
    if (url.includes('/large/')) says(response, { tags: names(200_000) }, link)
    else if (url.includes('/slow/')) setTimeout(() => says(response, { tags: names(1) }, link), 200)
    else says(response, { tags: ['x'.repeat(129), 'a b', '', 7, null, ...names(4_000)] }, link)
  })
  const many = await tags(`${host}/a/many`)
  expect(many.body).toMatchObject({ tags: expect.arrayContaining([]), page: { total: 10_000 } })
  expect(asked.filter((url) => url.includes('/many/'))).toHaveLength(3)
  const large = await tags(`${host}/a/large`)
  expect([large.status, large.text]).toEqual([
    502,
    expect.stringContaining('its response is larger than 1 MB.'),
  ])
  const { ctx } = slipway
  const hurried = { ...ctx, config: { ...ctx.config, OUTSIDE_TIMEOUT: 0.5 } }
  const visit = createRegistryClient(hurried, { host }, { scope: '', what: 'anything' })
  const slow = await failureOf(
    readRegistryList(visit, { path: '/v2/a/slow/tags/list', field: 'tags', name: /./ }),
  )
  expect(slow.message).toContain('did not respond in time')
  expect(asked.filter((url) => url.includes('/slow/')).length).toBeLessThan(8)
})

test('sends credentials to a registry that allows anonymous reads', async () => {
  const { host } = await startStrange((request, response) => {
    if (request.headers.authorization && !isRight(request)) return response.writeHead(401).end()
    if (request.url === '/v2/') return says(response, {})
    if (request.url?.includes('/hidden/') && !isRight(request)) return response.writeHead(404).end()
    return says(response, { tags: isRight(request) ? ['1.0', '2.0-secret'] : ['1.0'] })
  })
  const wrong = await create(host, { password: 'wrong' })
  expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('rejected this username')])
  expect((await tags(`${host}/a/hidden`)).status).toBe(404)
  expect((await tags(`${host}/a/shown`)).body).toMatchObject({ tags: [{ name: '1.0' }] })
  expect(await keep(host)).toMatchObject({ error: null, checked_at: expect.any(String) })
  for (const image of ['hidden', 'shown'])
    expect((await tags(`${host}/a/${image}`)).body).toMatchObject({
      tags: [{ name: '2.0-secret' }, { name: '1.0' }],
    })
})

test('does not mark credentials as verified when the registry ignores them', async () => {
  const { host } = await startStrange((_, response) => says(response, {}))
  const got = await create(host)
  expect([got.status, got.body]).toEqual([409, expect.objectContaining({ code: 'registry_asks_nobody' })])
  const { id, checked_at } = await keep(host, { unchecked: true })
  expect([checked_at, (await check(id)).status]).toEqual([null, 409])
})

/** Starts a registry that requires a login and can delay all responses. */
async function startCareful() {
  let wait = Promise.resolve()
  const strange = await startStrange((request, response) => {
    const letIn = () =>
      isRight(request) || request.headers.authorization?.includes(bobs)
        ? says(response, {})
        : response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
    void wait.then(letIn)
  })
  return { ...strange, until: (promise: Promise<void>) => void (wait = promise) }
}
const bobs = Buffer.from('bob:letmein').toString('base64')

test('does not judge credentials while the registry is unreachable', async () => {
  const { host, close } = await startCareful()
  const { id, checked_at } = await keep(host)
  close()
  expect((await check(id)).status).toBe(502)
  const { registries } = await slipway.ok(contract.listRegistries, { token: viewer.token })
  expect(registries.find((one) => one.id === id)).toMatchObject({ error: null, checked_at })
})

test('applies or rejects each of two concurrent changes', async () => {
  const careful = await startCareful()
  const [first, second] = [
    await keep(careful.host, { scope: 'one' }),
    await keep(careful.host, { scope: 'two' }),
  ]
  let open = () => {}
  careful.until(new Promise((resolve) => (open = resolve)))
  const before = careful.asked.length
  const proofs = [
    change(first.id, { username: 'bob', password: 'letmein' }),
    change(first.id, { password: 'right' }),
  ]
  const tested = check(second.id)
  while (careful.asked.length < before + 3) await new Promise((resolve) => setTimeout(resolve, 10))
  // A change without a check is not reverted by one with a check.
  expect((await change(first.id, { name: 'Renamed' })).status).toBe(200)
  expect((await change(second.id, { password: 'wrong', unchecked: true })).status).toBe(200)
  open()
  const got = await Promise.all(proofs)
  expect(got.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]))
  expect(got.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'registry_changed' })
  expect(got.find(({ status }) => status === 200)?.body).toMatchObject({ registry: { name: 'Renamed' } })
  // A successful check of the old credentials does not verify the new ones.
  expect((await tested).body).toMatchObject({ registry: { checked_at: null } })
  const moved = await Promise.all([first, second].map(({ id }) => change(id, { scope: 'three' })))
  expect(moved.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 422]))
})
