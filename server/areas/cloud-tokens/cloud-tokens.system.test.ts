import { afterAll, beforeEach, expect, test } from 'vitest'
import * as contract from '../../../contract/cloud-tokens.ts'
import { makeCloudServer, makeCloudToken } from '../../../test/support/factories/cloud-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam, unique } from '../../../test/support/factories/factories.ts'
import { startFakeDigitalOcean } from '../../../test/support/fakes/clouds/digital-ocean.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'
import { whileLocked } from '../../../test/support/stages/while-locked.ts'
import { findCloudToken } from './cloud-token.ts'
import { markTokenAccepted, markTokenRejected } from './token-status.ts'

const [hetzner, ocean] = [await startFakeHetzner(), await startFakeDigitalOcean()]
const outside = { ...hetzner.env, ...ocean.env, OUTSIDE_TIMEOUT: '5' }
const slipway = await startSlipway({ ...outside, LOG_LEVEL: 'debug' })
afterAll(async () => {
  await slipway.close()
  await Promise.all([hetzner.close(), ocean.close()])
})
const { ctx, db } = slipway
const { workspace, admin } = await makeTeam(db)
const { token } = admin
beforeEach(() => {
  hetzner.up()
  hetzner.heal()
})

const create = (body: object) =>
  slipway.call(contract.createCloudToken.key, {
    token,
    body: { name: 'Ours', provider: 'hetzner', ...body },
  })
const save = async (given: { secret?: string; name?: string } = {}) => {
  const { secret = hetzner.addToken(), name = unique('Cloud') } = given
  const body = { name, provider: 'hetzner', token: secret }
  return { ...(await slipway.ok(contract.createCloudToken, { token, body })).cloud_token, secret }
}
const check = (id: string) => slipway.call(contract.checkCloudToken.key, { token, params: { id } })
const change = (id: string, body: object) =>
  slipway.call(contract.updateCloudToken.key, { token, params: { id }, body })
const forget = (id: string) => slipway.call(contract.deleteCloudToken.key, { token, params: { id } })
const get = async (id: string) =>
  (await slipway.ok(contract.getCloudToken, { token, params: { id } })).cloud_token
const eventsOf = async (id: string) =>
  (await db.selectFrom('events').select('type').where('target_id', '=', id).orderBy('id').execute()).map(
    ({ type }) => type,
  )

test('stores an accepted token sealed and never shows it', async () => {
  const secret = hetzner.addToken()
  const got = await create({ name: 'Production', token: ` ${secret} ` })
  expect([got.status, got.body]).toEqual([
    201,
    {
      cloud_token: {
        id: expect.stringMatching(/^cld_/),
        name: 'Production',
        provider: 'hetzner',
        account: null,
        error: null,
        checked_at: expect.any(String),
        servers: 0,
        created_at: expect.any(String),
      },
    },
  ])
  const row = await db
    .selectFrom('cloud_tokens')
    .selectAll()
    .where('name', '=', 'Production')
    .executeTakeFirstOrThrow()
  expect(ctx.secrets.open(`cloud_tokens.token_sealed:${row.id}`, row.token_sealed)).toBe(secret)
  await makeCloudServer(ctx, workspace, row.id)
  const listed = await slipway.call(contract.listCloudTokens.key, { token, query: { q: 'PROD' } })
  expect(listed.body).toMatchObject({
    cloud_tokens: [{ name: 'Production', servers: 1 }],
    page: { total: 1 },
  })
  for (const query of [{ provider: 'vultr' }, { q: secret }])
    expect((await slipway.ok(contract.listCloudTokens, { token, query })).cloud_tokens).toEqual([])
  for (const text of [got.text, listed.text, slipway.lines.join('\n')]) expect(text).not.toContain(secret)
  expect(await eventsOf(row.id)).toEqual(['cloud_token.created'])
})

test('refuses tokens that are invalid, read-only or cannot be checked', async () => {
  const before = await db.selectFrom('cloud_tokens').select('id').execute()
  const [wrong, readOnly] = ['x'.repeat(64), hetzner.addToken({ rights: 'read' })]
  const refused = await create({ token: wrong })
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: { token: [expect.stringMatching(/Hetzner/)] } },
  })
  const weak = await create({ token: readOnly })
  expect(weak).toMatchObject({ status: 422, body: { errors: { token: [expect.stringMatching(/read/i)] } } })
  expect(await create({ provider: 'nimbus', token: readOnly })).toMatchObject({
    status: 422,
    body: { errors: { provider: [expect.any(String)] } },
  })
  for (const bad of ['', ' ', 'two words', 'ünlike', 'line\nbreak', 'x'.repeat(1_001)])
    expect(await create({ token: bad })).toMatchObject({
      status: 422,
      body: { errors: { token: [expect.any(String)] } },
    })
  const good = hetzner.addToken()
  for (const how of ['503', 'cut'] as const) {
    hetzner.down(how)
    const away = await create({ token: good })
    expect(away.status).toBeGreaterThanOrEqual(502)
    expect(away.text).toContain('Hetzner')
  }
  expect(await db.selectFrom('cloud_tokens').select('id').execute()).toEqual(before)
  for (const secret of [wrong, readOnly, good]) expect(slipway.lines.join('\n')).not.toContain(secret)
})

test('reports a revoked token once, until it is accepted again', async () => {
  const { id, secret } = await save()
  hetzner.revoke(secret)
  for (const _ of [1, 2])
    expect((await check(id)).body).toMatchObject({ cloud_token: { error: expect.stringMatching(/Hetzner/) } })
  hetzner.restore(secret, { rights: 'read' })
  expect((await check(id)).body).toMatchObject({ cloud_token: { error: expect.stringMatching(/read/i) } })
  const { checked_at } = await get(id)
  hetzner.down()
  expect((await check(id)).status).toBeGreaterThanOrEqual(502)
  expect(await get(id)).toMatchObject({ error: expect.any(String), checked_at })
  hetzner.up()
  hetzner.restore(secret)
  expect((await check(id)).body).toMatchObject({ cloud_token: { error: null } })
  expect(await eventsOf(id)).toEqual(['cloud_token.created', 'cloud_token.refused', 'cloud_token.accepted'])
})

test('records results of background calls for the token that was used', async () => {
  const { id, secret } = await save()
  const row = async () => {
    const found = await findCloudToken(ctx, workspace, id)
    if (!found) throw new Error('It is gone.')
    return found
  }
  const old = await row()
  await markTokenRejected(ctx, old, 'Hetzner does not take it.')
  await markTokenRejected(ctx, old, 'Hetzner does not take it any more.')
  expect((await row()).error).toBe('Hetzner does not take it any more.')
  // The token can read, which is not enough.
  hetzner.restore(secret, { rights: 'read' })
  await markTokenAccepted(ctx, await row())
  expect((await row()).error).toMatch(/read/i)
  hetzner.restore(secret)
  await markTokenAccepted(ctx, await row())
  expect((await row()).error).toBeNull()
  expect((await change(id, { token: hetzner.addToken() })).status).toBe(200)
  await markTokenRejected(ctx, old, 'Hetzner does not take it.')
  expect((await row()).error).toBeNull()
  await markTokenAccepted(ctx, await row())
  expect(await eventsOf(id)).toEqual([
    'cloud_token.created',
    'cloud_token.refused',
    'cloud_token.accepted',
    'cloud_token.updated',
  ])
})

test('replaces a token unless the new one is invalid or of another account', async () => {
  const account = unique('account')
  const { id } = await save({ secret: hetzner.addToken({ account }) })
  expect((await change(id, { token: 'x'.repeat(64) })).body).toMatchObject({
    errors: { token: [expect.any(String)] },
  })
  const theirs = hetzner.addToken({ account: unique('other') })
  expect((await change(id, { name: 'Theirs', token: theirs })).body).toMatchObject({
    cloud_token: { name: 'Theirs', error: null },
  })
  const ours = hetzner.addToken({ account })
  expect((await change(id, { token: ours })).status).toBe(200)
  const made = { account, name: 'web', region: 'fsn1', type: 'cx23', image: 'debian-12' }
  const cloud_id = hetzner.addServer(made).id
  // A server in creation has no ID yet.
  await makeCloudServer(ctx, workspace, id, {}, { name: 'unborn', status: 'provisioning' })
  expect((await change(id, { token: theirs })).status).toBe(200)
  expect((await change(id, { token: ours })).status).toBe(200)
  await makeCloudServer(ctx, workspace, id, { cloud_id }, { name: 'harbour' })
  await makeCloudServer(ctx, workspace, id, { cloud_id: '4711' }, { name: 'gone by now' })
  const other = await change(id, { token: theirs })
  expect([other.status, other.text]).toEqual([422, expect.stringContaining('harbour')])
  expect((await change(id, { token: hetzner.addToken({ account }) })).body).toMatchObject({
    cloud_token: { servers: 3 },
  })
})

test('identifies the account by name while a server is created', async () => {
  const own = ocean.addToken({ account: 'one' })
  const id = await makeCloudToken(ctx, workspace, own, { provider: 'digitalocean' })
  expect((await check(id)).body).toMatchObject({ cloud_token: { account: expect.stringContaining('one') } })
  // The key was removed at the provider by hand.
  const row = { provider: 'digitalocean', step: 'create' as const, cloud_key_id: '1' }
  await makeCloudServer(ctx, workspace, id, row, { status: 'provisioning' })
  const other = await change(id, { token: ocean.addToken({ account: 'two' }) })
  expect(other).toMatchObject({ status: 422, body: { errors: { token: [expect.any(String)] } } })
  expect((await change(id, { token: ocean.addToken({ account: 'one' }) })).status).toBe(200)
})

test('detects concurrent replacements', async () => {
  const { id } = await save()
  const put = () => change(id, { token: hetzner.addToken() })
  const got = await whileLocked(db, id, [put, put])
  expect(got.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  expect(got.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'cloud_token_changed' })
})

test('deletes a token that is not in use, and keeps its servers', async () => {
  const { id } = await save()
  // A server that was deleted at the provider also prevents the deletion, because destroying it needs the token.
  const row = { cloud_id: unique('7'), status: 'deleted' as const }
  const server = await makeCloudServer(ctx, workspace, id, row, { name: 'harbour' })
  for (const [status, asked_at] of [
    ['provisioning', null],
    ['deleting', null],
    ['failed', new Date()],
  ] as const) {
    await db.updateTable('servers').set({ status }).where('id', '=', server).execute()
    await db.updateTable('cloud_servers').set({ asked_at }).where('server_id', '=', server).execute()
    const got = await forget(id)
    expect(got).toMatchObject({ status: 409, body: { code: 'cloud_token_in_use' } })
    expect(got.text).toContain('harbour')
  }
  await db.updateTable('cloud_servers').set({ asked_at: null }).where('server_id', '=', server).execute()
  expect((await forget(id)).status).toBe(200)
  expect((await forget(id)).status).toBe(404)
  const left = db.selectFrom('cloud_servers').select('cloud_token_id').where('server_id', '=', server)
  expect(await left.execute()).toEqual([{ cloud_token_id: null }])
  expect(await eventsOf(id)).toEqual(['cloud_token.created', 'cloud_token.deleted'])
})
