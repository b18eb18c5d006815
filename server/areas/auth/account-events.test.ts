import { afterAll, describe, expect, test, vi } from 'vitest'
import { accountEvents, changePassword, endSession, getUser, listActivity } from '../../../contract/user.ts'
import { createApiToken, revokeApiToken } from '../../../contract/api-tokens.ts'
import * as auth from '../../../contract/auth.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { changeRole } from '../../../contract/workspaces.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeApiToken,
  makeSession,
  makeSomeone,
  makeTeam,
  makeUser,
  makeWorkspace,
  password,
  unique,
} from '../../../test/support/factories/factories.ts'
import { startMailbox } from '../../../test/support/fakes/mailbox.ts'
import { newId } from '../../platform/ids.ts'
import { enqueue } from '../../platform/jobs.ts'
import { turnOffTwoFactor } from './two-factor.ts'
import { networkPrefix } from './device.ts'

const mailbox = await startMailbox()
const slipway = await startSlipway({ SMTP_URL: mailbox.url, SIGNUP: 'open' })
slipway.work()
afterAll(async () => {
  await slipway.close()
  await mailbox.close()
})

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

const activity = async (token: string) => (await slipway.ok(listActivity, { token })).events
const typesOf = async (id: Id<'user'>) =>
  (
    await slipway.db
      .selectFrom('account_events')
      .select('type')
      .where('user_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ type }) => type)

interface LogInOptions {
  address?: string
  agent?: string
  cookie?: string
  password?: string
}
const logIn = (email: string, input: LogInOptions = {}) =>
  slipway.call(auth.logIn.key, {
    body: { email, password: input.password ?? password },
    address: input.address ?? '203.0.113.7',
    headers: { 'user-agent': input.agent ?? firefox, ...(input.cookie && { cookie: input.cookie }) },
  })
const cookieOf = (headers: Record<string, string>) => (headers['set-cookie'] ?? '').split(';')[0] ?? ''
const subjects = (email: string) => mailbox.to(email).map(({ subject = '' }) => subject)
/** Waits until all queued mails are sent. */
const settled = () =>
  vi.waitFor(async () => {
    const { rows } = await slipway.ctx.pool.query(
      "select from jobs where kind = 'send-mail' and finished_at is null",
    )
    expect(rows).toEqual([])
  })

describe('security activity', () => {
  test('shows logins, failed logins, ended sessions and password changes to the user', async () => {
    const { email, id } = await makeUser(slipway.db)
    await logIn(email, { password: 'not the password' })
    await vi.waitFor(async () => expect(await typesOf(id)).toHaveLength(1))
    const { body } = await logIn(email)
    const { access_token: token } = auth.logIn.reply.parse(body)
    const other = await makeSession(slipway.db, { id })
    const as = { token, address: '203.0.113.7', headers: { 'user-agent': firefox } }
    await slipway.ok(endSession, { ...as, params: { id: other.id } })
    await slipway.ok(changePassword, {
      ...as,
      body: { current_password: password, password: 'a brand new password' },
    })
    const events = await activity(token)
    expect(events.map(({ summary, detail, via }) => [summary, detail, via])).toEqual([
      ['Password changed', null, 'session'],
      ['Session ended', 'of a at 192.0.2.1', 'session'],
      ['Logged in', 'with password', 'public'],
      ['Failed login', 'wrong password', 'public'],
    ])
    for (const event of events)
      expect(event).toMatchObject({ address: '203.0.113.7', device: 'Firefox on Windows', count: 1 })
    await slipway.ok(auth.logOut, as)
    expect((await typesOf(id)).at(-1)).toBe('account.logout')
  })

  test('shows a user only their own events', async () => {
    const workspace = await makeWorkspace(slipway.db)
    const [one, other] = [
      await makeSomeone(slipway.db, workspace, 'owner'),
      await makeSomeone(slipway.db, workspace, 'owner'),
    ]
    await logIn(one.email)
    expect(await activity(one.token)).toHaveLength(1)
    expect(await activity(other.token)).toEqual([])
  })

  test('shows a role change without the IP address of its initiator', async () => {
    const { owner, member } = await makeTeam(slipway.db)
    const params = { id: member.member }
    await slipway.ok(changeRole, { token: owner.token, params, body: { role: 'viewer' } })
    expect(await activity(member.token)).toMatchObject([
      {
        summary: 'Role changed',
        detail: expect.stringMatching(`^from member to viewer in Yard-.* by ${owner.name}$`),
        via: 'member',
        address: null,
        device: null,
      },
    ])
    expect(await activity(owner.token)).toEqual([])
  })

  test('pages events, newest first', async () => {
    const { token, id } = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
    const row = { user_id: id, type: 'account.login' as const, via: 'public' as const }
    const rows = Array.from({ length: 5 }, () => ({ ...row, id: newId('accountEvent') }))
    await slipway.db.insertInto('account_events').values(rows).execute()
    const first = await slipway.ok(listActivity, { token, query: { limit: '3' } })
    const query = { limit: '3', cursor: first.page.next ?? '' }
    const second = await slipway.ok(listActivity, { token, query })
    expect([...first.events, ...second.events].map((event) => event.id)).toEqual(
      rows.map((made) => made.id).toReversed(),
    )
  })

  test('deletes events after 180 days', async () => {
    const { id } = await makeUser(slipway.db)
    const row = { user_id: id, type: 'account.login' as const, via: 'public' as const }
    const at = (days: number) => new Date(Date.now() - days * 86_400_000)
    const [old, young] = [newId('accountEvent'), newId('accountEvent')]
    await slipway.db
      .insertInto('account_events')
      .values([
        { ...row, id: old, created_at: at(181), last_at: at(181) },
        { ...row, id: young, created_at: at(179), last_at: at(179) },
      ])
      .execute()
    await enqueue(slipway.ctx.secrets, slipway.db, { kind: 'forget-expired', payload: {} })
    await vi.waitFor(async () => {
      const rows = slipway.db.selectFrom('account_events').select('id').where('user_id', '=', id)
      expect(await rows.execute()).toEqual([{ id: young }])
    })
  })

  test('has a summary for every event type', () => {
    for (const summary of Object.values(accountEvents)) expect(summary).toMatch(/^[A-Z]/)
  })
})

test('records the use of an expired API token once for many calls', async () => {
  const workspace = await makeWorkspace(slipway.db)
  const someone = await makeSomeone(slipway.db, workspace, 'owner')
  const expires = new Date(Date.now() - 1_000)
  const expired = await makeApiToken(slipway.db, workspace, someone, { role: 'owner', expires })
  await Promise.all(Array.from({ length: 3 }, () => slipway.refused(getUser, { token: expired.token }, 401)))
  await vi.waitFor(async () =>
    expect(await activity(someone.token)).toMatchObject([
      { type: 'api_token.expired_use', detail: 'ci', count: 1 },
    ]),
  )
})

describe('failed logins', () => {
  const rowsOf = (id: Id<'user'>) =>
    slipway.db
      .selectFrom('account_events')
      .select(['address', 'count', 'detail'])
      .where('user_id', '=', id)
      .where('type', '=', 'account.login_failed')
      .orderBy('id')
      .execute()
  const fail = async (email: string, address: string) => {
    await slipway.db.deleteFrom('login_failures').execute()
    await logIn(email, { address, password: 'not the password' })
  }

  test('counts failed logins in one row per IP address and at most five rows', async () => {
    const { email, id } = await makeUser(slipway.db)
    for (let n = 0; n < 3; n++) await fail(email, '198.51.100.1')
    await vi.waitFor(async () =>
      expect(await rowsOf(id)).toEqual([{ address: '198.51.100.1', count: 3, detail: 'wrong password' }]),
    )
    for (let n = 2; n < 12; n++) await fail(email, `198.51.100.${n}`)
    await vi.waitFor(async () => {
      const rows = await rowsOf(id)
      expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(13)
      expect(rows).toHaveLength(5)
      expect(rows.at(-1)).toMatchObject({ address: null, detail: 'from several addresses' })
    })
  })

  test('counts every concurrent failed login', async () => {
    const { email, id } = await makeUser(slipway.db)
    await Promise.all([1, 2, 3, 4].map(() => logIn(email, { password: 'not the password' })))
    await vi.waitFor(async () => expect(await rowsOf(id)).toMatchObject([{ count: 4 }]))
  })

  test('records no event for an address without an account', async () => {
    const before = await slipway.db.selectFrom('account_events').select('id').execute()
    await logIn(`${unique('nobody')}@example.com`)
    const after = await slipway.db.selectFrom('account_events').select('id').execute()
    expect(after).toHaveLength(before.length)
  })
})

describe('login from a new device', () => {
  const mail = 'New login to your account · Slipway'

  test('mails IP address, browser and advice, but not for the first login', async () => {
    const { email, name } = await makeUser(slipway.db)
    await logIn(email)
    await logIn(email, { agent: safari, address: '198.51.100.20' })
    const letter = await mailbox.next(email)
    expect(letter.subject).toBe(mail)
    expect(letter.text).toContain(`Hello ${name}`)
    expect(letter.text).toMatch(/Time: \d{4}-\d\d-\d\d \d\d:\d\d UTC\./)
    expect(letter.text).toContain('Address: 198.51.100.20. Browser: Safari on iPhone.')
    expect(letter.text).toContain('Otherwise, set a new password now')
    expect(letter.link).toBe('http://slipway.test/forgot-password')
    expect(letter.html).toContain(letter.link)
    await settled()
    expect(subjects(email)).toEqual([mail])
  })

  test('sends no mail when the device cookie, or both browser and network, are known', async () => {
    const { email } = await makeUser(slipway.db)
    const { headers } = await logIn(email)
    await logIn(email, { address: '203.0.113.99' })
    await logIn(email, { address: '198.51.100.1', agent: safari, cookie: cookieOf(headers) })
    await settled()
    expect(subjects(email)).toEqual([])
  })

  test('sends a mail despite the device cookie of another user', async () => {
    const [one, other] = [await makeUser(slipway.db), await makeUser(slipway.db)]
    const { headers } = await logIn(other.email, { address: '198.51.100.1', agent: safari })
    await logIn(one.email)
    await logIn(one.email, { address: '198.51.100.1', agent: safari, cookie: cookieOf(headers) })
    expect((await mailbox.next(one.email)).subject).toBe(mail)
  })

  test('sends at most three mails an hour without delaying other mail', async () => {
    const { email, id } = await makeUser(slipway.db)
    for (let n = 0; n < 6; n++) await logIn(email, { address: `198.51.${n}.1` })
    await turnOffTwoFactor(slipway.ctx, id, 'operator')
    await mailbox.next(email, 4)
    await settled()
    expect(subjects(email).toSorted()).toEqual([
      mail,
      mail,
      mail,
      'Two-factor authentication was turned off · Slipway',
    ])
  })

  test('shows the user agent as text without links', async () => {
    const { email } = await makeUser(slipway.db)
    await logIn(email)
    await logIn(email, { agent: 'https://evil.example/login <b>', address: '198.51.100.21' })
    const letter = await mailbox.next(email)
    expect(letter.text).not.toContain('evil')
    expect(letter.html).not.toContain('<b>')
  })

  test.each([
    ['203.0.113.7', '203.0.113'],
    ['::ffff:203.0.113.7', '203.0.113'],
    ['2001:db8:1:2::3', '2001:db8:1'],
    ['2001:db8:1:ffff::', '2001:db8:1'],
  ])('%s belongs to network %s', (address, prefix) => {
    expect(networkPrefix(address)).toBe(prefix)
  })
})

describe('account mail', () => {
  test('reports a changed and a reset password', async () => {
    const { email, token } = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
    const body = { current_password: password, password: 'a brand new password' }
    await slipway.ok(changePassword, { token, body })
    expect((await mailbox.next(email)).subject).toBe('Your password was changed · Slipway')
    await slipway.ok(auth.forgotPassword, { body: { email } })
    const { token: link } = await mailbox.next(email, 2)
    await slipway.ok(auth.resetPassword, { body: { token: link, password: 'yet another password' } })
    const letter = await mailbox.next(email, 3)
    expect(letter.subject).toBe('Your password was reset · Slipway')
    expect(`${letter.text} ${letter.html}`).not.toContain('yet another password')
  })

  test('reports a new API token by name without its secret', async () => {
    const { email, token } = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
    const body = { name: 'deploy from ci.example.com' }
    const made = await slipway.ok(createApiToken, { token, body })
    const letter = await mailbox.next(email)
    expect(letter.subject).toBe('New API token · Slipway')
    expect(letter.text).toContain('deploy from ci example com')
    expect(letter.link).toBe('http://slipway.test/dashboard/settings/api-tokens')
    expect(`${letter.text} ${letter.html}`).not.toContain(made.token.slice(4))
    await slipway.ok(revokeApiToken, { token, params: { id: made.api_token.id } })
    expect((await activity(token)).map(({ type }) => type)).toEqual([
      'api_token.revoked',
      'api_token.created',
    ])
  })

  test('sends nothing to an unconfirmed address', async () => {
    const { email, id } = await makeUser(slipway.db, { unverified: true })
    await turnOffTwoFactor(slipway.ctx, id, 'operator')
    await settled()
    expect(subjects(email)).toEqual([])
    expect(await typesOf(id)).toEqual(['two_factor.disabled'])
  })
})
