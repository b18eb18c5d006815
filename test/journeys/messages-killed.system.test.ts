import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Id } from '../../contract/shared/ids.ts'
import { enqueueSending } from '../../server/areas/notifications/send-messages.ts'
import { emit } from '../../server/events.ts'
import { transaction } from '../../server/platform/transaction.ts'
import { longTest, times } from '../support/run/campaign.ts'
import { makeChannel, startReceiver } from '../support/factories/channels.ts'
import { startSlipway } from '../support/stages/context.ts'
import { makeWorkspace } from '../support/factories/factories.ts'
import { startOn } from '../support/programs/slipway-process.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { ctx, db } = slipway
const patiently = { interval: 20 }

const start = () =>
  startOn(slipway.database, slipway.key, 'worker', { OUTBOUND_NETWORKS: '127.0.0.1/32', LOG_LEVEL: 'error' })

async function open(...given: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...given)
  onTestFinished(receiver.close)
  const workspace = await makeWorkspace(db)
  const channel = await makeChannel(ctx, workspace, receiver.url, { events: ['member_joined'] })
  const tell = (name: string) =>
    transaction(db, (trx) => emit(trx, 'slipway', workspace, 'member.joined', undefined, name))
  return { receiver, workspace, channel, tell }
}

const messagesOf = (channel: Id<'notification'>) =>
  db.selectFrom('messages').selectAll().where('notification_id', '=', channel).orderBy('position').execute()
const until = (channel: Id<'notification'>, statuses: string[]) =>
  vi.waitFor(async () => {
    expect((await messagesOf(channel)).map(({ status }) => status)).toEqual(statuses)
  }, patiently)

test('resends with the same ID after kills between write, send and mark', async () => {
  // The channel is in backoff, so that the kill falls in between.
  const held = await open()
  await leaveAlone(held.channel, new Date(Date.now() + 600_000))
  const lock = lockable()
  const marked = await open(async (id) => {
    // Locked before the response, so that the sender cannot mark it.
    await lock.take(id)
    return { status: 200 }
  })
  const first = await start()
  await Promise.all([held.tell('Ada'), marked.tell('Bob')])
  await until(held.channel, ['waiting'])
  await vi.waitFor(() => expect(marked.receiver.received[0]?.status).toBe(200), patiently)
  await first.end('SIGKILL')
  await lock.release()
  expect(held.receiver.received).toEqual([])
  await leaveAlone(held.channel, null)
  await enqueueSending(ctx, db, held.workspace, held.channel)

  const second = await start()
  await until(held.channel, ['sent'])
  await until(marked.channel, ['sent'])
  await second.end('SIGKILL')
  const [ada] = await messagesOf(held.channel)
  const [bob] = await messagesOf(marked.channel)
  expect(held.receiver.received.map(({ id }) => id)).toEqual([ada?.id])
  expect(marked.receiver.received.map(({ id, status }) => [id, status])).toEqual([
    [bob?.id, 200],
    [bob?.id, 200],
  ])
})

const leaveAlone = (channel: Id<'notification'>, next_try_at: Date | null) =>
  db.updateTable('notifications').set({ next_try_at }).where('id', '=', channel).execute()

/** Locks messages from the first `take` until `release`. */
function lockable() {
  let open = () => {}
  const released = new Promise<void>((resolve) => (open = resolve))
  let over: Promise<void> | undefined
  return {
    take: (id: string) =>
      new Promise<void>((taken) => {
        if (over) return taken()
        over = transaction(db, async (trx) => {
          await sql`select from messages where id = ${id} for update`.execute(trx)
          taken()
          await released
        })
        return undefined
      }),
    async release() {
      open()
      await over
    },
  }
}

longTest(
  'loses nothing and keeps the order when it is killed at any time',
  { timeout: 240_000 },
  async () => {
    const { receiver, channel, tell } = await open(() => ({ status: Math.random() < 0.3 ? 500 : 200 }))
    const rounds = times(1, 15)
    let count = 0
    for (let round = 0; round < rounds; round++) {
      const running = await start()
      for (let nth = 0; nth < 40; nth++) await tell(`nth ${count++}`)
      await sleep(Math.random() * 1_500)
      await running.end('SIGKILL')
    }
    const last = await start()
    await until(channel, Array(count).fill('sent'))
    await last.end('SIGKILL')
    const taken = receiver.received.filter(({ status }) => status === 200)
    const firsts = [...new Map(taken.map(({ id, title }) => [id, title])).values()]
    expect(firsts.map((title) => /nth \d+/.exec(title)?.[0])).toEqual(
      Array.from({ length: count }, (_, nth) => `nth ${nth}`),
    )
    expect(taken.length - firsts.length).toBeLessThanOrEqual(rounds)
  },
)
