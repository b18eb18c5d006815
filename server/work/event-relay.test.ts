import { afterAll, expect, test, vi } from 'vitest'
import { emit, type Listener } from '../events.ts'
import { transaction } from '../platform/transaction.ts'
import { startSlipway } from '../../test/support/stages/context.ts'
import { makeWorkspace } from '../../test/support/factories/factories.ts'
import { startEventRelay } from './event-relay.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway
const workspace = await makeWorkspace(db)

const say = (detail: string) =>
  transaction(db, (trx) => emit(trx, 'slipway', workspace, 'workspace.renamed', undefined, detail))

test('delivers each event once and in order, including earlier ones, with several relays', async () => {
  const heard: string[] = []
  const hear: Listener = async (_ctx, _trx, { detail }) => void heard.push(detail ?? '')
  const before = Array.from({ length: 120 }, (_, place) => `before ${String(place).padStart(3, '0')}`)
  for (const one of before) await say(one)
  // With this interval, no poll happens during the test.
  const relays = [1, 2, 3].map(() => startEventRelay(ctx, [{ 'workspace.renamed': hear }], 600_000))
  await ctx.bus.ready()
  await vi.waitFor(() => expect(heard.length).toBe(120))
  await say('after')
  await vi.waitFor(() => expect(heard.length).toBe(121))
  for (const relay of relays) await relay.stop()
  expect(heard).toEqual([...before, 'after'])
  const left = await db.selectFrom('events').select('id').where('relayed', '=', false).execute()
  expect(left).toEqual([])
})

test('rolls back and retries a failed listener', async () => {
  let tries = 0
  const hear: Listener = async (_ctx, trx) => {
    await trx
      .updateTable('workspaces')
      .set({ name: `try ${++tries}` })
      .where('id', '=', workspace)
      .execute()
    if (tries === 1) throw new Error('Not now.')
  }
  await say('hard')
  const relay = startEventRelay(ctx, [{ 'workspace.renamed': hear }])
  await vi.waitFor(() => expect(tries).toBeGreaterThan(0))
  await say('another')
  await vi.waitFor(() => expect(tries).toBe(3))
  await relay.stop()
  expect(slipway.lines.filter((line) => line.startsWith('Failed to relay events'))).toHaveLength(1)
})
