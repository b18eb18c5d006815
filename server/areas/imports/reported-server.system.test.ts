import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/imports.ts'
import { makeCloudServer, makeCloudToken } from '../../../test/support/factories/cloud-factories.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { startFakeHetzner } from '../../../test/support/fakes/clouds/hetzner.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { newKeyPair } from '../../remote/ssh/key-pair.ts'

const hetzner = await startFakeHetzner()
const host = await takeHost()
let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway({ ...hetzner.env, OUTBOUND_NETWORKS: '127.0.0.0/8' })
})
afterAll(async () => {
  await slipway.close()
  await hetzner.close()
})

type Cloud = NonNullable<Parameters<typeof makeCloudServer>[3]>
type ServerInput = NonNullable<Parameters<typeof makeServer>[3]>
const unreached: ServerInput = { status: 'pending', host_keys: [], machine: null }

async function makeLine(cloud: Cloud | undefined, given: ServerInput = unreached) {
  const { admin, workspace } = await makeTeam(slipway.db)
  const token = await makeCloudToken(slipway.ctx, workspace, hetzner.addToken())
  const server = cloud
    ? await makeCloudServer(slipway.ctx, workspace, token, cloud, given)
    : await makeServer(slipway.ctx, workspace, nowhere(), given)
  const sent = { token: admin.token, body: { server_id: server } }
  return { admin, workspace, server, sent, line: await slipway.ok(contract.createImportToken, sent) }
}

const report = (token: string, hostKey = host.hostKey) =>
  slipway.call(contract.importServer.key, {
    address: '127.0.0.1',
    body: {
      token,
      hostname: 'other',
      user: 'root',
      host_keys: [hostKey],
      addresses: [host.address],
      os: 'Debian',
      set_up: true,
    },
  })

const rowOf = (id: Id<'server'>) =>
  slipway.db.selectFrom('servers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('an import command for an existing server', () => {
  test('uses its key and updates its row', async () => {
    const { line, server, workspace, sent } = await makeLine(undefined)
    const script = await slipway.call(contract.getImportScript.key, { params: { token: line.token } })
    const before = await rowOf(server)
    expect(script.text).toContain(`slipway_key='${before.public_key}'`)
    const other = await slipway.ok(contract.createImportToken, sent)
    expect(await report(line.token)).toMatchObject({
      status: 201,
      body: { server: { id: server, name: before.name } },
    })
    expect(await rowOf(server)).toMatchObject({
      status: 'setting_up',
      address: host.address,
      host_keys: [host.hostKey],
      version: before.version + 1,
      os: 'Debian',
      key_sealed: before.key_sealed,
    })
    const all = await slipway.db
      .selectFrom('servers')
      .select('id')
      .where('workspace_id', '=', workspace)
      .execute()
    expect(all).toHaveLength(1)
    // The token was used.
    expect((await report(other.token)).status).toBe(404)
  })

  test('is refused for a confirmed server, one in deletion, or one of another workspace', async () => {
    const known = await makeLine(undefined)
    await report(known.line.token)
    await slipway.refused(contract.createImportToken, known.sent, 409, 'server_known')
    const going = await makeLine(undefined)
    await slipway.db
      .updateTable('servers')
      .set({ status: 'deleting' })
      .where('id', '=', going.server)
      .execute()
    await slipway.refused(contract.createImportToken, going.sent, 409, 'server_deleting')
    const { admin } = await makeTeam(slipway.db)
    await slipway.refused(contract.createImportToken, { ...known.sent, token: admin.token }, 404, 'not_found')
  })

  test('is invalid once the server is being deleted', async () => {
    const { line, server } = await makeLine(undefined)
    await slipway.db.updateTable('servers').set({ status: 'deleting' }).where('id', '=', server).execute()
    expect(await report(line.token)).toMatchObject({ status: 404, body: { code: 'import_token_invalid' } })
    expect(await rowOf(server)).toMatchObject({ status: 'deleting', host_keys: [] })
  })
})

describe('a cloud server', () => {
  test('is admitted at the address that the provider reports', async () => {
    const { line, server } = await makeLine({ cloud_id: '1', address: host.address, origin: 'imported' })
    expect((await report(line.token)).status).toBe(201)
    expect(await rowOf(server)).toMatchObject({ address: host.address, host_keys: [host.hostKey] })
  })

  test('is refused with another host key, and the reason is shown', async () => {
    const making: ServerInput = { ...unreached, status: 'provisioning' }
    const { line, server } = await makeLine({ cloud_id: '2', address: host.address, step: 'call' }, making)
    const thief = newKeyPair('thief').publicKey
    expect(await report(line.token, thief)).toMatchObject({ status: 409, body: { code: 'not_that_server' } })
    expect(await rowOf(server)).toMatchObject({
      status: 'provisioning',
      host_keys: [],
      reason: expect.stringContaining('reported'),
    })
    expect((await report(line.token)).status).toBe(201)
  })

  test('is refused from another address with its own host key', async () => {
    const { line, server } = await makeLine({ cloud_id: '3', address: '127.0.0.9', step: 'call' })
    expect(await report(line.token)).toMatchObject({ status: 409, body: { code: 'not_that_server' } })
    expect(await rowOf(server)).toMatchObject({ host_keys: [] })
  })

  test("is asked to retry while the provider's result is unknown", async () => {
    const making: ServerInput = { ...unreached, status: 'provisioning', address: null }
    const { line } = await makeLine({ cloud_id: null, step: 'create' }, making)
    const early = await report(line.token)
    expect(early).toMatchObject({ status: 503, body: { code: 'not_yet_known' } })
  })

  test('is looked up at the provider when its ID is not saved yet', async () => {
    const making: ServerInput = { ...unreached, status: 'provisioning', address: null }
    const there = hetzner.addServer({
      name: 'web',
      region: 'fsn1',
      type: 'cx23',
      image: 'debian-12',
      address: host.address,
    })
    const { line, server } = await makeLine({ cloud_id: there.id, step: 'boot', cloud_key_id: '7' }, making)
    expect((await report(line.token)).status).toBe(201)
    expect(await rowOf(server)).toMatchObject({ status: 'setting_up', address: host.address })
    const cloud = await slipway.db
      .selectFrom('cloud_servers')
      .select('step')
      .where('server_id', '=', server)
      .executeTakeFirst()
    expect(cloud).toEqual({ step: null })
    const jobs = await slipway.db
      .selectFrom('jobs')
      .select('kind')
      .where('kind', '=', 'remove-cloud-key')
      .execute()
    expect(jobs).toHaveLength(1)
  })
})
