import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { eventsOf } from '../../../test/support/clients/events.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { pretendSocket } from '../../../test/support/clients/pretend-socket.ts'
import { temporaryFolder } from '../../../test/support/programs/programs.ts'
import { newId } from '../../platform/ids.ts'
import { hashToken } from '../../platform/tokens.ts'
import type { Actor } from '../../route.ts'
import { openTerminal } from './open-terminal.ts'

let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway()
})
afterAll(() => slipway.close())

/** Opens a terminal on This machine up to the point where the shell starts. */
async function arrive() {
  const { workspace, admin } = await makeTeam(slipway.db)
  const id = newId('server')
  await slipway.db.deleteFrom('servers').where('kind', '=', 'local').execute()
  await slipway.db
    .insertInto('servers')
    .values({ id, workspace_id: workspace, name: 'Here', kind: 'local', status: 'ready' })
    .execute()
  const actor: Actor = {
    isInstanceOwner: true,
    user: admin,
    via: { kind: 'session', id: admin.session },
    tokenHash: hashToken(admin.token),
    workspace: { id: workspace, role: 'admin', shell_access: 'members' },
    address: '192.0.2.1',
    agent: 'a browser',
    cookie: () => undefined,
  }
  return { workspace, id, converse: await openTerminal(slipway.ctx, actor, { id }, { cols: 80, rows: 24 }) }
}

const size = { cols: 80, rows: 24 }

test('refuses the shell when the permission is revoked while it opens', async () => {
  const { workspace, converse } = await arrive()
  const { socket, received, dismiss, type } = pretendSocket()
  const mark = join(await temporaryFolder(), 'mark')
  const conversation = converse(socket)
  dismiss('Your role no longer gives you access.')
  await conversation
  type(`touch ${mark}\r`)
  expect(received).toEqual([{ type: 'end', reason: 'Your role no longer gives you access.', lost: false }])
  expect(await eventsOf(slipway.db, workspace)).toEqual([])
  // When another shell has opened, this one would have opened too.
  const other = await slipway.ctx.hosts
    .get({ kind: 'local', id: 'other', dockerSocket: '/nowhere' })
    .shell(size)
  other.output.resume()
  other.write('exit\n')
  await other.ended
  await expect(access(mark)).rejects.toThrow('ENOENT')
})

test('refuses the shell when the server is deleted while it opens', async () => {
  const { id, converse } = await arrive()
  const { socket, received } = pretendSocket()
  await slipway.db.deleteFrom('servers').where('id', '=', id).execute()
  await converse(socket)
  expect(received).toEqual([{ type: 'end', reason: 'This server was not found.', lost: false }])
})
