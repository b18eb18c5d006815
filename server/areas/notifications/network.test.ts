import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { madeCertificate } from '../../../test/support/factories/certificates.ts'
import { makeChannel, startReceiver } from '../../../test/support/factories/channels.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeWorkspace } from '../../../test/support/factories/factories.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'

// The operator allows one loopback address and not the next one.
const slipway = await startSlipway({ OUTBOUND_NETWORKS: '127.0.0.1/32' })
afterAll(() => slipway.close())
const { ctx, db } = slipway
slipway.work()
const patiently = { interval: 50 }

const startClosing: typeof startReceiver = async (...given) => {
  const receiver = await startReceiver(...given)
  onTestFinished(receiver.close)
  return receiver
}

async function open(url: string) {
  const workspace = await makeWorkspace(db)
  const channel = await makeChannel(ctx, workspace, url, { events: ['member_joined'] })
  const tell = () => transaction(db, (trx) => emit(trx, 'slipway', workspace, 'member.joined'))
  return { channel, tell }
}

const isFailing = (channel: Id<'notification'>) =>
  vi.waitFor(async () => {
    const { failing_since, reason } = await db
      .selectFrom('notifications')
      .selectAll()
      .where('id', '=', channel)
      .executeTakeFirstOrThrow()
    expect(failing_since).not.toBeNull()
    return reason
  }, patiently)
const statusesOf = async (channel: Id<'notification'>) => {
  const rows = await db
    .selectFrom('messages')
    .select('status')
    .where('notification_id', '=', channel)
    .orderBy('position')
    .execute()
  return rows.map(({ status }) => status)
}

test('sends nothing to a receiver with an untrusted certificate and does not reveal the URL', async () => {
  const tls = await madeCertificate('127.0.0.1')
  const receiver = await startClosing(undefined, { tls })
  const { channel, tell } = await open(receiver.url)
  await tell()
  const reason = await isFailing(channel)
  expect(reason).toMatch(/certificate/)
  expect(reason).not.toContain('t0ken')
  expect(await statusesOf(channel)).toEqual(['waiting'])
  expect(receiver.received).toEqual([])
})

test('does not follow a redirect to a private address', async () => {
  const inside = await startClosing(undefined, { host: '127.0.0.2' })
  const receiver = await startClosing(() => ({ status: 307, headers: { location: inside.url } }))
  const { channel, tell } = await open(receiver.url)
  await tell()
  expect(await isFailing(channel)).toMatch(/does not follow/)
  expect(receiver.received.length).toBeGreaterThan(0)
  expect(inside.received).toEqual([])
  expect(await statusesOf(channel)).toEqual(['waiting'])
})

test('does not connect when a name starts to resolve to a private address', async () => {
  const receiver = await startClosing()
  const inside = await startClosing(undefined, { host: '127.0.0.2', port: receiver.port })
  const real = dns.lookup
  let leadsTo = '127.0.0.1'
  const lookup = (name: string, options: dns.LookupAllOptions, done: (...given: unknown[]) => void) =>
    name === 'hooks.example.com' ? done(null, [{ address: leadsTo, family: 4 }]) : real(name, options, done)
  Object.assign(dns, { lookup })
  syncBuiltinESMExports()
  onTestFinished(() => {
    Object.assign(dns, { lookup: real })
    syncBuiltinESMExports()
  })
  const { channel, tell } = await open(receiver.url.replace('127.0.0.1', 'hooks.example.com'))
  await tell()
  await vi.waitFor(async () => expect(await statusesOf(channel)).toEqual(['sent']), patiently)
  leadsTo = '127.0.0.2'
  await tell()
  expect(await isFailing(channel)).toMatch(/address is not public/)
  expect([receiver.received.length, inside.received.length]).toEqual([1, 0])
  expect(await statusesOf(channel)).toEqual(['sent', 'waiting'])
})
