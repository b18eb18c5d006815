import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../../../contract/commands.ts'
import * as contract from '../../../contract/servers.ts'
import { type CallResult, statuses } from '../../../test/support/clients/client.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { eventsOf } from '../../../test/support/clients/events.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { whileLocked } from '../../../test/support/stages/while-locked.ts'

const rig = await takeHost()
let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway()
})
afterAll(() => slipway.close())

async function arrive(given: Parameters<typeof makeServer>[3] = {}) {
  const { workspace, admin } = await makeTeam(slipway.db)
  const id = await makeServer(slipway.ctx, workspace, rig, { name: 'web-1', ...given })
  const sent = { token: admin.token, params: { id } }
  const put = (body: object) => () => slipway.call(contract.updateServer.key, { ...sent, body })
  const read = async () => (await slipway.ok(contract.getServer, sent)).server
  return { workspace, id, sent, put, read }
}

const codesOf = (got: CallResult[]) =>
  got.flatMap(({ body }) => (Object(body).code === undefined ? [] : [Object(body).code]))

describe('concurrent changes', () => {
  test('of different fields are all kept', async () => {
    const { id, put, read, workspace } = await arrive({ host_keys: [], status: 'pending' })
    const changes = [{ name: 'web-2' }, { labels: ['blue'] }, { address: '192.0.2.9' }, { http_port: 8080 }]
    const got = await whileLocked(slipway.db, id, changes.map(put))
    expect(statuses(got)).toEqual([200, 200, 200, 200])
    expect(await read()).toMatchObject(Object.assign({}, ...changes))
    expect(await eventsOf(slipway.db, workspace)).toHaveLength(4)
  })

  test('of the connection do not mix', async () => {
    const { id, put, read } = await arrive({ host_keys: [], status: 'pending' })
    const got = await whileLocked(slipway.db, id, [{ address: '192.0.2.9' }, { port: 2222 }].map(put))
    expect(statuses(got)).toEqual([200, 409])
    expect(codesOf(got)).toEqual(['server_changed'])
    expect(await read()).toMatchObject({ address: '192.0.2.9', port: 22 })
  })

  test('that lead to one port for HTTP and HTTPS are refused', async () => {
    const { id, put, read } = await arrive()
    const got = await whileLocked(slipway.db, id, [{ http_port: 8080 }, { https_port: 8080 }].map(put))
    expect(statuses(got)).toEqual([200, 422])
    expect(await read()).toMatchObject({ http_port: 8080, https_port: 443 })
  })

  test('with the same values count once', async () => {
    const { id, put, workspace } = await arrive()
    const got = await whileLocked(slipway.db, id, [put({ name: 'web-2' }), put({ name: 'web-2' })])
    expect(statuses(got)).toEqual([200, 200])
    expect(await eventsOf(slipway.db, workspace)).toEqual(['server.updated'])
  })

  test('wait for a setup that started meanwhile', async () => {
    const { id, put } = await arrive()
    const got = await whileLocked(slipway.db, id, [put({ user: 'ada' })], (trx) =>
      trx.updateTable('servers').set({ status: 'setting_up' }).where('id', '=', id).execute(),
    )
    expect(codesOf(got)).toEqual(['setting_up'])
  })
})

test('a login at an outdated address does not make the server ready', async () => {
  const { id, sent, read, workspace } = await arrive({ status: 'unreachable' })
  const [got] = await whileLocked(
    slipway.db,
    id,
    [() => slipway.refused(contract.connectServer, sent, 409, 'server_changed')],
    (trx) =>
      trx.updateTable('servers').set({ version: 2, address: '192.0.2.9' }).where('id', '=', id).execute(),
  )
  expect(got?.text).toContain('The server web-1 was changed by another request at the same time.')
  expect(await read()).toMatchObject({ status: 'unreachable' })
  expect(await eventsOf(slipway.db, workspace)).toEqual([])
})

test('a host key from an outdated address is not offered', async () => {
  const { id, sent, read } = await arrive({ host_keys: [], status: 'pending' })
  await whileLocked(
    slipway.db,
    id,
    [() => slipway.refused(contract.connectServer, sent, 409, 'server_changed')],
    (trx) =>
      trx.updateTable('servers').set({ version: 2, address: '192.0.2.9' }).where('id', '=', id).execute(),
  )
  expect(await read()).toMatchObject({ offered_host_key: null })
})

test('a command on a server that is being deleted finds no server', async () => {
  const { id, sent } = await arrive()
  const run = () => slipway.refused(runCommand, { ...sent, body: { command: 'true' } }, 404, 'not_found')
  const [got] = await whileLocked(slipway.db, id, [run], (trx) =>
    trx.deleteFrom('servers').where('id', '=', id).execute(),
  )
  expect(got?.body).toMatchObject({ error: 'This server was not found.' })
})
