import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteCloudToken } from '../../../contract/cloud-tokens.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { deleteServer, getServer, listServers } from '../../../contract/servers.ts'
import { kind, makeAtHetzner } from '../../../test/support/factories/at-hetzner.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { makeCloudServer, makeCloudToken } from '../../../test/support/factories/cloud-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'
import { startGate } from '../../../test/support/fakes/gate.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import { newKeyPair } from '../../remote/ssh/key-pair.ts'
import { destroyCloudServer } from './destroy-cloud-server.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const hetzner = await startFakeHetzner()
const gate = await startGate(hetzner.url)
const slipway = await startSlipway({ HCLOUD_API_URL: gate.url, CLOUD_TIMEOUT: '6' })
afterAll(async () => {
  await slipway.close()
  await gate.close()
  await hetzner.close()
})
slipway.work()
const { ctx, db } = slipway
const { workspace, owner, admin, member, viewer } = await makeTeam(db)
const secret = hetzner.addToken()
const cloudToken = await makeCloudToken(ctx, workspace, secret)
const patiently = { interval: 50 }

beforeEach(() => {
  hetzner.up()
  hetzner.heal()
})

const makeThere = (name: string, given: Parameters<typeof makeAtHetzner>[4] = {}) =>
  makeAtHetzner(ctx, hetzner, { workspace, cloudToken }, name, given)

function addKey() {
  const id = hetzner.state.nextId()
  const key = {
    id,
    account: 'main',
    name: `slipway-${id}`,
    publicKey: `ssh-ed25519 ${id}`,
    created: new Date(),
  }
  hetzner.keys.push(key)
  return key
}

const remove = (id: Id<'server'>, cloud: 'keep' | 'destroy', token = owner.token) => ({
  token,
  params: { id },
  query: { cloud },
})
const isThere = (id: string) => hetzner.servers.some((one) => one.id === id)
const shown = async (id: Id<'server'>) =>
  (await slipway.ok(getServer, { token: owner.token, params: { id } })).server

const untilGone = (id: Id<'server'>) =>
  vi.waitFor(() => slipway.refused(getServer, { token: owner.token, params: { id } }, 404), patiently)

const untilSaid = (id: Id<'server'>, reason: RegExp) =>
  vi.waitFor(async () => {
    const server = await shown(id)
    expect(server).toMatchObject({ status: 'deleting', reason: expect.stringMatching(reason) })
    return server
  }, patiently)

const eventsOf = async (id: Id<'server'>) =>
  (await db.selectFrom('events').select('type').where('target_id', '=', id).orderBy('id').execute()).map(
    ({ type }) => type,
  )

describe('destroying a server', () => {
  test('deletes all servers with its tag and its key at the provider, then the row', async () => {
    const { id, there } = await makeThere('web-1')
    const key = addKey()
    await db.updateTable('cloud_servers').set({ cloud_key_id: key.id }).where('server_id', '=', id).execute()
    const twin = hetzner.addServer({ name: 'web-1-twin', ...kind, labels: { slipway: id } })
    const other = hetzner.addServer({ name: 'other', ...kind, labels: { slipway: 'srv_other' } })
    await slipway.ok(deleteServer, remove(id, 'destroy', admin.token))
    await untilGone(id)
    expect([there.id, twin.id, other.id].filter(isThere)).toEqual([other.id])
    expect(hetzner.keys).not.toContain(key)
    expect(await eventsOf(id)).toEqual(['server.destroying', 'server.deleted'])
    const { servers } = await slipway.ok(listServers, { token: owner.token })
    expect(servers.map((one) => one.id)).not.toContain(id)
  })

  test('happens once for two concurrent requests', async () => {
    const { id, there } = await makeThere('web-2')
    const both = await Promise.all([1, 2].map(() => slipway.call(deleteServer.key, remove(id, 'destroy'))))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    await untilGone(id)
    expect(isThere(there.id)).toBe(false)
    expect(await eventsOf(id)).toEqual(['server.destroying', 'server.deleted'])
  })

  test('waits until the provider has finished', async () => {
    const { id, there } = await makeThere('web-slow')
    hetzner.state.destroyMs = Infinity
    await slipway.ok(deleteServer, remove(id, 'destroy'))
    await vi.waitFor(() => expect(there.status).toBe('deleting'), patiently)
    expect((await shown(id)).status).toBe('deleting')
    hetzner.state.destroyMs = 0
    await untilGone(id)
    expect(isThere(there.id)).toBe(false)
  })

  test('that no longer exists at the provider deletes the row', async () => {
    const { id, there } = await makeThere('web-3')
    hetzner.removeBehindOurBack(there.id)
    await slipway.ok(deleteServer, remove(id, 'destroy'))
    await untilGone(id)
  })

  test.each([
    ['the cloud answers 503', () => hetzner.down('503')],
    ['the cloud cuts every connection', () => hetzner.down('cut')],
    ['it answers 500 before it does anything', () => hetzner.fail('destroy', 'broken', 2)],
  ])('continues while %s, shows the cost, and completes', async (_, fault) => {
    const { id, there } = await makeThere('web-4')
    fault()
    await slipway.ok(deleteServer, remove(id, 'destroy'))
    const { reason } = await untilSaid(id, /^The request to Hetzner failed: /)
    expect(reason).toContain('Slipway keeps retrying.')
    expect(reason).toContain('still costs €4.51 a month.')
    expect(isThere(there.id)).toBe(true)
    hetzner.up()
    await untilGone(id)
    expect(isThere(there.id)).toBe(false)
  })

  test.each([
    ['answers 500 after it did it', () => hetzner.failAfter('destroy')],
    ['loses the answer', () => hetzner.loseAnswer('destroy')],
  ])('completes when the provider %s', async (_, fault) => {
    const { id, there } = await makeThere('web-5')
    fault()
    await slipway.ok(deleteServer, remove(id, 'destroy'))
    await untilGone(id)
    expect(isThere(there.id)).toBe(false)
    expect(await eventsOf(id)).toEqual(['server.destroying', 'server.deleted'])
  })

  test('reports a revoked token, and continues immediately with a valid one', async () => {
    const { id, there } = await makeThere('web-6')
    hetzner.revoke(secret)
    await slipway.ok(deleteServer, remove(id, 'destroy'))
    await untilSaid(id, /token.* Slipway keeps retrying/)
    const { error } = await db
      .selectFrom('cloud_tokens')
      .select('error')
      .where('id', '=', cloudToken)
      .executeTakeFirstOrThrow()
    expect(error).not.toBeNull()
    expect(slipway.lines.join('\n')).not.toContain(secret)
    hetzner.restore(secret)
    await slipway.ok(deleteServer, remove(id, 'destroy'))
    await untilGone(id)
    expect(isThere(there.id)).toBe(false)
  })

  test('reports delete protection at the provider and continues after it is removed', async () => {
    const { id, there } = await makeThere('web-safe')
    there.protected = true
    await slipway.ok(deleteServer, remove(id, 'destroy'))
    await untilSaid(id, /^Hetzner .*protected/)
    there.protected = false
    await untilGone(id)
    expect(isThere(there.id)).toBe(false)
  })

  test('is refused without a provider, a token or a permission, or with an application', async () => {
    const plain = await makeServer(ctx, workspace, nowhere())
    const none = await slipway.refused(deleteServer, remove(plain, 'destroy'), 422)
    expect(none.body).toMatchObject({
      errors: { cloud: [expect.stringContaining('does not belong to a cloud provider')] },
    })
    const { id } = await makeThere('web-7')
    await db.updateTable('cloud_servers').set({ cloud_token_id: null }).where('server_id', '=', id).execute()
    const tokenless = await slipway.refused(deleteServer, remove(id, 'destroy'), 422)
    expect(tokenless.body).toMatchObject({ errors: { cloud: [expect.stringContaining('was deleted')] } })
    const { id: used, there } = await makeThere('web-8')
    await makeApplication(db, workspace, used, { name: 'shop' })
    await slipway.refused(deleteServer, remove(used, 'destroy'), 409, 'server_has_applications')
    const { id: another } = await makeThere('web-9')
    for (const { token } of [viewer, member])
      await slipway.refused(deleteServer, remove(another, 'destroy', token), 403)
    const stranger = await makeTeam(db)
    await slipway.refused(deleteServer, remove(another, 'destroy', stranger.owner.token), 404)
    expect(isThere(there.id)).toBe(true)
  })
})

test('completes for a server that was never created because the token is read-only', async () => {
  const weak = await makeCloudToken(ctx, workspace, hetzner.addToken({ rights: 'read' }))
  const { publicKey: public_key } = newKeyPair('web')
  const failed = { status: 'failed' as const, public_key, address: null }
  const id = await makeCloudServer(ctx, workspace, weak, { step: 'key', status: 'unknown' }, failed)
  await slipway.ok(deleteServer, remove(id, 'destroy'))
  await untilGone(id)
})

test('keeps the token while a destruction starts', async () => {
  const { id, there } = await makeThere('race')
  const own = await makeCloudToken(ctx, workspace, secret)
  await db.updateTable('cloud_servers').set({ cloud_token_id: own }).where('server_id', '=', id).execute()
  const line = { token_hash: id, workspace_id: workspace, server_id: id, actor_name: 'Slipway' }
  await db
    .insertInto('import_tokens')
    .values({ ...line, expires_at: new Date(Date.now() + 60_000) })
    .execute()
  hetzner.down()
  // The request deletes the import token last, while it holds all its other locks.
  const both = await transaction(db, async (trx) => {
    await trx.selectFrom('import_tokens').selectAll().where('token_hash', '=', id).forUpdate().execute()
    const destroyed = slipway.call(deleteServer.key, remove(id, 'destroy'))
    await vi.waitFor(async () => expect(await countWaiting()).toBe(1), patiently)
    const deleted = slipway.call(deleteCloudToken.key, { token: owner.token, params: { id: own } })
    await vi.waitFor(async () => expect(await countWaiting()).toBe(2), patiently)
    return [destroyed, deleted]
  })
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 409])
  hetzner.up()
  await untilGone(id)
  expect(isThere(there.id)).toBe(false)
})

/** Counts sessions that wait for a lock. */
async function countWaiting() {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length
}

describe('forgetting a server', () => {
  longTest.each(['failed', 'deleting'] as const)(
    'is refused while it is unknown whether it was created (%s), unless nobody can find out',
    async (status) => {
      const own = await makeCloudToken(ctx, workspace, secret)
      const cloud = { step: 'create' as const, cloud_id: null, asked_at: new Date() }
      const id = await makeCloudServer(ctx, workspace, own, cloud, { status })
      const { body } = await slipway.refused(deleteServer, remove(id, 'keep'), 409, 'being_created')
      expect(body).toMatchObject({ error: expect.stringContaining('does not know yet') })
      await db.updateTable('cloud_tokens').set({ error: 'No.' }).where('id', '=', own).execute()
      await slipway.ok(deleteServer, remove(id, 'keep'))
      const long = { ...cloud, asked_at: new Date(Date.now() - 25 * 3_600_000) }
      const old = await makeCloudServer(ctx, workspace, cloudToken, long, { status })
      await slipway.ok(deleteServer, remove(old, 'keep'))
    },
  )

  test('keeps the server at the provider', async () => {
    const { id, there } = await makeThere('kept')
    await slipway.ok(deleteServer, { token: owner.token, params: { id } })
    await untilGone(id)
    expect(isThere(there.id)).toBe(true)
    expect(await eventsOf(id)).toEqual(['server.deleted'])
  })

  test('removes its key at the provider', async () => {
    const { id } = await makeThere('left', { status: 'provisioning' })
    const key = addKey()
    const cloud = { step: 'call' as const, cloud_key_id: key.id }
    await db.updateTable('cloud_servers').set(cloud).where('server_id', '=', id).execute()
    await slipway.ok(deleteServer, remove(id, 'keep'))
    await vi.waitFor(() => expect(hetzner.keys).not.toContain(key), patiently)
  })

  test.each(['key', 'create'] as const)('is refused during its creation (%s)', async (step) => {
    const id = await makeCloudServer(ctx, workspace, cloudToken, { step }, { status: 'provisioning' })
    await slipway.refused(deleteServer, remove(id, 'keep'), 409, 'being_created')
    expect((await shown(id)).status).toBe('provisioning')
  })

  test('keeps it at the provider, even from a frozen destruction', async () => {
    const { id, there } = await makeThere('asleep', { status: 'deleting' })
    const { signal } = new AbortController()
    gate.hold((call) => call.startsWith('GET /v1/servers?'))
    const slept = destroyCloudServer(
      ctx,
      { workspace_id: workspace, server_id: id },
      { id: newId('job'), attempt: 1, fence: 1, signal, assertLease: async () => {} },
    )
    await vi.waitFor(() => expect(gate.held()).toBe(1), patiently)
    await slipway.ok(deleteServer, remove(id, 'keep'))
    gate.open()
    await slept
    expect(isThere(there.id)).toBe(true)
  })

  test('works when it cannot be destroyed', async () => {
    const { id, there } = await makeThere('stuck')
    hetzner.down()
    await slipway.ok(deleteServer, remove(id, 'destroy'))
    await untilSaid(id, /^The request to Hetzner failed: /)
    await slipway.ok(deleteServer, remove(id, 'keep'))
    await untilGone(id)
    hetzner.up()
    const jobs = () =>
      db
        .selectFrom('jobs')
        .select('state')
        .where('key', '=', `cloud:${id}`)
        .where('state', 'in', ['queued', 'running'])
        .execute()
    await vi.waitFor(async () => expect(await jobs()).toEqual([]), patiently)
    expect(isThere(there.id)).toBe(true)
  })
})
