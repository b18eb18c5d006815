import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { resumeNotification, updateNotification } from '../../../contract/notifications.ts'
import { makeChannel, type Reply, startReceiver } from '../../../test/support/factories/channels.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { eventsOfTarget } from '../../../test/support/clients/events.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import { enqueueSending, sendMessages } from './send-messages.ts'
import { openSettings } from './channel-type.ts'
import { cleanUpMessages } from './clean-up-messages.ts'
import { openResponses } from './store.ts'

const slipway = await startSlipway({ OUTBOUND_NETWORKS: '127.0.0.1/32', OUTSIDE_TIMEOUT: '60' })
afterAll(() => slipway.close())
const { ctx, db } = slipway
slipway.work()
/** Stands in for the job runner. */
const run = {
  id: newId('job'),
  attempt: 1,
  fence: 1,
  signal: new AbortController().signal,
  assertLease: async () => {},
}
const patiently = { interval: 50 }

async function open(...given: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...given)
  onTestFinished(receiver.close)
  const { workspace, owner } = await makeTeam(db)
  const events = ['member_joined' as const]
  const channel = await makeChannel(ctx, workspace, receiver.url, { events })
  return { receiver, workspace, token: owner.token, channel }
}

/** Queues one message per name for the channels of a workspace. */
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
/** Queues messages for a channel that is in backoff, so that the test can change its state first. */
async function queueInBackoff(workspace: Id<'workspace'>, channel: Id<'notification'>, ...names: string[]) {
  const next_try_at = new Date(Date.now() + 600_000)
  await db.updateTable('notifications').set({ next_try_at }).where('id', '=', channel).execute()
  await tell(workspace, ...names)
  await vi.waitFor(async () => expect(await statusesOf(channel)).toHaveLength(names.length), patiently)
}

/** Continues as if the failures had started this many minutes ago. */
async function continueSending(channel: Id<'notification'>, since: { failing: number; refused?: number }) {
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

test('delivers all in order, although the receiver fails half the time', async () => {
  let asked = 0
  const { receiver, workspace, channel } = await open(() => ({ status: asked++ % 2 === 0 ? 500 : 204 }))
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
])('respects retry-after by %s without counting a failure', async (_, until429, least) => {
  let release = () => {}
  const seen = new Promise<void>((resolve) => (release = resolve))
  const answers: (() => Reply | Promise<Reply>)[] = [
    () => ({ status: 429, headers: { 'retry-after': until429() } }),
    () => seen.then(() => ({ status: 200 })),
  ]
  const { receiver, workspace, channel } = await open(() => answers.shift()?.() ?? { status: 200 })
  await tell(workspace, 'Ada', 'Bob')
  const waits = { failures: 0, paused_at: null, reason: 'HTTP 429', next_try_at: expect.any(Date) }
  await vi.waitFor(async () => expect(await rowOf(channel)).toMatchObject(waits), patiently)
  release()
  await until(channel, ['sent', 'sent'])
  expect(await rowOf(channel)).toMatchObject({ failing_since: null, reason: null })
  const [first, second] = receiver.received
  expect(Number(second?.at) - Number(first?.at)).toBeGreaterThan(least)
  expect(second?.id).toBe(first?.id)
})

test('retries a slow receiver with the same ID and keeps the order', async () => {
  ctx.config.OUTSIDE_TIMEOUT = 1
  onTestFinished(() => void (ctx.config.OUTSIDE_TIMEOUT = 60))
  let isSlow = true
  const { receiver, workspace, channel } = await open(async () => {
    if (isSlow) await sleep(30_000, undefined, { ref: false })
    return { status: 200 }
  })
  await tell(workspace, 'Ada', 'Bob')
  await vi.waitFor(async () => expect((await rowOf(channel)).failures).toBeGreaterThan(0), patiently)
  expect((await rowOf(channel)).reason).toMatch(/timed out/i)
  ctx.config.OUTSIDE_TIMEOUT = 60
  isSlow = false
  await until(channel, ['sent', 'sent'])
  const [ada, bob] = await messagesOf(channel)
  const ids = receiver.received.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(2)
  expect(ids).toEqual([...Array(ids.length - 1).fill(ada?.id), bob?.id])
})

test('pauses a channel after a day of 500s, notifies the other channels, and delivers the queue after it is resumed', async () => {
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
  await queueInBackoff(workspace, channel, 'Ada', 'Bob')
  await sql`update messages set waiting_since = now() - interval '24 hours'
    where id = (select id from messages where notification_id = ${channel} order by position limit 1)`.execute(
    db,
  )
  await continueSending(channel, { failing: 24 * 60 })
  await isPaused(channel)
  expect(await rowOf(channel)).toMatchObject({ reason: 'HTTP 500', next_try_at: null })
  await until(channel, ['failed', 'waiting'])
  expect(await eventsOfTarget(db, channel)).toEqual([['notification.paused', 'HTTP 500']])
  await until(watching, ['sent'])
  expect(other.received[0]?.title).toMatch(/^The channel Ops-\w+ was paused$/)

  // The paused channel sends nothing, but new messages are queued.
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

test('fails messages that wait a day for a paused channel', async () => {
  const { receiver, workspace, channel } = await open()
  await db.updateTable('notifications').set({ paused_at: new Date() }).where('id', '=', channel).execute()
  await tell(workspace, 'Ada', 'Bob')
  await until(channel, ['waiting', 'waiting'])
  await sql`update messages set waiting_since = now() - interval '25 hours'
    where id = (select id from messages where notification_id = ${channel} order by position limit 1)`.execute(
    db,
  )
  await cleanUpMessages(ctx, new AbortController().signal)
  await until(channel, ['failed', 'waiting'])
  expect(receiver.received).toEqual([])
})

test('backs off longer and longer, and does not give up within a day', async () => {
  const { receiver, workspace, channel } = await open(() => ({ status: 500 }))
  await queueInBackoff(workspace, channel, 'Ada')
  await continueSending(channel, { failing: 23 * 60 })
  await isFailing(channel)
  const row = await rowOf(channel)
  expect(row.paused_at).toBeNull()
  expect(Number(row.next_try_at) - Date.now()).toBeGreaterThan(5_000)
  expect(await statusesOf(channel)).toEqual(['waiting'])
  expect(receiver.received).toHaveLength(1)
})

test('pauses a channel that is gone immediately, and after other refusals only with time', async () => {
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
  await queueInBackoff(refusing.workspace, refusing.channel, 'Ada')
  await continueSending(refusing.channel, { failing: 14, refused: 14 })
  await isFailing(refusing.channel)
  expect((await rowOf(refusing.channel)).paused_at).toBeNull()
  await continueSending(refusing.channel, { failing: 16, refused: 16 })
  await isPaused(refusing.channel)
  expect(await statusesOf(refusing.channel)).toEqual(['waiting'])
})

test('retries immediately with new settings, during a backoff or an attempt', async () => {
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
  await queueInBackoff(workspace, channel, 'Ada')
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

test('does not mark the message after losing the lease', async () => {
  const waiting: (() => void)[] = []
  const { receiver, workspace, channel } = await open(async () => {
    await new Promise<void>((go) => waiting.push(go))
    return { status: 200 }
  })
  await tell(workspace, 'Ada')
  await vi.waitFor(() => expect(waiting).toHaveLength(1), patiently)
  // Simulates that this worker was declared dead.
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

test('marks a channel that refuses everything as failing and queues new messages', async () => {
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

test('measures the backoff by the database clock', async () => {
  const { workspace, channel } = await open()
  await queueInBackoff(workspace, channel, 'Ada')
  // The clock of this machine is five minutes behind the database.
  const now = () => new Date(Date.now() - 300_000)
  const next_try_at = new Date(now().getTime() + 60_000)
  await db.updateTable('notifications').set({ next_try_at }).where('id', '=', channel).execute()
  await sendMessages({ ...ctx, now }, workspace, channel, run)
  const { rows } = await sql<{ wait: number }>`
    select extract(epoch from run_at - now())::float8 as wait from jobs
    where key = ${`channel:${channel}`} and state = 'queued'`.execute(db)
  expect(rows).toEqual([{ wait: expect.closeTo(60, -1) }])
})
