import { once } from 'node:events'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test, vi } from 'vitest'
import { startSlipway } from '../../../../test/support/stages/context.ts'
import {
  makeTeam,
  makeUser,
  makeMember,
  makeWorkspace,
} from '../../../../test/support/factories/factories.ts'
import { urlOf } from '../../../../test/support/programs/port.ts'
import { failureOf } from '../../../../test/support/stages/reach.ts'
import { newId } from '../../../platform/ids.ts'
import { RetryLater, DeliveryRefused, type OutgoingMessage } from '../channel-type.ts'
import { email } from './email.ts'

const taken: string[] = []
const letters: string[] = []
let isBusy = true
/** Holds messages until the test releases them. */
let held: (() => void)[] | undefined
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onRcptTo({ address }, _, done) {
    if (address.startsWith('nobody'))
      return done(Object.assign(new Error('No such user here'), { responseCode: 550 }))
    if (address.startsWith('late') && isBusy)
      return done(Object.assign(new Error('Come back later'), { responseCode: 451 }))
    return done()
  },
  onData(stream, { envelope }, done) {
    stream
      .on('data', (chunk: Buffer) => letters.push(chunk.toString()))
      .on('end', () => {
        const take = () => {
          taken.push(...envelope.rcptTo.map(({ address }) => address))
          done()
        }
        if (held) held.push(take)
        else take()
      })
  },
})
await once(server.listen(0, '127.0.0.1'), 'listening')
const slipway = await startSlipway({ SMTP_URL: urlOf(server.server).replace('http', 'smtp') })
afterAll(async () => {
  await slipway.close()
  await new Promise<void>((resolve) => server.close(resolve))
})

const workspace = await makeWorkspace(slipway.db)

const sending = (of = workspace): OutgoingMessage => ({
  id: newId('message'),
  signal: new AbortController().signal,
  content: {
    kind: 'started',
    severity: 'critical',
    event: 'alert',
    title: 'web-1 is out of reach',
    text: '',
    facts: [],
    lines: [],
    link: { label: 'Open the alert', url: 'https://slipway.example/' },
    at: new Date().toISOString(),
    workspace: { id: of, name: 'Harbour' },
    ids: {},
  },
})

test('does not resend to addresses that already have it when another must wait', async () => {
  const to = 'ada@example.com, late@example.com, nobody@example.com'
  const one = sending()
  expect(String(await failureOf(email.send(slipway.ctx, { to }, one)))).toContain('Come back later')
  expect(String(await failureOf(email.send(slipway.ctx, { to }, one)))).toContain('Come back later')
  expect(taken).toEqual(['ada@example.com'])
  isBusy = false
  const answer = await email.send(slipway.ctx, { to }, one)
  expect(answer).toMatch(/^Sent to ada@example\.com, late@example\.com\. .*No such user here/)
  expect(taken).toEqual(['ada@example.com', 'late@example.com'])
})

test('reports the channel as failed when no address can be mailed', async () => {
  const failure = await failureOf(email.send(slipway.ctx, { to: 'nobody@example.com' }, sending()))
  expect(failure).toBeInstanceOf(DeliveryRefused)
  expect(failure).toMatchObject({ what: 'channel', message: expect.stringContaining('No such user here') })
})

test('waits for a slow mail server instead of sending twice', async () => {
  held = []
  const to = 'slow@example.com'
  const one = sending()
  const given = new AbortController()
  const first = email.send(slipway.ctx, { to }, { ...one, signal: given.signal })
  // Aborts as the sending job does after ten seconds.
  given.abort()
  const second = email.send(slipway.ctx, { to }, one)
  await vi.waitFor(() => expect(held?.length).toBeGreaterThan(0))
  for (const take of held.splice(0)) take()
  held = undefined
  expect(await Promise.all([first, second])).toEqual([`Sent to ${to}`, `Sent to ${to}`])
  expect(taken.filter((address) => address === to)).toHaveLength(1)
})

test('limits emails to external addresses per hour, and not those to members', async () => {
  const { workspace: ours, owner } = await makeTeam(slipway.db)
  const unproven = await makeUser(slipway.db, { unverified: true })
  await makeMember(slipway.db, ours, unproven, 'viewer')
  const strangers = Array.from({ length: 19 }, (_, nth) => `stranger-${nth}@example.com`)
  const to = [owner.email, unproven.email, ...strangers].join()
  for (let nth = 0; nth < 5; nth++) await email.send(slipway.ctx, { to }, sending(ours))
  // Members do not wait for external addresses.
  expect(await email.send(slipway.ctx, { to }, sending(ours))).toMatch(
    new RegExp(
      `^Sent to ${owner.email}\\. The hourly limit .*, so no email was sent to ${unproven.email}, str`,
    ),
  )
  const one = { to: 'stranger-0@example.com' }
  const next = sending(ours)
  const failure = await failureOf(email.send(slipway.ctx, one, next))
  expect(failure).toBeInstanceOf(RetryLater)
  const { seconds } = failure as RetryLater
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(36)
  const count = (address: string) => taken.filter((given) => given === address).length
  expect([owner.email, unproven.email, one.to].map(count)).toEqual([6, 5, 5])
  // Each workspace has its own limit, which recovers over time.
  await email.send(slipway.ctx, one, sending())
  await sql`update outside_letters set counted_at = counted_at - interval '36 seconds'`.execute(slipway.db)
  await email.send(slipway.ctx, one, next)
  await expect(email.send(slipway.ctx, one, sending(ours))).rejects.toThrow('hourly limit')
  expect(count(one.to)).toBe(7)
})

test('removes links in the subject and first line of emails to external addresses', async () => {
  const one = sending()
  const title = 'CPU: https://evil.example/pay evil.example'
  letters.length = 0
  await email.send(
    slipway.ctx,
    { to: 'stranger@example.com' },
    { ...one, content: { ...one.content, title } },
  )
  const letter = await PostalMime.parse(letters.join(''))
  expect(letter.subject).toBe('🔴 CPU: evil example · Harbour')
  expect(letter.text?.split('\n')[0]).toBe('CPU: evil example')
  expect(letter.html).not.toContain('evil.example')
})
