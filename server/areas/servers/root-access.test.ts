import { afterAll, describe, expect, test } from 'vitest'
import { api } from '../../../contract/api.ts'
import { createVolume } from '../../../contract/application-entries.ts'
import { createApplication } from '../../../contract/applications.ts'
import { runCommand } from '../../../contract/commands.ts'
import { deployApplication } from '../../../contract/deployments.ts'
import { removeImage } from '../../../contract/images.ts'
import { connectServer, deleteServer, updateServer } from '../../../contract/servers.ts'
import { startSetup } from '../../../contract/setups.ts'
import { sendAny } from '../../../test/access/any-endpoint.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeApiToken,
  makeInstanceOwner,
  makeServer,
  makeTeam,
  nowhere,
} from '../../../test/support/factories/factories.ts'
import type { Actor } from '../../route.ts'
import { authenticate } from '../auth/authenticate.ts'
import { assertCanEnter } from '../containers/container-access.ts'
import { getServerRow } from './server.ts'
import type { ContainerInspection } from '../containers/docker-container.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx } = slipway
const url = await slipway.listen()
const team = await makeTeam(db)
await makeInstanceOwner(db, team.owner)
const server = await makeServer(ctx, team.workspace, nowhere(), { kind: 'local', status: 'unreachable' })
const { token: api_token } = await makeApiToken(db, team.workspace, team.owner, { role: 'owner' })
const others = {
  'a member': team.member.token,
  'an admin': team.admin.token,
  'an API token of an instance owner': api_token,
}
const operator = team.owner.token
const bind = { source: '/srv/data', target: '/data' }
const params = { id: server }
const command = { params, body: { command: 'id' } }
const image = { params: { ...params, name: 'nginx' }, query: { force: 'true' } }
const terminal = api.find(({ name }) => name === 'openTerminal')
/** A container outside of applications, such as the proxy. */
const foreign: ContainerInspection = {
  Id: 'abc',
  Name: '/proxy',
  Created: '',
  Image: '',
  RestartCount: 0,
  State: { Status: '', Pid: 1, ExitCode: 0, Error: '', OOMKilled: false, StartedAt: '', FinishedAt: '' },
  Config: {
    Image: '',
    Tty: false,
    Labels: null,
    Cmd: null,
    Entrypoint: null,
    Env: null,
    WorkingDir: '',
    User: '',
    Hostname: '',
  },
  HostConfig: { Privileged: true, AutoRemove: false, PortBindings: null, Memory: 0, NanoCpus: 0 },
  Mounts: [],
  NetworkSettings: { Networks: {}, Ports: {} },
}

async function enter(token: string) {
  const { workspace, ...known } = await authenticate(ctx, token)
  if (!workspace) throw new Error('The token is of a workspace.')
  const actor: Actor = { ...known, workspace, address: '192.0.2.1', agent: '', cookie: () => undefined }
  return assertCanEnter(ctx, actor, await getServerRow(ctx, actor, server), foreign)
}

async function deployPrivileged(token: string) {
  const compose = 'services:\n  web:\n    image: nginx:1\n    privileged: true\n'
  const body = { name: 'Shop', server_id: server, source: { type: 'compose', compose } }
  const created = await slipway.ok(createApplication, { token: team.member.token, body })
  const { application, revision } = created
  await slipway.ok(deployApplication, { token, params: { id: application.id }, body: { revision } })
  const row = db
    .selectFrom('deployments')
    .select('allow_host_access')
    .where('application_id', '=', application.id)
  return (await row.executeTakeFirstOrThrow()).allow_host_access
}

describe('on This machine', () => {
  test.each(Object.entries(others))('%s cannot act as root', async (_, token) => {
    await slipway.refused(runCommand, { ...command, token }, 403)
    await slipway.refused(removeImage, { ...image, token }, 403)
    if (!terminal) throw new Error('There is a terminal.')
    expect(await sendAny(slipway, url, terminal, { params, token })).toMatchObject({ status: 403 })
    await expect(enter(token)).rejects.toMatchObject({ status: 403 })
    const id = await makeApplication(db, team.workspace, server)
    await slipway.refused(createVolume, { params: { id }, body: bind, token }, 403)
    expect(await deployPrivileged(token)).toBe(false)
  })

  test.each(Object.entries(others))(
    '%s cannot set it up, change its ports or delete it',
    async (_, token) => {
      const sent = { params, token }
      await slipway.refused(startSetup, sent, 403)
      await slipway.refused(connectServer, sent, 403)
      await slipway.refused(updateServer, { ...sent, body: { http_port: 8081 } }, 403)
      await slipway.refused(deleteServer, sent, 403)
    },
  )

  test('an admin can rename it and learns who may do the rest', async () => {
    const sent = { params, token: team.admin.token }
    await slipway.ok(updateServer, { ...sent, body: { name: 'Harbor', labels: ['own'] } })
    const { body } = await slipway.refused(startSetup, sent, 403)
    expect(body).toMatchObject({
      error:
        'Only instance owners can run setup on the machine that Slipway runs on. Log in to do this; API tokens cannot.',
    })
  })

  test('an instance owner with a session can', async () => {
    const token = operator
    // The server does not respond, but only authorized requests get that far.
    expect((await slipway.call(runCommand.key, { ...command, token })).status).not.toBe(403)
    expect((await slipway.call(removeImage.key, { ...image, token })).status).not.toBe(403)
    expect(await enter(token)).toEqual({ asRoot: true })
    const id = await makeApplication(db, team.workspace, server)
    await slipway.ok(createVolume, { params: { id }, body: bind, token })
    expect(await deployPrivileged(token)).toBe(true)
  })
  test('an instance owner changes its ports, sets it up and deletes it', async () => {
    const sent = { params, token: operator }
    await slipway.ok(updateServer, { ...sent, body: { http_port: 8081 } })
    await slipway.ok(startSetup, sent)
    await db.deleteFrom('applications').where('server_id', '=', server).execute()
    await slipway.ok(deleteServer, sent)
  })
})
