import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import * as contract from '../../../contract/commands.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import {
  type CommandStage,
  openCommandStage,
  processesWith,
  untilSwept,
} from '../../../test/support/stages/commands.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const host = await takeHost()
let slipway: TestSlipway
let stage: CommandStage
beforeAll(async () => {
  slipway = await startSlipway()
  stage = await openCommandStage(slipway, host)
})
afterAll(() => slipway.close())

const willBe = 'The command will be canceled when the server is reachable.'
const linesOf = async (file: string) =>
  (await host.exec('cat', file)).split('\n').filter((line) => line !== '')

const untilBegun = (id: Id<'command'>) =>
  vi.waitFor(
    async () => {
      const row = await slipway.db
        .selectFrom('commands')
        .select('begun_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(row.begun_at).not.toBeNull()
    },
    { timeout: 120_000 },
  )

test('marks a command as lost when its server has no trace of it, and does not run it again', async () => {
  const id = await stage.begin('echo ran >>/root/ran; sleep 3456')
  await untilBegun(id)
  await vi.waitFor(async () => expect(await linesOf('/root/ran')).toEqual(['ran']))
  await host.cut()
  // Simulates a power failure before the files were written.
  await host.exec('rm', '-rf', '/root/.slipway/work')
  await host.powerOff()
  await host.powerOn()
  expect(await stage.ended(id)).toMatchObject({ status: 'lost', exit_code: null, output: '' })
  expect(await linesOf('/root/ran')).toEqual(['ran'])
  expect(await processesWith(host, 'sleep 3456')).toBe(0)
})

describe('canceling while the server is unreachable', () => {
  test('is recorded, written to the audit log once, and done when the server is back', async () => {
    const id = await stage.begin('echo begun; sleep 4322')
    await stage.says(id, 'begun\n')
    await host.cut()
    onTestFinished(() => host.plug())
    expect(await stage.cancel(id)).toMatchObject({ status: 'running', error: willBe, finished_at: null })
    expect(await stage.cancel(id)).toMatchObject({ status: 'running', error: willBe })
    expect(await stage.get(id)).toMatchObject({ status: 'running', error: willBe })
    const emitted = await slipway.db
      .selectFrom('events')
      .select('id')
      .where('type', '=', 'command.cancelled')
      .where('detail', '=', id)
      .execute()
    expect(emitted).toHaveLength(1)
    await host.plug()
    expect(await stage.ended(id)).toMatchObject({
      status: 'cancelled',
      error: null,
      output: 'begun\n',
    })
    expect(await processesWith(host, 'sleep 4322')).toBe(0)
    await untilSwept(host)
  })

  longTest('prevents a command from starting', async () => {
    // Open a connection whose loss Slipway has not noticed when the command is canceled.
    await stage.run('true')
    await host.powerOff()
    const id = await stage.begin('touch /root/never')
    expect(await stage.cancel(id)).toMatchObject({ status: 'running', error: willBe })
    await host.powerOn()
    expect(await stage.ended(id)).toMatchObject({ status: 'cancelled', error: null, output: '' })
    expect(await host.exec('ls', '/root')).not.toContain('never')
  })
})

longTest('reports that the command continues, and a repeated request does not run it twice', async () => {
  await stage.run('true')
  await host.cut()
  onTestFinished(() => host.plug())
  const sent = {
    token: stage.token,
    params: { id: stage.server },
    body: { command: 'echo once >>/root/late', timeout_seconds: 1 },
    headers: { 'idempotency-key': 'late' },
  }
  const { text } = await slipway.refused(contract.runCommand, sent, 504, 'command_goes_on')
  expect(text).toContain('find it in the server’s commands')
  await slipway.refused(contract.runCommand, sent, 409, 'in_progress')
  const list = await slipway.ok(contract.listCommands, { token: stage.token, params: { id: stage.server } })
  const [newest] = list.commands
  if (!newest) throw new Error('There is no command.')
  expect(newest.status).toBe('running')
  await host.plug()
  expect(await stage.ended(newest.id)).toMatchObject({ status: 'completed', exit_code: 0 })
  expect(await linesOf('/root/late')).toEqual(['once'])
})
