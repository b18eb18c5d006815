import { createServer } from 'node:net'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import * as contract from '../../../contract/servers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { failureOf } from '../../../test/support/stages/reach.ts'
import { AddressNotAllowed } from '../../remote/errors.ts'
import { openSocket } from '../../remote/ssh/open-socket.ts'
import { storeSetting } from '../../settings.ts'
import { getServerHost } from './server-host.ts'
import { findServer } from './server.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { workspace, admin } = await makeTeam(slipway.db)
const { token } = admin

/** Listens on loopback and counts connections. */
async function listening(answer = '') {
  let count = 0
  const server = createServer((socket) => {
    count++
    socket.on('error', () => {}).end(answer)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const at = server.address()
  return { port: typeof at === 'object' && at ? at.port : 0, count: () => count }
}

const refused = [
  '127.0.0.1',
  '127.8.8.8',
  '::1',
  '0.0.0.0',
  '169.254.169.254',
  'fe80::1',
  '::ffff:127.0.0.1',
  'localhost',
]

describe('an address that is not allowed', () => {
  test.each(refused)('is refused when a server with %s is created or changed', async (address) => {
    const sentence = expect.stringMatching(/^Slipway does not connect to this address/)
    const created = await slipway.call('POST /v1/servers', { token, body: { name: 'web-1', address } })
    expect(created).toMatchObject({ status: 422, body: { errors: { address: [sentence] } } })
    const id = await makeServer(slipway.ctx, workspace, nowhere())
    const sent = { token, params: { id }, body: { address } }
    const changed = await slipway.call('PUT /v1/servers/{id}', sent)
    expect(changed).toMatchObject({ status: 422, body: { errors: { address: [sentence] } } })
  })

  test('is answered with one sentence and no connection, whatever listens there', async () => {
    const [ssh, web] = [
      await listening('SSH-2.0-OpenSSH_9.2\r\n'),
      await listening('HTTP/1.1 200 OK\r\n\r\n'),
    ]
    const closed = 1
    const said: string[] = []
    for (const port of [ssh.port, web.port, closed]) {
      // A server from before the range was closed.
      const host = { ...nowhere(), address: '127.0.0.1', port }
      const id = await makeServer(slipway.ctx, workspace, host, { name: 'inner', host_keys: [] })
      const sent = { token, params: { id } }
      said.push((await slipway.refused(contract.connectServer, sent, 502, 'server_unreachable')).text)
      const pinned = await makeServer(slipway.ctx, workspace, host, { name: 'inner' })
      const row = await findServer(slipway.ctx, workspace, pinned)
      if (!row) throw new Error('It is gone.')
      expect(await failureOf(getServerHost(slipway.ctx, row).connect())).toBeInstanceOf(AddressNotAllowed)
    }
    expect(new Set(said).size).toBe(1)
    expect([ssh.count(), web.count()]).toEqual([0, 0])
  })

  test('is connected to once the instance allows its range', async () => {
    const web = await listening('HTTP/1.1 200 OK\r\n\r\n')
    const host = { ...nowhere(), address: '127.0.0.1', port: web.port }
    const id = await makeServer(slipway.ctx, workspace, host, { host_keys: [] })
    onTestFinished(() => allow(null))
    await allow(['127.0.0.0/8'])
    const sent = { token, params: { id } }
    const got = await slipway.refused(contract.connectServer, sent, 502, 'server_unreachable')
    expect(got.text).toMatch(/closed the connection/)
    expect(web.count()).toBe(1)
  })
})

async function allow(networks: string[] | null) {
  await storeSetting(slipway.ctx, slipway.db, 'allowed_networks', networks)
  slipway.ctx.settingsCache.clear()
}

test('accepts a private address only if the instance allows it', async () => {
  const body = { name: 'web-1', address: '10.255.0.1' }
  expect((await slipway.call('POST /v1/servers', { token, body })).status).toBe(201)
  const strict = await startSlipway({ PRIVATE_SERVERS: 'refuse' })
  onTestFinished(() => strict.close())
  const stranger = await makeTeam(strict.db)
  const got = await strict.call('POST /v1/servers', { token: stranger.admin.token, body })
  expect(got).toMatchObject({ status: 422, body: { errors: { address: [expect.any(String)] } } })
})

test('connects to the checked address even when the name resolves differently afterwards', async () => {
  const { port, count } = await listening()
  const asked: string[] = []
  const mayConnect = async (address: string) => {
    asked.push(address)
    return address === '127.0.0.1'
  }
  const socket = await openSocket('localhost', port, mayConnect)
  await new Promise((resolve) => socket.once('connect', resolve))
  expect([socket.remoteAddress, count()]).toEqual(['127.0.0.1', 1])
  socket.destroy()
  expect(asked).toContain('127.0.0.1')
  expect(await failureOf(openSocket('localhost', port, async () => false))).toBeInstanceOf(AddressNotAllowed)
  expect(count()).toBe(1)
})
