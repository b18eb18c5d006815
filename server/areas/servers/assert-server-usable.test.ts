import { afterAll, expect, test } from 'vitest'
import { createApplication, reviewApplication } from '../../../contract/applications.ts'
import { runCommand, runContainerCommand } from '../../../contract/commands.ts'
import { actOnContainer, listContainers, removeContainer } from '../../../contract/containers.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { listImages, pruneImages, pullImage, removeImage } from '../../../contract/images.ts'
import { connectServer, getServer, trustHostKey, updateServer } from '../../../contract/servers.ts'
import { startSetup } from '../../../contract/setups.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { terminalUrl } from '../../../test/support/clients/enter-terminal.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { joinSocket } from '../../../test/support/clients/sockets.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway
const { workspace, admin } = await makeTeam(db)
const { token } = admin
const url = await slipway.listen()
const made = await makeServer(ctx, workspace, nowhere(), { name: 'new', status: 'provisioning' })
const going = await makeServer(ctx, workspace, nowhere(), { name: 'old', status: 'deleting' })

const application = (id: Id<'server'>) => ({
  name: 'Shop',
  source: { type: 'docker_image', image: 'nginx:1.27' },
  server_id: id,
})

/** All endpoints that use a machine or change its connection. */
const uses: [Endpoint, { params?: object; body?: object }][] = [
  [startSetup, {}],
  [connectServer, {}],
  [trustHostKey, { body: { fingerprint: 'SHA256:x' } }],
  [updateServer, { body: { address: '192.0.2.8' } }],
  [updateServer, { body: { port: 2022 } }],
  [updateServer, { body: { user: 'admin' } }],
  [runCommand, { body: { command: 'true' } }],
  [runContainerCommand, { params: { cid: 'web' }, body: { command: 'true' } }],
  [listContainers, {}],
  [actOnContainer, { params: { cid: 'web' }, body: { action: 'stop' } }],
  [removeContainer, { params: { cid: 'web' } }],
  [listImages, {}],
  [pullImage, { body: { image: 'nginx' } }],
  [removeImage, { params: { name: 'nginx' } }],
  [pruneImages, { body: {} }],
]

test.each(uses.map(([endpoint, sent]) => [endpoint.key, endpoint, sent] as const))(
  '%s is refused while the server is created or destroyed',
  async (_, endpoint, { params, body }) => {
    const sent = (id: string) => ({ token, params: { id, ...params }, body })
    await slipway.refused(endpoint, sent(made), 409, 'being_created')
    await slipway.refused(endpoint, sent(going), 409, 'server_deleting')
  },
)

test.each([
  [made, 'The server new is still being created'],
  [going, 'The server old is being deleted'],
])('a terminal reports it on %s', async (id, reason) => {
  const socket = await joinSocket(terminalUrl(url, id), { authorization: `Bearer ${token}` })
  expect(await socket.message('end')).toMatchObject({ reason: expect.stringContaining(reason), lost: false })
})

test('refuses applications and a new name during destruction, and allows both during creation', async () => {
  for (const endpoint of [createApplication, reviewApplication])
    await slipway.refused(endpoint, { token, body: application(going) }, 409, 'server_deleting')
  const renamed = { token, params: { id: going }, body: { name: 'other' } }
  await slipway.refused(updateServer, renamed, 409, 'server_deleting')
  await slipway.ok(createApplication, { token, body: application(made) })
  const { server } = await slipway.ok(updateServer, { ...renamed, params: { id: made } })
  expect(server).toMatchObject({ name: 'other', status: 'provisioning' })
})

test('leaves the servers unchanged', async () => {
  for (const [id, status] of [
    [made, 'provisioning'],
    [going, 'deleting'],
  ] as const) {
    const { server } = await slipway.ok(getServer, { token, params: { id } })
    expect(server).toMatchObject({ status, reason: null, address: '192.0.2.7' })
  }
})
