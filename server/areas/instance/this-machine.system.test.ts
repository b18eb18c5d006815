import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '../../../contract/instance.ts'
import { deleteServer, listServers } from '../../../contract/servers.ts'
import { deleteWorkspace } from '../../../contract/workspaces.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeInstanceOwner,
  makeMember,
  makeSomeone,
  makeWorkspace,
} from '../../../test/support/factories/factories.ts'
import { takeServer } from '../../../test/support/rig/take.ts'
import { findThisMachineProblem } from '../servers/this-machine.ts'

const rig = await takeServer()
const slipway = await startSlipway({ DOCKER_SOCKET: rig.dockerSocket() })
const { db, ctx } = slipway
afterAll(() => slipway.close())
beforeEach(() => db.deleteFrom('servers').execute())

async function makeOperator(name = 'Harbour') {
  const workspace = await makeWorkspace(db, name)
  const operator = await makeSomeone(db, workspace, 'owner')
  await makeInstanceOwner(db, operator)
  return { ...operator, workspace }
}
const enable = (token: string, workspace_id: string) =>
  slipway.call(contract.enableThisMachine.key, { token, body: { workspace_id } })

test('belongs to no workspace until an instance owner enables it for one they own, which starts its setup', async () => {
  const { token, workspace, ...operator } = await makeOperator()
  expect((await slipway.ok(contract.getThisMachine, { token })).this_machine).toMatchObject({
    offered: true,
    problem: null,
    server: null,
    workspaces: [{ id: workspace, name: 'Harbour' }],
  })
  expect((await slipway.ok(listServers, { token })).servers).toEqual([])
  const elsewhere = await makeWorkspace(db)
  await makeMember(db, elsewhere, operator, 'admin')
  expect(await enable(token, elsewhere)).toMatchObject({ status: 404 })
  expect(await enable(token, workspace)).toMatchObject({ status: 201 })
  expect((await slipway.ok(listServers, { token })).servers).toMatchObject([
    {
      name: 'This machine',
      kind: 'local',
      status: 'setting_up',
      address: null,
      user: 'root',
      host_key: null,
    },
  ])
  const setups = await db.selectFrom('setups').selectAll().where('workspace_id', '=', workspace).execute()
  expect(setups).toMatchObject([{ status: 'queued', actor_name: operator.name }])
  const { this_machine } = await slipway.ok(contract.getThisMachine, { token })
  expect(this_machine).toMatchObject({ offered: false, server: { workspace: { id: workspace } } })
  const { entries } = await slipway.ok(contract.listInstanceAudit, { token })
  expect(entries[0]).toMatchObject({ type: 'local_server.enabled', target: { id: workspace } })
})

test('is created once by concurrent requests', async () => {
  const [ada, grace] = [await makeOperator(), await makeOperator()]
  const got = await Promise.all([enable(ada.token, ada.workspace), enable(grace.token, grace.workspace)])
  expect(new Set(got.map(({ status }) => status))).toEqual(new Set([201, 409]))
  expect(await db.selectFrom('servers').select('id').execute()).toHaveLength(1)
})

test('moves to no other workspace when its workspace is deleted', async () => {
  const { token, workspace } = await makeOperator('Doomed')
  const other = await makeSomeone(db, await makeWorkspace(db), 'owner')
  await enable(token, workspace)
  await slipway.ok(deleteWorkspace, { token, body: { name: 'Doomed' } })
  expect(await db.selectFrom('servers').select('id').execute()).toEqual([])
  expect((await slipway.ok(listServers, { token: other.token })).servers).toEqual([])
  expect((await slipway.ok(contract.getThisMachine, { token })).this_machine).toMatchObject({
    offered: true,
    server: null,
  })
  const { entries } = await slipway.ok(contract.listInstanceAudit, { token })
  expect(entries[0]).toMatchObject({ type: 'local_server.disabled' })
})

test('is disabled by an instance owner without membership or by deleting the server', async () => {
  const [ada, grace] = [await makeOperator(), await makeOperator()]
  await enable(ada.token, ada.workspace)
  const off = await slipway.ok(contract.disableThisMachine, { token: grace.token })
  expect(off.this_machine.server).toBeNull()
  await enable(ada.token, ada.workspace)
  const [server] = (await slipway.ok(listServers, { token: ada.token })).servers
  await slipway.ok(deleteServer, { token: ada.token, params: { id: server?.id ?? '' } })
  const { entries } = await slipway.ok(contract.listInstanceAudit, { token: ada.token })
  expect(entries.slice(0, 4).map(({ type }) => type)).toEqual([
    'local_server.disabled',
    'local_server.enabled',
    'local_server.disabled',
    'local_server.enabled',
  ])
})

describe('unavailable local server', () => {
  const without = (given: Partial<typeof ctx.config>, signs?: string[]) =>
    findThisMachineProblem({ ...ctx, config: { ...ctx.config, ...given } }, signs)

  test('is not offered with LOCAL_SERVER=off', async () => {
    expect(await without({ LOCAL_SERVER: 'off' })).toContain('LOCAL_SERVER=off')
  })

  test('is not offered without Docker in a container, but on a host where root can install it', async () => {
    const DOCKER_SOCKET = '/nowhere/docker.sock'
    expect(await without({ DOCKER_SOCKET }, ['/etc/passwd'])).toMatch(
      /^Docker is not responding at \/nowhere/,
    )
    expect(await without({ DOCKER_SOCKET }, [])).toBeUndefined()
  })
})
