import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { makeAtHetzner, kind } from '../../../test/support/factories/at-hetzner.ts'
import { checkCloudToken } from '../../../contract/cloud-tokens.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { deleteServer, getServer, updateServer } from '../../../contract/servers.ts'
import { makeCloudServer, makeCloudToken } from '../../../test/support/factories/cloud-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'
import { hetznerError } from '../../../test/support/fakes/clouds/hetzner/errors.ts'
import { emit } from '../../events.ts'
import { enqueue } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { checkCloudAccounts, listDueTokens } from './check-account.ts'
const hetzner = await startFakeHetzner()
const slipway = await startSlipway(hetzner.env)
afterAll(async () => {
  await slipway.close()
  await hetzner.close()
})
slipway.work()
const { ctx, db } = slipway
const { workspace, owner } = await makeTeam(db)
const secret = hetzner.addToken()
const cloudToken = await makeCloudToken(ctx, workspace, secret)
const patiently = { interval: 50 }

beforeEach(() => {
  hetzner.up()
  hetzner.heal()
})

const makeThere = (name: string, given = {}, token = cloudToken) =>
  makeAtHetzner(ctx, hetzner, { workspace, cloudToken: token }, name, given)

const shown = async (id: Id<'server'>) =>
  (await slipway.ok(getServer, { token: owner.token, params: { id } })).server

/** Checks all accounts that are due. */
async function look() {
  await db.updateTable('cloud_servers').set({ seen_at: null }).execute()
  const long = new Date(Date.now() - 3_600_000)
  await db.updateTable('cloud_tokens').set({ checked_at: long }).execute()
  await checkCloudAccounts(ctx)
  await untilQuiet()
}

const untilQuiet = () =>
  vi.waitFor(async () => {
    const going = await db
      .selectFrom('jobs')
      .select('id')
      .where('state', 'in', ['queued', 'running'])
      .execute()
    expect(going).toEqual([])
  }, patiently)

const emitted = async (id: string) =>
  (
    await db
      .selectFrom('events')
      .select(['type', 'detail'])
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ type, detail }) => [type, detail])

const drift = async (id: Id<'server'>) => (await shown(id)).cloud?.drift

test('updates only the check time of an unchanged server', async () => {
  const { id, there } = await makeThere('same')
  await look()
  const { cloud, status } = await shown(id)
  expect(status).toBe('pending')
  expect(cloud).toMatchObject({ id: there.id, status: 'running', address: there.address, drift: [] })
  expect(cloud?.seen_at).not.toBeNull()
  expect(cloud?.url).toContain('hetzner')
  expect(await emitted(id)).toEqual([])
})

test('reports a server that was deleted at the provider once', async () => {
  const { id, there } = await makeThere('gone')
  hetzner.removeBehindOurBack(there.id)
  await look()
  await look()
  expect(await drift(id)).toEqual([
    { kind: 'deleted', text: 'The server was deleted at Hetzner. Delete it here as well.' },
  ])
  expect(await emitted(id)).toEqual([['server.cloud_changed', 'The server was deleted at Hetzner.']])
})

test('reports each power off and power on', async () => {
  const { id, there } = await makeThere('off')
  hetzner.powerOff(there.id)
  await look()
  expect(await drift(id)).toEqual([
    { kind: 'stopped', text: 'The server is powered off at Hetzner and is still billed. Start it there.' },
  ])
  // The server is back but not checked yet. Without a host key no worker connects to it.
  await db.updateTable('servers').set({ status: 'ready', host_keys: [] }).where('id', '=', id).execute()
  expect(await drift(id)).toEqual([])
  hetzner.powerOn(there.id)
  await look()
  expect(await drift(id)).toEqual([])
  expect(await emitted(id)).toEqual([
    ['server.cloud_changed', 'The server was powered off at Hetzner.'],
    ['server.cloud_changed', 'The server was powered on at Hetzner.'],
  ])
})

test('checks the servers when a token is checked', async () => {
  const { id, there } = await makeThere('looked-for')
  hetzner.resize(there.id, 'cx33')
  await slipway.ok(checkCloudToken, { token: owner.token, params: { id: cloudToken } })
  await vi.waitFor(async () => expect((await shown(id)).type).toBe('cx33'), patiently)
})

test('shows the new type and price of a resized server, with a notice for a week', async () => {
  const { id, there } = await makeThere('bigger')
  await look()
  const before = (await shown(id)).cloud?.price?.monthly
  hetzner.resize(there.id, 'cx33')
  await look()
  await look()
  const { type, cloud } = await shown(id)
  expect(type).toBe('cx33')
  expect(cloud?.price?.monthly).toBeGreaterThan(before ?? Infinity)
  expect(cloud?.drift).toEqual([
    {
      kind: 'resized',
      text: expect.stringMatching(/^The server was resized at Hetzner from cx23 to cx33 and now costs €/),
    },
  ])
  expect(await emitted(id)).toEqual([
    ['server.cloud_changed', 'The server was resized at Hetzner from cx23 to cx33.'],
  ])
  const longAgo = new Date(Date.now() - 8 * 86_400_000)
  await db.updateTable('cloud_servers').set({ resized_at: longAgo }).where('server_id', '=', id).execute()
  expect(await drift(id)).toEqual([])
})

test('reports a new address until it is adopted', async () => {
  const { id, there } = await makeThere('moved')
  const { address: old } = there
  hetzner.move(there.id, '203.0.113.200')
  await look()
  await look()
  expect(await drift(id)).toEqual([
    {
      kind: 'moved',
      text: `The address at Hetzner changed from ${old} to 203.0.113.200. Update the address here.`,
    },
  ])
  expect(await emitted(id)).toEqual([
    ['server.cloud_changed', `At Hetzner, the server now has the address 203.0.113.200 (previously ${old}).`],
  ])
  await db.updateTable('servers').set({ host_keys: [] }).where('id', '=', id).execute()
  const body = { address: '203.0.113.200' }
  await slipway.ok(updateServer, { token: owner.token, params: { id }, body })
  expect(await drift(id)).toEqual([])
})

test('does not report a move for a server that uses another address', async () => {
  const { id } = await makeThere('by-name', { address: 'web.example.com' })
  await look()
  expect(await drift(id)).toEqual([])
})

test('reports other servers with its tag', async () => {
  const { id, there } = await makeThere('one')
  const twin = hetzner.addServer({ name: 'two', ...kind, labels: { slipway: id } })
  await look()
  await look()
  expect(await drift(id)).toEqual([{ kind: 'duplicated', text: expect.stringContaining(twin.id) }])
  expect(await emitted(id)).toEqual([['server.cloud_changed', expect.stringContaining(twin.id)]])
  // Duplicates are reported even when the original is gone, because they are billed.
  hetzner.removeBehindOurBack(there.id)
  await look()
  expect(await drift(id)).toMatchObject([{ kind: 'deleted' }, { kind: 'duplicated' }])
})

test('finds a server that was created after the creation failed', async () => {
  const given = { step: 'create' as const, cloud_id: null, price_monthly: null, currency: null }
  const id = await makeCloudServer(ctx, workspace, cloudToken, given, { status: 'failed', host_keys: [] })
  await look()
  expect((await shown(id)).cloud?.id).toBeNull()
  const late = hetzner.addServer({ name: 'late', ...kind, labels: { slipway: id } })
  await look()
  const { cloud } = await shown(id)
  expect(cloud).toMatchObject({ id: late.id, address: late.address, step: 'create' })
  expect(cloud?.price).not.toBeNull()
  expect(await emitted(id)).toEqual([
    ['server.cloud_changed', expect.stringContaining('The server exists at')],
  ])
})

test('reports that no server was created only when it is certain', async () => {
  const reason = 'It failed. Slipway is checking whether Hetzner created the server and bills it.'
  const given = { step: 'create' as const, cloud_id: null, asked_at: new Date(), status: 'unknown' as const }
  const failed = { status: 'failed' as const, host_keys: [], reason }
  const id = await makeCloudServer(ctx, workspace, cloudToken, given, failed)
  await look()
  expect((await shown(id)).reason).toBe(reason)
  const asked_at = new Date(Date.now() - 3_600_000)
  await db.updateTable('cloud_servers').set({ asked_at }).where('server_id', '=', id).execute()
  await look()
  expect((await shown(id)).reason).toBe('It failed. No server was created, so nothing is billed.')
  await slipway.ok(deleteServer, { token: owner.token, params: { id }, query: { cloud: 'keep' } })
})

test('saves the address that was missing when the creation failed', async () => {
  const { id, there } = await makeThere('late-boot', { status: 'failed', address: null, host_keys: [] })
  const halfMade = { step: 'boot' as const, address: null }
  await db.updateTable('cloud_servers').set(halfMade).where('server_id', '=', id).execute()
  await look()
  expect(await shown(id)).toMatchObject({ status: 'failed', address: there.address })
})

test('checks other servers when one response is invalid', async () => {
  const { id: strange, there } = await makeThere('strange')
  const { id: resized, there: other } = await makeThere('plain')
  hetzner.removeBehindOurBack(there.id)
  hetzner.resize(other.id, 'cx33')
  hetzner.fail('look', hetznerError('invalid_input', 'What?'))
  await look()
  expect((await shown(resized)).type).toBe('cx33')
  expect((await shown(strange)).cloud?.status).toBe('running')
})

test('enqueues no second check while one is queued', async () => {
  await makeThere('due')
  const long = new Date(Date.now() - 3_600_000)
  await db.updateTable('cloud_servers').set({ seen_at: null }).execute()
  await db.updateTable('cloud_tokens').set({ checked_at: long }).execute()
  const isDue = async () => (await listDueTokens(db, 300)).some((due) => due.id === cloudToken)
  expect(await isDue()).toBe(true)
  const key = `look-at-account:${cloudToken}`
  const waiting = { kind: 'look-at-account', payload: {}, key, delay: 3_600_000 }
  await transaction(db, (trx) => enqueue(ctx.secrets, trx, waiting))
  expect(await isDue()).toBe(false)
  await db.deleteFrom('jobs').where('key', '=', key).execute()
})

test('skips servers in creation or destruction', async () => {
  const { id, there } = await makeThere('busy', { status: 'provisioning' })
  hetzner.removeBehindOurBack(there.id)
  await look()
  expect((await shown(id)).cloud).toMatchObject({ status: 'running', drift: [] })
})

test('reports a rejected token once, hides its servers and delays no others', async () => {
  const other = hetzner.addToken({ account: 'other' })
  const second = await makeCloudToken(ctx, workspace, other)
  const hidden = await makeThere('hidden', {}, second)
  hidden.there.account = 'other'
  const { id, there } = await makeThere('seen')
  hetzner.revoke(other)
  hetzner.resize(there.id, 'cx33')
  await look()
  await look()
  expect(await drift(hidden.id)).toEqual([
    { kind: 'unseen', text: expect.stringMatching(/^The status at Hetzner is unknown\. .*token/) },
  ])
  expect(await emitted(second)).toEqual([['cloud_token.refused', expect.any(String)]])
  expect((await shown(id)).type).toBe('cx33')
  hetzner.restore(other, { account: 'other' })
  await look()
  expect(await drift(hidden.id)).toEqual([])
  expect((await emitted(second)).at(-1)).toEqual(['cloud_token.accepted', null])
})

test('finds a server without a token through another token of its account', async () => {
  const { id, there } = await makeThere('orphan')
  await db.updateTable('cloud_servers').set({ cloud_token_id: null }).where('server_id', '=', id).execute()
  expect(await drift(id)).toEqual([{ kind: 'unseen', text: expect.stringContaining('was deleted') }])
  const foreign = await makeCloudToken(ctx, workspace, hetzner.addToken({ account: 'foreign' }))
  await transaction(db, (trx) =>
    emit(trx, 'slipway', workspace, 'cloud_token.created', { kind: 'cloudToken', id: foreign, name: 'x' }),
  )
  await vi.waitFor(async () => {
    const jobs = db.selectFrom('jobs').select('id').where('kind', '=', 'look-at-account')
    expect(
      await jobs.where('key', '=', `look-at-account:${foreign}`).where('state', '=', 'done').execute(),
    ).toHaveLength(1)
  }, patiently)
  expect((await shown(id)).cloud).toMatchObject({ cloud_token_id: null, status: 'running' })
  await look()
  expect((await shown(id)).cloud).toMatchObject({ id: there.id, cloud_token_id: cloudToken, drift: [] })
})

test('changes nothing while the provider is unavailable', async () => {
  const { id } = await makeThere('calm')
  hetzner.down()
  await look()
  expect((await shown(id)).cloud).toMatchObject({ status: 'running', seen_at: null, drift: [] })
  expect(await emitted(id)).toEqual([])
})

test('checks an unreachable server immediately', async () => {
  const { id, there } = await makeThere('lost')
  hetzner.removeBehindOurBack(there.id)
  const target = { kind: 'server', id, name: 'lost' }
  await transaction(db, (trx) => emit(trx, 'slipway', workspace, 'server.unreachable', target))
  await vi.waitFor(async () => expect((await shown(id)).cloud?.status).toBe('deleted'), patiently)
})
