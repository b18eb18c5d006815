import { afterAll, expect, test, vi } from 'vitest'
import { importAccountServers, listAccountServers } from '../../../contract/providers.ts'
import { kind, makeAtHetzner } from '../../../test/support/factories/at-hetzner.ts'
import { makeCloudToken } from '../../../test/support/factories/cloud-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'
import { transaction } from '../../platform/transaction.ts'

const hetzner = await startFakeHetzner()
const slipway = await startSlipway(hetzner.env)
afterAll(async () => {
  await slipway.close()
  await hetzner.close()
})
const { ctx, db } = slipway
const { workspace, owner, admin, member, viewer } = await makeTeam(db)
const secret = hetzner.addToken()
const cloudToken = await makeCloudToken(ctx, workspace, secret)

const pick = (servers: string[], given: { token?: string; cloud_token_id?: string; p?: string } = {}) => ({
  token: given.token ?? admin.token,
  params: { p: given.p ?? 'hetzner' },
  body: { cloud_token_id: given.cloud_token_id ?? cloudToken, servers },
})

const count = async () =>
  Number(
    (
      await db
        .selectFrom('servers')
        .select((e) => e.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )

test('imports several servers, each with its own key and provider data', async () => {
  const one = hetzner.addServer({ name: 'shop', ...kind })
  const two = hetzner.addServer({ name: 'blog', ...kind, region: 'hel1' })
  const { servers } = await slipway.ok(importAccountServers, pick([one.id, two.id, one.id]))
  expect(servers).toMatchObject([
    {
      name: 'shop',
      status: 'pending',
      reason: expect.stringContaining('Run the import command'),
      address: one.address,
      provider: 'hetzner',
      region: 'fsn1',
      type: 'cx23',
      host_key: null,
      cloud: {
        id: one.id,
        origin: 'imported',
        step: null,
        status: 'running',
        cloud_token_id: cloudToken,
        price: { monthly: expect.any(Number), currency: 'EUR' },
        drift: [],
      },
    },
    { name: 'blog', region: 'hel1', cloud: { id: two.id } },
  ])
  const keys = await db.selectFrom('servers').select('public_key').execute()
  expect(new Set(keys.map(({ public_key }) => public_key)).size).toBe(keys.length)
  const events = await db.selectFrom('events').select('type').where('workspace_id', '=', workspace).execute()
  expect(events.map(({ type }) => type)).toEqual(['server.created', 'server.created'])
  const listed = await slipway.ok(listAccountServers, {
    token: admin.token,
    params: { p: 'hetzner' },
    body: { cloud_token_id: cloudToken },
  })
  expect(listed.servers.map(({ name, server }) => [name, server?.name])).toEqual([
    ['blog', 'blog'],
    ['shop', 'shop'],
  ])
})

test('refuses servers that are already imported and adds none', async () => {
  const made = await makeAtHetzner(ctx, hetzner, { workspace, cloudToken }, 'made here', { name: 'mine' })
  const ssh = hetzner.addServer({ name: 'by-ssh', ...kind })
  await makeServer(ctx, workspace, nowhere(), { name: 'old friend', address: ssh.address })
  const fresh = hetzner.addServer({ name: 'fresh', ...kind })
  const before = await count()
  const ids = [made.there.id, ssh.id, fresh.id]
  const { body } = await slipway.refused(importAccountServers, pick(ids), 409, 'already_here')
  expect(body).toMatchObject({
    error: 'Already in this workspace: made here (as mine) and by-ssh (as old friend). Deselect them.',
  })
  expect(await count()).toBe(before)
})

test('imports a server once for concurrent requests', async () => {
  const { id } = hetzner.addServer({ name: 'wanted', ...kind })
  const before = await count()
  const both = await Promise.all([1, 2].map(() => slipway.call(importAccountServers.key, pick([id]))))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  expect(await count()).toBe(before + 1)
})

test('refuses an unknown or powered-off server with the reason', async () => {
  const off = hetzner.addServer({ name: 'off', ...kind, status: 'off' })
  const foreign = hetzner.addServer({ name: 'foreign', ...kind, account: 'other' })
  const ids = ['1', off.id, foreign.id]
  const { body } = await slipway.refused(importAccountServers, pick(ids), 422)
  expect(body).toMatchObject({
    errors: {
      'servers.0': ['The account at Hetzner has no server 1. Refresh the list.'],
      'servers.1': ['The server off is powered off at Hetzner. Start it there first.'],
      'servers.2': [expect.stringContaining('has no server')],
    },
  })
})

test('refuses a token of another workspace or provider, and a rejected one', async () => {
  const { id } = hetzner.addServer({ name: 'guarded', ...kind })
  const stranger = await makeTeam(db)
  const theirs = await makeCloudToken(ctx, stranger.workspace, hetzner.addToken())
  await slipway.refused(importAccountServers, pick([id], { cloud_token_id: theirs }), 404)
  await slipway.refused(importAccountServers, pick([id], { p: 'nowhere' }), 404)
  const other = await makeCloudToken(ctx, workspace, 'x', { provider: 'vultr' })
  const { body } = await slipway.refused(importAccountServers, pick([id], { cloud_token_id: other }), 422)
  expect(body).toMatchObject({ errors: { cloud_token_id: [expect.stringContaining('Hetzner')] } })
  for (const { token } of [viewer, member])
    await slipway.refused(importAccountServers, pick([id], { token }), 403)
  const revoked = hetzner.addToken()
  const refused = await makeCloudToken(ctx, workspace, revoked)
  hetzner.revoke(revoked)
  await slipway.refused(
    importAccountServers,
    pick([id], { token: owner.token, cloud_token_id: refused }),
    409,
  )
  const { error } = await db
    .selectFrom('cloud_tokens')
    .select('error')
    .where('id', '=', refused)
    .executeTakeFirstOrThrow()
  expect(error).not.toBeNull()
})

test('adds nothing when the token is deleted meanwhile', async () => {
  const own = await makeCloudToken(ctx, workspace, secret)
  const one = hetzner.addServer({ name: 'late', ...kind })
  const before = await count()
  const picked = await transaction(db, async (trx) => {
    await trx.deleteFrom('cloud_tokens').where('id', '=', own).execute()
    hetzner.asked.splice(0)
    const answer = slipway.call(importAccountServers.key, pick([one.id], { cloud_token_id: own }))
    await vi.waitFor(() => expect(hetzner.asked.length).toBeGreaterThan(0))
    return [answer]
  })
  expect(await picked[0]).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining('cloud token') },
  })
  expect(await count()).toBe(before)
})
