import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { createServer, deleteServer, getServer } from '../../../contract/servers.ts'
import { deleteWorkspace } from '../../../contract/workspaces.ts'
import { kind, makeAtHetzner } from '../../../test/support/factories/at-hetzner.ts'
import { makeCloudServer, makeCloudToken } from '../../../test/support/factories/cloud-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'
import { start, takeProvidedHost, untilSaid } from '../../../test/support/stages/setups.ts'

const host = await takeProvidedHost()
const hetzner = await startFakeHetzner()
const slipway = await startSlipway({
  ...hetzner.env,
  CLOUD_TIMEOUT: '6',
  PUBLIC_URL: 'http://slipway.test',
  PROXY_IMAGE: host.image.name,
})
afterAll(async () => {
  await slipway.close()
  await hetzner.close()
})
slipway.work()
const { ctx, db } = slipway
const { workspace, owner, admin } = await makeTeam(db)
const { token } = owner
const cloudToken = await makeCloudToken(ctx, workspace, hetzner.addToken())
const patiently = { interval: 50 }

beforeEach(() => void (hetzner.state.bootMs = 50))
afterEach(() => hetzner.heal())

async function order(name: string) {
  const body = { name, cloud: { cloud_token_id: cloudToken, ...kind } }
  const { server } = await slipway.ok(createServer, { token, body })
  return server.id
}

const untilAt = (id: Id<'server'>, step: string) =>
  vi.waitFor(async () => {
    const { server } = await slipway.ok(getServer, { token, params: { id } })
    expect(server.cloud?.step).toBe(step)
  }, patiently)

const destroy = (id: Id<'server'>) =>
  slipway.ok(deleteServer, { token, params: { id }, query: { cloud: 'destroy' } })

const untilGone = (id: Id<'server'>) =>
  vi.waitFor(() => slipway.refused(getServer, { token, params: { id } }, 404), patiently)

const typesOf = async (id: string) =>
  (await db.selectFrom('events').select('type').where('target_id', '=', id).orderBy('id').execute()).map(
    ({ type }) => type,
  )

describe('destroying a server during its creation', () => {
  test.each([
    ['key', 'its key is put there', () => hetzner.fail('add key', 'broken')],
    ['key', 'the answer to its key is lost', () => hetzner.failAfter('add key', 1_000)],
    ['create', 'it is asked for, in vain', () => hetzner.fail('create', 'broken')],
    ['boot', 'it starts', () => hetzner.neverBoots()],
    ['call', 'it is to call', () => {}],
  ])('(%s: while %s) leaves nothing at the provider', async (step, _, fault) => {
    fault()
    const id = await order(`step-${step}`)
    await untilAt(id, step)
    await destroy(id)
    hetzner.heal()
    await untilGone(id)
    expect(hetzner.servers).toEqual([])
    expect(hetzner.keys).toEqual([])
    expect(await typesOf(id)).toEqual(['server.ordered', 'server.destroying', 'server.deleted'])
  })

  test('waits for a server that is not visible yet', async () => {
    hetzner.neverBoots()
    const id = await order('hidden')
    await untilAt(id, 'boot')
    const [made] = hetzner.servers.splice(0)
    await destroy(id)
    await vi.waitFor(async () => {
      const all = db.selectFrom('jobs').select('state').where('key', '=', `cloud:${id}`)
      const looks = await all.where('kind', '=', 'destroy-server').execute()
      expect(looks.map(({ state }) => state)).toEqual(expect.arrayContaining(['done', 'queued']))
    }, patiently)
    if (made) hetzner.servers.push(made)
    await untilGone(id)
    expect(hetzner.servers).toEqual([])
  })

  test('destroys a server that a crashed worker requested, however late it appears', async () => {
    const given = { step: 'create' as const, cloud_id: null, asked_at: new Date() }
    const id = await makeCloudServer(ctx, workspace, cloudToken, given, { status: 'provisioning' })
    await destroy(id)
    await vi.waitFor(() => expect(hetzner.asked.at(-1)).toContain(id), patiently)
    const late = hetzner.addServer({ name: 'late', ...kind, labels: { slipway: id } })
    await untilGone(id)
    expect(hetzner.servers).not.toContain(late)
  })
})

test('destroys a server during setup without a setup event', async () => {
  const { address, port, user: username, hostKey, keys } = host
  const { id } = await makeAtHetzner(ctx, hetzner, { workspace, cloudToken }, 'half-way', {
    address,
    port,
    username,
    host_keys: [hostKey],
    public_key: keys.publicKey,
  })
  const key_sealed = ctx.secrets.seal(`servers.key_sealed:${id}`, keys.privateKey)
  await db.updateTable('servers').set({ key_sealed }).where('id', '=', id).execute()
  const setting = { slipway, workspace, admin, server: id }
  await host.stopDockerd()
  const { setup } = await start(setting)
  await untilSaid(setting, '==> docker')
  hetzner.down()
  await destroy(id)
  await vi.waitFor(async () => {
    const jobs = await db.selectFrom('jobs').select('state').where('key', '=', `set-up:${id}`).execute()
    expect(jobs.map(({ state }) => state)).not.toContain('running')
  }, patiently)
  const { server } = await slipway.ok(getServer, { token, params: { id } })
  expect(server.status).toBe('deleting')
  hetzner.up()
  await untilGone(id)
  expect(await typesOf(id)).toEqual(['server.setup_started', 'server.destroying', 'server.deleted'])
  expect(await db.selectFrom('outputs').select('seq').where('source', '=', setup.id).execute()).toEqual([])
  await host.startDockerd()
})

test('refuses to delete a workspace while a cloud server is created or destroyed', async () => {
  const other = await makeTeam(db)
  const own = await makeCloudToken(ctx, other.workspace, hetzner.addToken())
  const { name } = await db
    .selectFrom('workspaces')
    .select('name')
    .where('id', '=', other.workspace)
    .executeTakeFirstOrThrow()
  const id = await makeCloudServer(ctx, other.workspace, own, {}, { name: 'web-1', status: 'provisioning' })
  const sent = { token: other.owner.token, body: { name } }
  for (const status of ['provisioning', 'deleting'] as const) {
    await db.updateTable('servers').set({ status }).where('id', '=', id).execute()
    const { body } = await slipway.refused(deleteWorkspace, sent, 409, 'workspace_has_pending_servers')
    expect(body).toMatchObject({ error: expect.stringContaining('The server web-1 of the workspace') })
  }
  const change = async (status: 'failed' | 'ready', cloud: object) => {
    await db.updateTable('servers').set({ status }).where('id', '=', id).execute()
    await db.updateTable('cloud_servers').set(cloud).where('server_id', '=', id).execute()
  }
  // The first server is being created, the second may exist.
  for (const cloud of [
    { step: 'call', cloud_id: '7' },
    { step: 'create', cloud_id: null, asked_at: new Date() },
  ]) {
    await change('failed', cloud)
    await slipway.refused(deleteWorkspace, sent, 409, 'workspace_has_pending_servers')
  }
  await change('ready', { step: null, cloud_id: '7', asked_at: null })
  await slipway.ok(deleteWorkspace, sent)
})
