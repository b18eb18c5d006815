import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { processesWith } from '../../../test/support/stages/commands.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { enterTerminal } from '../../../test/support/clients/enter-terminal.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { enqueue } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const host = await takeHost()
let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway()
  slipway.work()
})
afterAll(() => slipway.close())

const patient = { interval: 100 }
const rows = () => slipway.db.selectFrom('container_shells').selectAll().execute()

/** Runs the cleanup that the schedule runs every minute. */
const look = () =>
  transaction(slipway.db, (trx) =>
    enqueue(slipway.ctx.secrets, trx, { kind: 'end-left-shells', payload: {}, lane: 'poll' }),
  )

longTest('ends an orphaned shell when the server is reachable again', async () => {
  const { workspace, admin } = await makeTeam(slipway.db)
  const server = await makeServer(slipway.ctx, workspace, host, { name: 'web-1' })
  const cid = await runContainer(host)
  const terminal = await enterTerminal(await slipway.listen(), `${server}/containers/${cid}`, admin.token)
  terminal.type('sleep 56565 &\r')
  await vi.waitFor(async () => expect(await processesWith(host, 'sleep 56565')).toBe(1), patient)
  await host.cut()
  onTestFinished(() => host.plug())
  expect(await terminal.message('end')).toEqual({
    type: 'end',
    reason: 'The connection to web-1 was lost.',
    lost: true,
  })
  expect(await rows()).toHaveLength(1)
  // A shell that is held is not ended, and an unreachable server is skipped.
  await look()
  await slipway.db
    .updateTable('container_shells')
    .set({ held_until: new Date(Date.now() - 1_000) })
    .execute()
  await look()
  await host.plug()
  expect(await processesWith(host, 'sleep 56565')).toBe(1)
  await vi.waitFor(
    async () => {
      await look()
      expect(await rows()).toEqual([])
    },
    { interval: 2_000 },
  )
  expect(await processesWith(host, 'sleep 56565')).toBe(0)
})

test('keeps a held shell, and deletes the row of one whose container is gone', async () => {
  const { workspace, admin } = await makeTeam(slipway.db)
  const server = await makeServer(slipway.ctx, workspace, host)
  const cid = await runContainer(host)
  const held = await enterTerminal(await slipway.listen(), `${server}/containers/${cid}`, admin.token)
  await slipway.db
    .insertInto('container_shells')
    .values({
      id: 'of-a-gone-container',
      workspace_id: workspace,
      server_id: server,
      container_id: 'f'.repeat(64),
      held_until: new Date(Date.now() - 1_000),
    })
    .execute()
  await look()
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ container_id: cid }]), patient)
  held.type('echo still-$((1 + 1))\r')
  await held.sees('still-2')
})
