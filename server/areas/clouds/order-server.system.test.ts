import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '../../../contract/servers.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { hurry, makeBuyer, ordered } from '../../../test/support/stages/creations.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'
import { toHostName } from './steps/create-at-provider.ts'

const hetzner = await startFakeHetzner()
let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway({ ...hurry, ...hetzner.env })
})
afterAll(async () => {
  await slipway.close()
  await hetzner.close()
})

const serversOf = (workspace: Awaited<ReturnType<typeof makeBuyer>>['workspace']) =>
  slipway.db.selectFrom('servers').select('name').where('workspace_id', '=', workspace).execute()

test.each([
  [
    'a region that there is not',
    { region: 'mars' },
    'region',
    'The region mars does not exist. Choose another.',
  ],
  [
    'a type that there is not',
    { type: 'cx1' },
    'type',
    'The server type cx1 does not exist. Choose another.',
  ],
  [
    'a type that is not offered there',
    { type: 'cax11', region: 'ash' },
    'type',
    /^\S+ is not offered in .*\.$/i,
  ],
  [
    'an image that there is not',
    { image: 'windows' },
    'image',
    'The image windows does not exist or is not supported. Choose another.',
  ],
])('refuses %s at its field', async (_, wrong, field, sentence) => {
  const { admin, cloudToken, workspace } = await makeBuyer(slipway, hetzner)
  const body = { name: 'web', cloud: { cloud_token_id: cloudToken, ...ordered, ...wrong } }
  const got = await slipway.refused(contract.createServer, { token: admin.token, body }, 422)
  expect(got.body).toMatchObject({ errors: { [`cloud.${field}`]: [expect.stringMatching(sentence)] } })
  expect(await serversOf(workspace)).toEqual([])
})

test('refuses a sold-out type and says what to do', async () => {
  const { admin, cloudToken } = await makeBuyer(slipway, hetzner)
  hetzner.soldOut('cx23', 'nbg1')
  const cloud = { cloud_token_id: cloudToken, ...ordered, region: 'nbg1' }
  const sent = { token: admin.token, body: { name: 'web', cloud } }
  const got = await slipway.refused(contract.createServer, sent, 422)
  expect(got.body).toMatchObject({
    errors: {
      'cloud.type': [expect.stringMatching(/ is sold out in .*\. Choose another type or region\.$/)],
    },
  })
})

test('refuses port and user for a cloud server', async () => {
  const { admin, cloudToken, workspace } = await makeBuyer(slipway, hetzner)
  const cloud = { cloud_token_id: cloudToken, ...ordered }
  const body = { name: 'web', port: 2222, user: 'admin', cloud }
  const got = await slipway.refused(contract.createServer, { token: admin.token, body }, 422)
  const reason = [expect.stringMatching(/^Must be omitted for cloud servers/)]
  expect(got.body).toMatchObject({ errors: { port: reason, user: reason } })
  expect(await serversOf(workspace)).toEqual([])
})

test('refuses a token of another workspace', async () => {
  const [mine, other] = [await makeBuyer(slipway, hetzner), await makeBuyer(slipway, hetzner)]
  const body = { name: 'web', cloud: { cloud_token_id: other.cloudToken, ...ordered } }
  await slipway.refused(contract.createServer, { token: mine.admin.token, body }, 404, 'not_found')
})

test('reports an unreachable provider or rejected token, and orders nothing', async () => {
  const { admin, cloudToken, secret, workspace } = await makeBuyer(slipway, hetzner)
  const body = { name: 'web', cloud: { cloud_token_id: cloudToken, ...ordered } }
  hetzner.down()
  await slipway.refused(contract.createServer, { token: admin.token, body }, 502)
  hetzner.up()
  hetzner.revoke(secret)
  await slipway.refused(contract.createServer, { token: admin.token, body }, 409, 'cloud_token_refused')
  expect(await serversOf(workspace)).toEqual([])
})

test('creates one server for a double click', async () => {
  const { admin, cloudToken, workspace } = await makeBuyer(slipway, hetzner)
  const body = { name: 'web', cloud: { cloud_token_id: cloudToken, ...ordered } }
  const headers = { 'idempotency-key': 'one-of-two' }
  const click = () => slipway.call(contract.createServer.key, { token: admin.token, body, headers })
  const both = await Promise.all([click(), click()])
  expect(both.map(({ status }) => status)).toContain(201)
  expect((await click()).status).toBe(201)
  expect(await serversOf(workspace)).toHaveLength(1)
})

test('refuses to create a server while PUBLIC_URL is a loopback address', async () => {
  const local = await startSlipway({ ...hetzner.env, PUBLIC_URL: 'http://localhost:3000' })
  try {
    const { admin, cloudToken } = await makeBuyer(local, hetzner)
    const body = { name: 'web', cloud: { cloud_token_id: cloudToken, ...ordered } }
    await local.refused(contract.createServer, { token: admin.token, body }, 409, 'public_url_local')
  } finally {
    await local.close()
  }
})

test('uses a valid host name at the provider', () => {
  const named = (name: string) => toHostName({ id: 'srv_0123456789abcdef', name })
  expect(named('Wéb 1 (prod)')).toBe('web-1-prod')
  expect(named('--x--')).toBe('x')
  expect(named('42')).toBe('server-42')
  expect(named('数据库')).toBe('server-89abcdef')
  expect(named(`${'a'.repeat(62)} b`)).toBe('a'.repeat(62))
})
