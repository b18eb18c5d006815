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

const patient = { timeout: 60_000, interval: 100 }
const rows = () => slipway.db.selectFrom('container_shells').selectAll().execute()

/** As the schedule does once a minute. */
const look = () =>
  transaction(slipway.db, (trx) =>
    enqueue(slipway.ctx.secrets, trx, { kind: 'end-left-shells', payload: {}, lane: 'poll' }),
  )

longTest(
  'a shell whose holder cannot end it any more is ended by whoever reaches the server next',
  async () => {
    const { workspace, admin } = await makeTeam(slipway.db)
    const server = await makeServer(slipway.ctx, workspace, host, { name: 'web-1' })
    const cid = await runContainer(host)
    const terminal = await enterTerminal(await slipway.listen(), `${server}/containers/${cid}`, admin.token)
    terminal.type('sleep 56565 &\r')
    await vi.waitFor(async () => expect(await processesWith(host, 'sleep 56565')).toBe(1), patient)
    await host.cut()
    onTestFinished(() => host.plug())
    expect(await terminal.message('end', 20_000)).toEqual({
      type: 'end',
      reason: 'The connection to web-1 was lost.',
      lost: true,
    })
    expect(await rows()).toHaveLength(1)
    // While somebody may still hold it, nobody else ends it; and nobody can while the server is away.
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
      { timeout: 60_000, interval: 2_000 },
    )
    expect(await processesWith(host, 'sleep 56565')).toBe(0)
  },
  120_000,
)

test('a shell that is held is left alone, and one in a container that is gone is forgotten', async () => {
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
}, 60_000)
