import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import * as contract from '../../../contract/providers.ts'
import { updateCloudToken } from '../../../contract/cloud-tokens.ts'
import { makeCloudServer, makeCloudToken } from '../../../test/support/factories/cloud-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere, unique } from '../../../test/support/factories/factories.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'

const hetzner = await startFakeHetzner()
const slipway = await startSlipway({ ...hetzner.env, OUTSIDE_TIMEOUT: '5', LOG_LEVEL: 'debug' })
afterAll(async () => {
  await slipway.close()
  await hetzner.close()
})
const { ctx, db } = slipway
const p = 'hetzner'
beforeEach(() => void (hetzner.asked.length = 0))

const lists = [
  contract.listRegions,
  contract.listDatacenters,
  contract.listServerTypes,
  contract.listServerImages,
]
const web = { name: 'web', region: 'fsn1', type: 'cx23', image: 'debian-12' }

test('reads a catalog once for all callers, and again for another token', async () => {
  const { workspace, admin } = await makeTeam(db)
  const { token } = admin
  const id = await makeCloudToken(ctx, workspace, hetzner.addToken())
  hetzner.soldOut('cx23', 'fsn1')
  const sent = { token, params: { p }, query: { cloud_token_id: id } }
  const [types, again] = await Promise.all([1, 2].map(() => slipway.ok(contract.listServerTypes, sent)))
  expect(again).toEqual(types)
  const cx23 = types?.server_types.find((type) => type.id === 'cx23')
  expect(cx23).toMatchObject({ cpus: expect.any(Number), architecture: 'x86_64' })
  const offered = Object.fromEntries((cx23?.regions ?? []).map((region) => [region.id, region.available]))
  expect(offered).toMatchObject({ fsn1: false, nbg1: true })
  const { regions } = await slipway.ok(contract.listRegions, sent)
  expect(regions).toContainEqual(expect.objectContaining({ id: 'fsn1', country: 'DE' }))
  const { images } = await slipway.ok(contract.listServerImages, sent)
  expect(images.filter(({ recommended }) => recommended)).toHaveLength(1)
  const { datacenters } = await slipway.ok(contract.listDatacenters, sent)
  expect(datacenters.map(({ region }) => region)).toContain('fsn1')
  const asked = hetzner.asked.length
  for (const list of lists) await slipway.ok(list, { token, params: { p } })
  expect(hetzner.asked).toHaveLength(asked)
  await slipway.ok(updateCloudToken, { token, params: { id }, body: { token: hetzner.addToken() } })
  const changed = hetzner.asked.length
  await slipway.ok(contract.listRegions, sent)
  expect(hetzner.asked.length).toBeGreaterThan(changed)
})

test('needs an accepted token and says which one to add or choose', async () => {
  const { workspace, admin } = await makeTeam(db)
  const { token } = admin
  for (const list of lists) {
    const none = await slipway.refused(list, { token, params: { p } }, 409, 'no_cloud_token')
    expect(none.text).toContain('Settings')
    await slipway.refused(list, { token, params: { p: 'nimbus' } }, 404)
  }
  const secret = hetzner.addToken()
  await makeCloudToken(ctx, workspace, 'x'.repeat(64), { error: 'Hetzner does not take it.' })
  const id = await makeCloudToken(ctx, workspace, secret)
  const other = await makeCloudToken(ctx, workspace, 'x'.repeat(64), { provider: 'vultr', name: 'Vulture' })
  await slipway.ok(contract.listRegions, { token, params: { p } })
  const wrong = { token, params: { p }, query: { cloud_token_id: other } }
  expect((await slipway.refused(contract.listRegions, wrong, 422)).text).toContain('Vulture')
  // The cache does not show that the token was revoked; a new request does.
  hetzner.revoke(secret)
  const refused = await slipway.call(contract.listServerImages.key, { token, params: { p } })
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('Hetzner')])
  const row = db.selectFrom('cloud_tokens').select('error').where('id', '=', id)
  expect((await row.executeTakeFirstOrThrow()).error).toContain('Hetzner')
})

test('lists servers of the account and which of them are imported', async () => {
  const { workspace, admin } = await makeTeam(db)
  const { token } = admin
  const account = unique('account')
  const secret = hetzner.addToken({ account })
  const id = await makeCloudToken(ctx, workspace, secret)
  const add = (name: string, given: object = {}) => hetzner.addServer({ ...web, account, name, ...given })
  const [known, stray, same] = [add('known'), add('stray'), add('same-address')]
  const server = await makeCloudServer(ctx, workspace, id, { cloud_id: known.id }, { name: 'Known' })
  const here = await makeServer(ctx, workspace, nowhere(), { name: 'Here', address: same.address })
  // Servers of other workspaces are not shown, and a released address may belong to another server.
  const elsewhere = await makeTeam(db)
  const theirs = await makeCloudToken(ctx, elsewhere.workspace, secret)
  await makeCloudServer(ctx, elsewhere.workspace, theirs, { cloud_id: stray.id })
  await makeCloudServer(ctx, workspace, id, { cloud_id: '4711' }, { address: stray.address })

  const list = (body: object) => slipway.call(contract.listAccountServers.key, { token, params: { p }, body })
  const byToken = await slipway.ok(contract.listAccountServers, {
    token,
    params: { p },
    body: { cloud_token_id: id },
  })
  expect(byToken.servers.map((one) => [one.name, one.server])).toEqual([
    ['known', { id: server, name: 'Known' }],
    ['same-address', { id: here, name: 'Here' }],
    ['stray', null],
  ])
  expect(byToken.servers[2]).toMatchObject({
    id: stray.id,
    status: 'running',
    address: stray.address,
    region: 'fsn1',
    type: 'cx23',
    price: { currency: 'EUR', monthly: expect.any(Number) },
    created_at: expect.any(String),
  })
  const byKey = await list({ api_key: secret, provider: p })
  expect([byKey.status, byKey.body]).toEqual([200, byToken])
  // Listing needs read permission only.
  const reading = hetzner.addToken({ account, rights: 'read' })
  expect((await list({ api_key: reading })).status).toBe(200)
  expect(await list({ api_key: 'x'.repeat(64) })).toMatchObject({
    status: 422,
    body: { errors: { api_key: [expect.stringContaining('Hetzner')] } },
  })
  expect(await list({ api_key: secret, provider: 'vultr' })).toMatchObject({
    status: 422,
    body: { errors: { provider: [expect.any(String)] } },
  })
  expect((await list({ api_key: secret, cloud_token_id: id })).status).toBe(422)
  const { rows } = await sql<{ row: string }>`select t::text as row from events t
    union all select t::text from cloud_tokens t`.execute(db)
  const kept = [...rows.map(({ row }) => row), ...slipway.lines].join('\n')
  for (const one of [secret, reading]) expect(kept).not.toContain(one)
})
