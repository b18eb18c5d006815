import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '../../../contract/servers.ts'
import { times } from '../../../test/support/run/campaign.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { command } from '../../remote/command.ts'
import { getServerHost } from './server-host.ts'
import { getServerRow } from './server.ts'

const rig = await takeHost()
let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway()
})
afterAll(() => slipway.close())

/** Would create a file if any shell interpreted it. */
const attack = fc
  .constantFrom(
    '$(touch X)',
    '`touch X`',
    '; touch X;',
    '| touch X',
    '& touch X &',
    "'; touch X; '",
    '"; touch X; "',
  )
  .map((words) => words.replace('X', '/tmp/was-run'))
const hostile = fc
  .tuple(fc.string({ maxLength: 10 }), attack, fc.string({ maxLength: 10 }))
  .map((parts) => parts.join(''))

const wasRun = async () => (await rig.exec('sh', '-c', 'ls /tmp/was-run 2> /dev/null || true')).trim()

test('shell metacharacters are inert in every field of a server', async () => {
  const { admin, workspace } = await makeTeam(slipway.db)
  const id = await makeServer(slipway.ctx, workspace, rig)
  const sent = { token: admin.token, params: { id } }
  const field = fc.constantFrom('name', 'labels', 'user', 'address')
  await fc.assert(
    fc.asyncProperty(field, hostile, async (name, value) => {
      const body = { [name]: name === 'labels' ? [value] : value }
      const got = await slipway.call('PUT /v1/servers/{id}', { ...sent, body })
      // Names and labels are stored literally; users and addresses are refused.
      expect(name === 'user' || name === 'address' ? [422] : [200, 422]).toContain(got.status)
      const server = await getServerRow(
        slipway.ctx,
        { workspace: { id: workspace, role: 'admin', shell_access: 'members' } },
        id,
      )
      const { stdout } = await getServerHost(slipway.ctx, server).run(command('printf', '%s', value))
      expect(stdout).toBe(value)
      const { key } = await slipway.ok(contract.getServerKey, sent)
      expect(key.command).not.toContain('was-run')
    }),
    { numRuns: times(30, 500) },
  )
  expect(await wasRun()).toBe('')
})
