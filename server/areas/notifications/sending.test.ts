import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { resumeNotification, updateNotification } from '../../../contract/notifications.ts'
import { makeChannel, type Reply, startReceiver } from '../../../test/support/factories/channels.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { toldOf } from '../../../test/support/clients/events.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { JobStopped } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { enqueueSending } from './enqueue-sending.ts'
import { sendMessages } from './send-messages.ts'
import { openSettings } from './settings.ts'
import { cleanUpMessages } from './clean-up-messages.ts'
import { openResponses } from './messages-store.ts'

const slipway = await startSlipway({ OUTBOUND_NETWORKS: '127.0.0.1/32', OUTSIDE_TIMEOUT: '1' })
afterAll(() => slipway.close())
const { ctx, db } = slipway
slipway.work()
/** A job that a test does itself. */
const run = {
  id: newId('job'),
  attempt: 1,
  fence: 1,
  signal: new AbortController().signal,
  assertLease: async () => {},
}
const patiently = { timeout: 60_000, interval: 50 }

/** A workspace with a channel to a receiver that answers like this. */
async function open(...given: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...given)
  onTestFinished(receiver.close)
  const { workspace, owner } = await makeTeam(db)
  const events = ['member_joined' as const]
  const channel = await makeChannel(ctx, workspace, receiver.url, { events })
  return { receiver, workspace, token: owner.token, channel }
}

/** Has as many messages as there are names wait for the channels of a workspace. */
const tell = (workspace: Id<'workspace'>, ...names: string[]) =>
  transaction(db, async (trx) => {
    for (const name of names) await emit(trx, 'slipway', workspace, 'member.joined', undefined, name)
  })

const messagesOf = (channel: Id<'notification'>) =>
  db.selectFrom('messages').selectAll().where('notification_id', '=', channel).orderBy('position').execute()
const statusesOf = async (channel: Id<'notification'>) =>
  (await messagesOf(channel)).map(({ status }) => status)
const rowOf = (channel: Id<'notification'>) =>
  db.selectFrom('notifications').selectAll().where('id', '=', channel).executeTakeFirstOrThrow()
const until = (channel: Id<'notification'>, statuses: string[]) =>
  vi.waitFor(async () => expect(await statusesOf(channel)).toEqual(statuses), patiently)
/** What waits at a channel that is left alone for now, so that nothing goes on while a test changes what is known of it. */
async function hold(workspace: Id<'workspace'>, channel: Id<'notification'>, ...names: string[]) {
  const next_try_at = new Date(Date.now() + 600_000)
  await db.updateTable('notifications').set({ next_try_at }).where('id', '=', channel).execute()
  await tell(workspace, ...names)
  await vi.waitFor(async () => expect(await statusesOf(channel)).toHaveLength(names.length), patiently)
}

/** Goes on with it, as if what is known of it had begun so many minutes ago. */
async function goOn(channel: Id<'notification'>, since: { failing: number; refused?: number }) {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
  const { workspace_id } = await rowOf(channel)
  await db
    .updateTable('notifications')
    .set({
      failures: 20,
      failing_since: ago(since.failing),
      refused_since: since.refused === undefined ? null : ago(since.refused),
      next_try_at: null,
    })
    .where('id', '=', channel)
    .execute()
  await enqueueSending(ctx, db, workspace_id, channel)
}

const isPaused = (channel: Id<'notification'>) =>
  vi.waitFor(async () => expect((await rowOf(channel)).paused_at).not.toBeNull(), patiently)
const isFailing = (channel: Id<'notification'>) =>
  vi.waitFor(async () => expect((await rowOf(channel)).failures).toBe(21), patiently)

test('all get through in their order, none of them again once it was taken, though the receiver fails half the time', async () => {
  const { receiver, workspace, channel } = await open(() => ({ status: Math.random() < 0.5 ? 500 : 204 }))
  const names = Array.from({ length: 40 }, (_, nth) => `nth ${nth}`)
  await tell(workspace, ...names)
  await until(channel, Array(40).fill('sent'))
  const taken = receiver.received.filter(({ status }) => status === 204)
  expect(taken.map(({ title }) => /nth \d+/.exec(title)?.[0])).toEqual(names)
  const rows = await messagesOf(channel)
  expect(rows.map(({ id }) => id)).toEqual(taken.map(({ id }) => id))
  for (const row of rows) {
    expect(row.tries).toBe(receiver.received.filter(({ id }) => id === row.id).length)
    expect(openResponses(ctx, row).at(-1)).toMatchObject({ ok: true, response: 'HTTP 204' })
  }
  expect(await rowOf(channel)).toMatchObject({ failures: 0, failing_since: null, reason: null })
})

test.each([
  ['seconds', () => '2', 1_900],
  ['a date', () => new Date(Date.now() + 2_500).toUTCString(), 1_400],
])('a receiver that asks to be left alone by %s is, and that is no failure', async (_, until429, least) => {
  const answers: (() => Reply)[] = [() => ({ status: 429, headers: { 'retry-after': until429() } })]
  const { receiver, workspace, channel } = await open(() => answers.shift()?.() ?? { status: 200 })
  await tell(workspace, 'Ada', 'Bob')
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), patiently)
  await vi.waitFor(async () => expect((await rowOf(channel)).next_try_at).not.toBeNull(), patiently)
  expect(await rowOf(channel)).toMatchObject({ failures: 0, paused_at: null, reason: 'HTTP 429' })
  await until(channel, ['sent', 'sent'])
  expect(await rowOf(channel)).toMatchObject({ failing_since: null, reason: null })
  const [first, second] = receiver.received
  expect(Number(second?.at) - Number(first?.at)).toBeGreaterThan(least)
  expect(second?.id).toBe(first?.id)
})

test('one that is too slow is tried again with the same id, and nothing overtakes it', async () => {
  let isSlow = true
  const { receiver, workspace, channel } = await open(async () => {
    if (isSlow) await sleep(30_000, undefined, { ref: false })
    return { status: 200 }
  })
  await tell(workspace, 'Ada', 'Bob')
  await vi.waitFor(async () => expect((await rowOf(channel)).failures).toBeGreaterThan(0), patiently)
  expect((await rowOf(channel)).reason).toMatch(/timed out/i)
  isSlow = false
  await until(channel, ['sent', 'sent'])
  const [ada, bob] = await messagesOf(channel)
  const ids = receiver.received.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(2)
  expect(ids).toEqual([...Array(ids.length - 1).fill(ada?.id), bob?.id])
})

test('one that answers 500 for a day is paused and says so to the other channels; taken up again it gets what waits', async () => {
  let status = 500
  const { receiver, workspace, token, channel } = await open(() => ({ status }))
  const other = await startReceiver()
  onTestFinished(other.close)
  const watching = await makeChannel(ctx, workspace, other.url, { events: ['channel_paused'] })
  await db
    .updateTable('notifications')
    .set({ events: ['member_joined', 'channel_paused'] })
    .where('id', '=', channel)
    .execute()
  await hold(workspace, channel, 'Ada', 'Bob')
  await sql`update messages set waits_since = now() - interval '24 hours'
    where id = (select id from messages where notification_id = ${channel} order by position limit 1)`.execute(
    db,
  )
  await goOn(channel, { failing: 24 * 60 })
  await isPaused(channel)
  expect(await rowOf(channel)).toMatchObject({ reason: 'HTTP 500', next_try_at: null })
  await until(channel, ['failed', 'waiting'])
  expect(await toldOf(db, channel)).toEqual([['notification.paused', 'HTTP 500']])
  await until(watching, ['sent'])
  expect(other.received[0]?.title).toMatch(/^The channel Ops-\w+ was paused$/)

  // Nothing is tried any more, but what happens meanwhile waits.
  const asked = receiver.received.length
  await tell(workspace, 'Cleo')
  await until(channel, ['failed', 'waiting', 'waiting'])
  await sleep(300)
  expect(receiver.received.length).toBe(asked)
  status = 200
  await slipway.ok(resumeNotification, { token, params: { id: channel } })
  await until(channel, ['failed', 'sent', 'sent'])
  expect(await rowOf(channel)).toMatchObject({ paused_at: null, reason: null, failing_since: null })
})

test('what waits for a day at a paused channel is given up', async () => {
  const { receiver, workspace, channel } = await open()
  await db.updateTable('notifications').set({ paused_at: new Date() }).where('id', '=', channel).execute()
  await tell(workspace, 'Ada', 'Bob')
  await until(channel, ['waiting', 'waiting'])
  await sql`update messages set waits_since = now() - interval '25 hours'
    where id = (select id from messages where notification_id = ${channel} order by position limit 1)`.execute(
    db,
  )
  await cleanUpMessages(ctx, new AbortController().signal)
  await until(channel, ['failed', 'waiting'])
  expect(receiver.received).toEqual([])
})

test('one that keeps answering 500 is left alone for longer and longer, but not given up before a day is over', async () => {
  const { receiver, workspace, channel } = await open(() => ({ status: 500 }))
  await hold(workspace, channel, 'Ada')
  await goOn(channel, { failing: 23 * 60 })
  await isFailing(channel)
  const row = await rowOf(channel)
  expect(row.paused_at).toBeNull()
  expect(Number(row.next_try_at) - Date.now()).toBeGreaterThan(5_000)
  expect(await statusesOf(channel)).toEqual(['waiting'])
  expect(receiver.received).toHaveLength(1)
})

test('one that says it is gone is paused at once; other refusals have to last a while', async () => {
  let status = 410
  const { receiver, workspace, token, channel } = await open(() => ({ status }))
  const resume = () => slipway.ok(resumeNotification, { token, params: { id: channel } })
  await tell(workspace, 'Ada')
  await isPaused(channel)
  expect(receiver.received).toHaveLength(1)
  status = 400
  await resume()
  await until(channel, ['failed'])
  expect(await rowOf(channel)).toMatchObject({ paused_at: null, failing_since: null })

  const refusing = await open(() => ({ status: 403 }))
  await hold(refusing.workspace, refusing.channel, 'Ada')
  await goOn(refusing.channel, { failing: 14, refused: 14 })
  await isFailing(refusing.channel)
  expect((await rowOf(refusing.channel)).paused_at).toBeNull()
  await goOn(refusing.channel, { failing: 16, refused: 16 })
  await isPaused(refusing.channel)
  expect(await statusesOf(refusing.channel)).toEqual(['waiting'])
})

test('new settings are tried at once, whether it would have waited for long or was in the middle of a try', async () => {
  const waiting: (() => void)[] = []
  const { workspace, token, channel } = await open(async () => {
    await new Promise<void>((go) => waiting.push(go))
    return { status: 410 }
  })
  const good = await startReceiver()
  onTestFinished(good.close)
  const change = (url: string) =>
    slipway.ok(updateNotification, { token, params: { id: channel }, body: { settings: { url } } })
  const { url: bad } = openSettings(ctx, await rowOf(channel))
  await hold(workspace, channel, 'Ada')
  await change(good.url)
  await until(channel, ['sent'])
  await change(bad ?? '')
  await tell(workspace, 'Bob')
  await vi.waitFor(() => expect(waiting).toHaveLength(1), patiently)
  await change(good.url)
  waiting[0]?.()
  await until(channel, ['sent', 'sent'])
  expect(good.received).toHaveLength(2)
  expect((await rowOf(channel)).paused_at).toBeNull()
})

test('whoever lost the job while it sent does not mark the message', async () => {
  const waiting: (() => void)[] = []
  const { receiver, workspace, channel } = await open(async () => {
    await new Promise<void>((go) => waiting.push(go))
    return { status: 200 }
  })
  await tell(workspace, 'Ada')
  await vi.waitFor(() => expect(waiting).toHaveLength(1), patiently)
  // As if this process had been taken for dead.
  await sql`update jobs set state = 'queued', worker = null where key = ${`channel:${channel}`} and state = 'running'`.execute(
    db,
  )
  waiting[0]?.()
  await vi.waitFor(() => expect(waiting).toHaveLength(2), patiently)
  expect(await statusesOf(channel)).toEqual(['waiting'])
  waiting[1]?.()
  await until(channel, ['sent'])
  const [message] = await messagesOf(channel)
  expect(message?.tries).toBe(1)
  expect(receiver.received.map(({ id }) => id)).toEqual([message?.id, message?.id])
})

test('one that refuses whatever comes is failing, and what comes then waits', async () => {
  let status = 422
  const { receiver, workspace, channel } = await open(() => ({ status }))
  await tell(workspace, 'Ada', 'Bob', 'Cleo', 'Dan')
  await vi.waitFor(async () => expect((await rowOf(channel)).failing_since).not.toBeNull(), patiently)
  expect(await statusesOf(channel)).toEqual(['failed', 'failed', 'waiting', 'waiting'])
  expect(await rowOf(channel)).toMatchObject({ reason: 'HTTP 422' })
  status = 200
  await until(channel, ['failed', 'failed', 'sent', 'sent'])
  expect(await rowOf(channel)).toMatchObject({ refusals: 0, failing_since: null })
  expect(receiver.received.filter((one) => one.status === 200)).toHaveLength(2)
})

test('a clock that is put forward by a day gives nothing up, and one that is put back holds nothing up', async () => {
  let status = 500
  const { workspace, channel } = await open(() => ({ status }))
  await hold(workspace, channel, 'Ada')
  const yesterday = new Date(Date.now() - 24 * 3_600_000)
  const before = {
    failures: 20,
    failing_since: new Date(yesterday.getTime() - 60_000),
    next_try_at: yesterday,
  }
  await db.updateTable('notifications').set(before).where('id', '=', channel).execute()
  await db
    .updateTable('messages')
    .set({ waits_since: yesterday })
    .where('notification_id', '=', channel)
    .execute()
  await enqueueSending(ctx, db, workspace, channel)
  await isFailing(channel)
  expect(await rowOf(channel)).toMatchObject({ paused_at: null })
  expect(await statusesOf(channel)).toEqual(['waiting'])

  status = 200
  const tomorrow = new Date(Date.now() + 24 * 3_600_000)
  await db.updateTable('notifications').set({ next_try_at: tomorrow }).where('id', '=', channel).execute()
  await enqueueSending(ctx, db, workspace, channel)
  await until(channel, ['sent'])
})

test('how long a channel is left alone is counted by one clock, however far those of others are from it', async () => {
  const { workspace, channel } = await open()
  await hold(workspace, channel, 'Ada')
  // This machine is five minutes behind the database.
  const now = () => new Date(Date.now() - 300_000)
  const next_try_at = new Date(now().getTime() + 60_000)
  await db.updateTable('notifications').set({ next_try_at }).where('id', '=', channel).execute()
  await sendMessages({ ...ctx, now }, workspace, channel, run)
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from run_at - now())::float8 as wait from jobs
    where key = ${`channel:${channel}`} and state = 'queued'`.execute(db)
  expect(rows).toEqual([{ wait: expect.closeTo(60, -1) }])
})

test('a database that is away when a message was taken has it noted a moment later', async () => {
  const { receiver, workspace, channel } = await open(
    (id) =>
      // Whoever notes it waits for the row, and is thrown out there.
      new Promise((answer) => {
        void transaction(db, async (trx) => {
          await sql`select from messages where id = ${id} for update`.execute(trx)
          answer({ status: 200 })
          await vi.waitFor(async () => {
            const { rows } = await sql`
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(trx)
            expect(rows).toHaveLength(1)
          }, patiently)
        })
      }),
  )
  await tell(workspace, 'Ada')
  await until(channel, ['sent'])
  expect(receiver.received).toHaveLength(1)
})

test('who was frozen until another had its job sends nothing of what it had read', async () => {
  const { receiver, workspace, channel } = await open()
  await hold(workspace, channel, 'Ada', 'Bob')
  await db.updateTable('notifications').set({ next_try_at: null }).where('id', '=', channel).execute()
  let frozen = 0
  const assertLease = async () => {
    if (frozen > 0) throw new JobStopped('lease_lost')
    // As soon as the first is noted.
    setImmediate(() => (frozen = 60_000))
  }
  const late = { ...ctx, now: () => new Date(Date.now() + frozen) }
  await expect(sendMessages(late, workspace, channel, { ...run, assertLease })).rejects.toThrow(JobStopped)
  expect(receiver.received).toHaveLength(1)
  expect(await statusesOf(channel)).toEqual(['sent', 'waiting'])
})
