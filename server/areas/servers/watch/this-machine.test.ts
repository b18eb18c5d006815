import { afterEach, describe, expect, test, vi } from 'vitest'
import { signUp } from '../../../../contract/auth.ts'
import * as contract from '../../../../contract/servers.ts'
import { startSlipway, type TestSlipway } from '../../../../test/context.ts'
import { makeSession, password, unique } from '../../../../test/factories.ts'
import { takeServer } from '../../../../test/rig/take.ts'
import { startThisMachine } from './this-machine.ts'
import { startWatching, type Watching } from './watching.ts'

const rig = await takeServer()
let slipway: TestSlipway
let watching: Watching
afterEach(async () => {
  await watching.stop()
  await slipway.close()
})

async function start(socket = rig.dockerSocket(), setting = 'auto') {
  slipway = await startSlipway({ LOCAL_SERVER: setting, DOCKER_SOCKET: socket })
  watching = startWatching(slipway.ctx, [])
  await slipway.ctx.bus.ready()
}

/** Somebody new with a workspace, at work in it. */
async function enter(): Promise<string> {
  const email = `${unique('ada')}@example.com`
  await slipway.ok(signUp, { body: { organisation: 'Docks', email, password } })
  const { id } = await slipway.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  const { workspace_id } = await slipway.db
    .selectFrom('members')
    .select('workspace_id')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow()
  return (await makeSession(slipway.db, { id }, { workspace: workspace_id })).token
}

const list = async (token: string) => (await slipway.ok(contract.listServers, { token })).servers
const patience = { timeout: 15_000, interval: 50 }

test('the first workspace gets this machine, soon and alone; once deleted it stays away', async () => {
  await start()
  const first = await enter()
  await vi.waitFor(async () => expect(await list(first)).toHaveLength(1), patience)
  expect(await list(first)).toMatchObject([
    { name: 'This machine', kind: 'local', status: 'ready', address: null, user: 'root', host_key: null },
  ])
  await vi.waitFor(
    async () =>
      expect(await list(first)).toMatchObject([
        {
          reason: null,
          docker_version: expect.any(String),
          cpus: expect.any(Number),
          os: expect.any(String),
        },
      ]),
    patience,
  )
  const second = await enter()
  const [server] = await list(first)
  await slipway.ok(contract.deleteServer, { token: first, params: { id: server?.id ?? '' } })
  await watching.stop()
  watching = startWatching(slipway.ctx, [])
  // A third workspace would wake it if it were still looking.
  await enter()
  await vi.waitFor(async () => {
    const { rows } = await slipway.ctx.pool.query("select value from instance where name = 'local_server'")
    expect(rows).toEqual([{ value: 'made' }])
  }, patience)
  for (const token of [first, second]) expect(await list(token)).toEqual([])
})

test('with a workspace there it is made at start', async () => {
  await start(undefined, 'off')
  const token = await enter()
  await watching.stop()
  expect(await list(token)).toEqual([])
  watching = startWatching({ ...slipway.ctx, config: { ...slipway.ctx.config, LOCAL_SERVER: 'auto' } }, [])
  await vi.waitFor(async () => expect(await list(token)).toHaveLength(1), patience)
})

test('two processes make one', async () => {
  await start()
  const other = startWatching(slipway.ctx, [])
  const token = await enter()
  await vi.waitFor(async () => expect(await list(token)).toHaveLength(1), patience)
  await other.stop()
  expect(await list(token)).toHaveLength(1)
})

describe('without Docker', () => {
  test('root is asked whether to set it up', async () => {
    await start('/nowhere/docker.sock', 'off')
    const token = await enter()
    await lookOnce('auto', [])
    expect(await list(token)).toMatchObject([
      { name: 'This machine', status: 'pending', reason: expect.stringMatching(/^Docker does not answer/) },
    ])
  })

  test('root of a container is not', async () => {
    await start('/nowhere/docker.sock', 'off')
    const token = await enter()
    await lookOnce('auto', ['/etc/passwd'])
    expect(await list(token)).toEqual([])
  })
})

test('with LOCAL_SERVER=off there is none', async () => {
  await start(undefined, 'off')
  const token = await enter()
  await lookOnce('off')
  expect(await list(token)).toEqual([])
  await lookOnce('auto')
  expect(await list(token)).toHaveLength(1)
})

async function lookOnce(LOCAL_SERVER: 'auto' | 'off', signs?: string[]) {
  const { ctx } = slipway
  await startThisMachine({ ...ctx, config: { ...ctx.config, LOCAL_SERVER } }, signs).stop()
}
