import { afterAll, describe, expect, test, vi } from 'vitest'
import * as auth from '../../../contract/auth.ts'
import { getUser } from '../../../contract/user.ts'
import { inviteMember, listMembers } from '../../../contract/workspaces.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { statuses } from '../../../test/support/clients/client.ts'
import {
  makeApiToken,
  makeInvite,
  makeMember,
  makeSession,
  makeSomeone,
  makeTeam,
  makeUser,
  makeWorkspace,
  password,
  unique,
} from '../../../test/support/factories/factories.ts'
import { fingerprint } from '../../../test/support/stages/fingerprint.ts'
import { startMailbox } from '../../../test/support/fakes/mailbox.ts'
import { createResetLink } from './password.ts'

const mailbox = await startMailbox()
const slipway = await startSlipway({ SMTP_URL: mailbox.url, MAIL_FROM: 'Slipway <slipway@example.com>' })
slipway.work()
afterAll(async () => {
  await slipway.close()
  await mailbox.close()
})

const next = 'a brand new password'
const expireLinks = () =>
  slipway.db
    .updateTable('single_use_tokens')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute()

const minutePasses = () =>
  slipway.ctx.pool.query("update sent_mails set sent_at = sent_at - interval '1 minute'")
/** Waits until all queued mails are sent. */
const settled = () =>
  vi.waitFor(async () => {
    const { rows } = await slipway.ctx.pool.query('select from jobs where finished_at is null')
    expect(rows).toEqual([])
  })

/** Signs up a user; `cookie` is the cookie of their browser. */
async function signedUp() {
  const email = `${unique('ada')}@example.com`
  const got = await slipway.call(auth.signUp.key, { body: { organisation: 'Docks', email, password } })
  expect(got.status).toBe(200)
  const cookie = (got.headers['set-cookie'] ?? '').split(';')[0] ?? ''
  return { email, letter: await mailbox.next(email), headers: { cookie } }
}

describe('address confirmation', () => {
  test('is required at login and completed once with the mailed link', async () => {
    const { email, letter, headers } = await signedUp()
    expect(letter.from?.address).toBe('slipway@example.com')
    expect(letter.subject).toBe('Confirm your email address · Slipway')
    expect(letter.link).toMatch(/^http:\/\/slipway\.test\/verify\?token=/)
    expect(letter.html).toContain(letter.link)
    expect(letter.text).toContain('If it was not you, ignore this email.')
    await minutePasses()
    await slipway.refused(auth.logIn, { body: { email, password } }, 401, 'wrong_credentials')
    const { token } = await mailbox.next(email, 2)
    await slipway.ok(auth.verifyEmail, { body: { token: letter.token }, headers })
    for (const used of [letter.token, token])
      await slipway.refused(auth.verifyEmail, { body: { token: used }, headers }, 404, 'link_invalid')
    const { access_token } = await slipway.ok(auth.logIn, { body: { email, password } })
    expect((await slipway.ok(getUser, { token: access_token })).user.email_verified).toBe(true)
  })

  test('accepts one of many concurrent uses of the link', async () => {
    const { letter, headers } = await signedUp()
    const sent = { body: { token: letter.token }, headers }
    const all = await Promise.all([1, 2, 3, 4].map(() => slipway.call(auth.verifyEmail.key, sent)))
    expect(statuses(all)).toEqual([200, 404, 404, 404])
  })

  test('rejects an expired link and changes nothing', async () => {
    const { letter, email } = await signedUp()
    await expireLinks()
    const before = await fingerprint(slipway.db)
    await slipway.refused(auth.verifyEmail, { body: { token: letter.token } }, 404, 'link_invalid')
    expect(await fingerprint(slipway.db)).toEqual(before)
    await slipway.refused(auth.logIn, { body: { email, password } }, 401, 'wrong_credentials')
  })

  test('responds alike to an unconfirmed address and a wrong password, and mails only the former', async () => {
    const { email } = await signedUp()
    await minutePasses()
    const wrong = { body: { email, password: 'not the password' } }
    const got = await slipway.refused(auth.logIn, wrong, 401, 'wrong_credentials')
    expect(got.text).toContain('or the email address is not confirmed yet')
    await settled()
    expect(mailbox.to(email)).toHaveLength(1)
    for (let n = 0; n < 4; n++) {
      const right = await slipway.refused(auth.logIn, { body: { email, password } }, 401)
      expect(right.text).toBe(got.text)
    }
    await slipway.ctx.pool.query("update login_failures set failed_at = now() + interval '1 minute'")
    await slipway.refused(auth.logIn, { body: { email, password } }, 429, 'too_many')
  })
})

test('sends each kind of mail to an account at most once a minute', async () => {
  const { email } = await signedUp()
  const floods = async () => {
    const calls = [1, 2, 3].flatMap(() => [
      slipway.call(auth.logIn.key, { body: { email, password } }),
      slipway.call(auth.forgotPassword.key, { body: { email } }),
      slipway.call(auth.signUp.key, { body: { organisation: 'Docks', email, password } }),
    ])
    const answers = await Promise.all(calls)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(2)
    await settled()
  }
  const subjects = () => mailbox.to(email).map(({ subject = '' }) => subject.replace(' · Slipway', ''))
  const [confirm, reset, already] = [
    'Confirm your email address',
    'Set a new password',
    'You already have an account',
  ]
  await floods()
  expect(subjects().toSorted()).toEqual([confirm, reset, already])
  await minutePasses()
  await slipway.db.deleteFrom('login_failures').execute()
  await floods()
  expect(subjects().toSorted()).toEqual([confirm, confirm, reset, reset, already, already])
})

test('notifies only the account owner by mail of a repeated signup', async () => {
  const { email } = await makeUser(slipway.db)
  const body = { organisation: 'Thieves', email: email.toUpperCase(), password: next }
  expect(await slipway.ok(auth.signUp, { body })).toEqual({ success: true })
  expect((await mailbox.next(email)).subject).toBe('You already have an account · Slipway')
  await slipway.refused(auth.logIn, { body: { email, password: next } }, 401)
})

describe('password reset', () => {
  async function forgotten() {
    const someone = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
    await slipway.ok(auth.forgotPassword, { body: { email: someone.email.toUpperCase() } })
    const letter = await mailbox.next(someone.email)
    expect(letter.link).toMatch(/^http:\/\/slipway\.test\/forgot-password\?token=/)
    return { ...someone, link: letter.token }
  }
  const reset = (token: string, input = next) => ({ body: { token, password: input } })

  test('sets a new password once with the mailed link and ends all sessions', async () => {
    const { email, token, link, id } = await forgotten()
    const other = await makeSession(slipway.db, { id })
    await slipway.ok(auth.resetPassword, reset(link))
    for (const dead of [token, other.token]) await slipway.refused(getUser, { token: dead }, 401)
    await slipway.refused(auth.resetPassword, reset(link, 'yet another password'), 404, 'link_invalid')
    await slipway.refused(auth.logIn, { body: { email, password } }, 401)
    await slipway.ok(auth.logIn, { body: { email, password: next } })
  })

  test.each(['mailed', 'printed by the operator'])(
    'revokes all API tokens after a reset with a link that was %s',
    async (how) => {
      const user = await forgotten()
      const { id, link } = user
      const printed = await createResetLink(slipway.ctx, slipway.db, id)
      const workspaces = [await makeWorkspace(slipway.db), await makeWorkspace(slipway.db)]
      const tokens: string[] = []
      for (const workspace of workspaces) {
        await makeMember(slipway.db, workspace, user, 'admin')
        tokens.push((await makeApiToken(slipway.db, workspace, user, { role: 'admin' })).token)
      }
      await slipway.ok(getUser, { token: tokens[0] })
      const token = how === 'mailed' ? link : (new URL(printed).searchParams.get('token') ?? '')
      await slipway.ok(auth.resetPassword, reset(token))
      for (const dead of tokens) await slipway.refused(getUser, { token: dead }, 401)
      const events = await slipway.db
        .selectFrom('events')
        .select(['workspace_id', 'target_name', 'detail'])
        .where('type', '=', 'api_token.revoked')
        .where('actor_id', '=', id)
        .execute()
      expect(events.map(({ workspace_id }) => workspace_id).toSorted()).toEqual(workspaces.toSorted())
      expect(events[0]).toMatchObject({ target_name: 'ci', detail: 'after a password reset' })
    },
  )

  test('accepts one of many concurrent uses of a reset link', async () => {
    const { link } = await forgotten()
    const all = await Promise.all([1, 2, 3].map(() => slipway.call(auth.resetPassword.key, reset(link))))
    expect(statuses(all)).toEqual([200, 404, 404])
  })

  test('accepts an earlier link and then invalidates all others', async () => {
    const { link, email } = await forgotten()
    await minutePasses()
    await slipway.ok(auth.forgotPassword, { body: { email } })
    const { token: later } = await mailbox.next(email, 2)
    await slipway.ok(auth.resetPassword, reset(link))
    await slipway.refused(auth.resetPassword, reset(later), 404, 'link_invalid')
  })

  test('accepts one of two reset links used concurrently', async () => {
    const { link, email } = await forgotten()
    await minutePasses()
    await slipway.ok(auth.forgotPassword, { body: { email } })
    const { token: later } = await mailbox.next(email, 2)
    const all = await Promise.all(
      [link, later].map((one) => slipway.call(auth.resetPassword.key, reset(one))),
    )
    expect(statuses(all)).toEqual([200, 404])
  })

  test('rejects an expired link and a link of another kind', async () => {
    const { link, email } = await forgotten()
    await slipway.refused(auth.verifyEmail, { body: { token: link } }, 404, 'link_invalid')
    await expireLinks()
    await slipway.refused(auth.resetPassword, reset(link), 404, 'link_invalid')
    await slipway.ok(auth.logIn, { body: { email, password } })
  })

  test('keeps the link valid when the new password is too common', async () => {
    const { link } = await forgotten()
    await slipway.refused(auth.resetPassword, reset(link, '1234567890'), 422)
    await slipway.ok(auth.resetPassword, reset(link))
  })

  test('confirms the address, because only its owner has the link', async () => {
    const { email } = await signedUp()
    await slipway.ok(auth.forgotPassword, { body: { email } })
    const { token } = await mailbox.next(email, 2)
    await slipway.ok(auth.resetPassword, reset(token))
    await slipway.ok(auth.logIn, { body: { email, password: next } })
  })

  test('does not confirm the address when the link was printed for the operator', async () => {
    const { email, id } = await makeUser(slipway.db, { unverified: true })
    const link = await createResetLink(slipway.ctx, slipway.db, id)
    await slipway.ok(auth.resetPassword, reset(new URL(link).searchParams.get('token') ?? ''))
    await slipway.refused(auth.logIn, { body: { email, password: next } }, 401, 'wrong_credentials')
    expect((await mailbox.next(email)).subject).toBe('Confirm your email address · Slipway')
  })
})

describe('mailed invites', () => {
  test('creates an account with a confirmed address, unless the link was copied', async () => {
    const { owner } = await makeTeam(slipway.db)
    const email = `${unique('guest')}@example.com`
    const { invite } = await slipway.ok(inviteMember, { token: owner.token, body: { email } })
    const letter = await mailbox.next(email)
    expect(letter.subject).toContain(owner.name)
    expect(letter.link).toMatch(/^http:\/\/slipway\.test\/join-workspace\?token=/)
    expect(letter.link).not.toBe(invite.url)
    await slipway.ok(auth.join, { body: { token: letter.token, email, password } })
    await slipway.ok(auth.logIn, { body: { email, password } })
    const { members } = await slipway.ok(listMembers, { token: owner.token })
    expect(members.find((member) => member.email === email)).toMatchObject({ role: 'member' })

    const second = `${unique('guest')}@example.com`
    const made = await slipway.ok(inviteMember, { token: owner.token, body: { email: second } })
    const copied = new URL(made.invite.url ?? '').searchParams.get('token')
    await slipway.ok(auth.join, { body: { token: copied, email: second, password } })
    await slipway.refused(auth.logIn, { body: { email: second, password } }, 401, 'wrong_credentials')
  })

  test('confirms the address of an existing account, unless the link was copied', async () => {
    const { workspace } = await makeTeam(slipway.db)
    const joins = async (which: 'mailed' | 'token') => {
      const { email } = await makeUser(slipway.db, { unverified: true })
      const invite = await makeInvite(slipway.ctx, workspace, { email })
      await slipway.ok(auth.join, { body: { token: invite[which], email, password } })
      return slipway.call(auth.logIn.key, { body: { email, password } })
    }
    expect(await joins('mailed')).toMatchObject({ status: 200 })
    expect(await joins('token')).toMatchObject({ status: 401 })
  })

  test('includes names as short text, never as headers, HTML or links', async () => {
    const { owner, workspace } = await makeTeam(slipway.db)
    const name = 'Eve <script>alert(1)</script>\r\nBcc: all@example.com'
    await slipway.db.updateTable('users').set({ name }).where('id', '=', owner.id).execute()
    const yard = `Win at https://evil.example/login or evil.example \u202e${'x'.repeat(200)}`
    await slipway.db.updateTable('workspaces').set({ name: yard }).where('id', '=', workspace).execute()
    const email = `${unique('guest')}@example.com`
    await slipway.ok(inviteMember, { token: owner.token, body: { email } })
    const letter = await mailbox.next(email)
    expect(letter.bcc ?? []).toEqual([])
    expect(letter.html).not.toContain('<script>')
    expect(letter.subject).toMatch(
      /^Eve <script>alert\(1\)<\/script> Bcc: invites you to Win at or evil example x+… · Slipway$/,
    )
    for (const part of [letter.subject, letter.text, letter.html])
      expect(part).not.toMatch(/evil\.example|\u202e/)
    expect(mailbox.to('all@example.com')).toEqual([])
  })
})
