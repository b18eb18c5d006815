import { afterAll, describe, expect, test } from 'vitest'
import * as auth from '../../../contract/auth.ts'
import { getUser } from '../../../contract/user.ts'
import { inviteMember, listMembers } from '../../../contract/workspaces.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeApiToken,
  makeInvite,
  makeMember,
  makeSession,
  makeTeam,
  makeUser,
  unique,
} from '../../../test/support/factories/factories.ts'
import { startMailbox } from '../../../test/support/fakes/mailbox.ts'

const mailbox = await startMailbox()
const slipway = await startSlipway({ SMTP_URL: mailbox.url, SIGNUP: 'open' })
slipway.work()
afterAll(async () => {
  await slipway.close()
  await mailbox.close()
})

const attackers = 'the password of an attacker'
const owners = 'the password of the owner'
const logIn = (email: string, password: string) => slipway.call(auth.logIn.key, { body: { email, password } })
const cookieOf = (headers: Record<string, string>) => (headers['set-cookie'] ?? '').split(';')[0] ?? ''

/** Signs up as an attacker with the address of a victim, who receives the link. */
async function signUpAsSomebodyElse() {
  const email = `${unique('victim')}@example.com`
  const body = { organisation: 'Trap', email, password: attackers }
  const { headers } = await slipway.call(auth.signUp.key, { body })
  return { email, attacker: { cookie: cookieOf(headers) }, token: (await mailbox.next(email)).token }
}

describe('account signed up by someone else', () => {
  test('requires a new password to confirm in another browser and rejects the first password', async () => {
    const { email, token } = await signUpAsSomebodyElse()
    const got = await slipway.refused(auth.verifyEmail, { body: { token } }, 409, 'password_required')
    expect(got.text).toContain('Choose a password')
    expect((await logIn(email, attackers)).status).toBe(401)
    await slipway.refused(auth.verifyEmail, { body: { token, password: '1234567890' } }, 422)
    await slipway.ok(auth.verifyEmail, { body: { token, password: owners } })
    expect((await logIn(email, attackers)).status).toBe(401)
    expect((await logIn(email, owners)).status).toBe(200)
  })

  test('does not confirm without a password using the cookie of a third browser', async () => {
    const { token } = await signUpAsSomebodyElse()
    const other = await signUpAsSomebodyElse()
    for (const cookie of [other.attacker.cookie, 'slipway_browser=', 'slipway_browser=x', ''])
      await slipway.refused(
        auth.verifyEmail,
        { body: { token }, headers: { cookie } },
        409,
        'password_required',
      )
  })

  test('does not bind the account to a browser after a login with a wrong password', async () => {
    const { email, token } = await signUpAsSomebodyElse()
    await slipway.ctx.pool.query("update sent_mails set sent_at = sent_at - interval '1 minute'")
    const browser = await slipway.call(auth.signUp.key, {
      body: { organisation: 'Own', email: `${unique('owner')}@example.com`, password: owners },
    })
    const headers = { cookie: cookieOf(browser.headers) }
    await slipway.call(auth.logIn.key, { body: { email, password: owners }, headers })
    await slipway.refused(auth.verifyEmail, { body: { token }, headers }, 409, 'password_required')
  })

  test('keeps no session or API token from before the address was confirmed', async () => {
    const { workspace } = await makeTeam(slipway.db)
    const { email, token } = await signUpAsSomebodyElse()
    const user = await slipway.db
      .selectFrom('users')
      .selectAll()
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await makeMember(slipway.db, workspace, user, 'member')
    const session = await makeSession(slipway.db, user)
    const apiToken = await makeApiToken(slipway.db, workspace, user, { role: 'member' })
    await slipway.ok(auth.verifyEmail, { body: { token, password: owners } })
    for (const dead of [session.token, apiToken.token])
      await slipway.refused(getUser, { token: dead }, 401, 'unauthenticated')
  })
})

test('identifies a browser over https only by a cookie that no sibling host can set', async () => {
  const secure = await startSlipway({ SMTP_URL: mailbox.url, PUBLIC_URL: 'https://slipway.example.com' })
  secure.work()
  try {
    const email = `${unique('victim')}@example.com`
    const body = { organisation: 'Trap', email, password: attackers }
    const { headers } = await secure.call(auth.signUp.key, { body })
    expect(headers['set-cookie']).toMatch(/^__Host-slipway_browser=brw_[\w-]+; Path=\/; Secure; HttpOnly;/)
    const cookie = cookieOf(headers)
    const { token } = await mailbox.next(email)
    const planted = { cookie: cookie.replace('__Host-', '') }
    await secure.refused(auth.verifyEmail, { body: { token }, headers: planted }, 409, 'password_required')
    await secure.ok(auth.verifyEmail, { body: { token }, headers: { cookie } })
  } finally {
    await secure.close()
  }
})

describe('confirmation link', () => {
  const isInvalid = (token: string) =>
    slipway.refused(auth.verifyEmail, { body: { token, password: attackers } }, 404, 'link_invalid')

  test('rejects the link after a password reset confirmed the address', async () => {
    const { email, token } = await signUpAsSomebodyElse()
    await slipway.ok(auth.forgotPassword, { body: { email } })
    const reset = await mailbox.next(email, 2)
    await slipway.ok(auth.resetPassword, { body: { token: reset.token, password: owners } })
    await isInvalid(token)
    expect((await logIn(email, owners)).status).toBe(200)
  })

  test('rejects the link after an invite confirmed the address, recorded as a password reset', async () => {
    const { workspace } = await makeTeam(slipway.db)
    const { email, token } = await signUpAsSomebodyElse()
    const { mailed } = await makeInvite(slipway.ctx, workspace, { email })
    await slipway.ok(auth.join, { body: { token: mailed, email, password: owners } })
    await isInvalid(token)
    const events = await slipway.db
      .selectFrom('account_events')
      .innerJoin('users', 'users.id', 'account_events.user_id')
      .select('type')
      .where('email', '=', email)
      .execute()
    expect(events.map(({ type }) => type)).toContain('password.reset')
  })
})

describe('mailed invite to an address someone else signed up with', () => {
  test('sets the password of the mail recipient', async () => {
    const { owner } = await makeTeam(slipway.db)
    const { email } = await signUpAsSomebodyElse()
    await slipway.ok(inviteMember, { token: owner.token, body: { email } })
    const { token } = await mailbox.next(email, 2)
    await slipway.refused(auth.join, { body: { token, email, password: 'short' } }, 422)
    await slipway.ok(auth.join, { body: { token, email, password: owners } })
    expect((await logIn(email, attackers)).status).toBe(401)
    expect((await logIn(email, owners)).status).toBe(200)
    const { members } = await slipway.ok(listMembers, { token: owner.token })
    expect(members.map((member) => member.email)).toContain(email)
  })

  test('does not replace the password of a confirmed account', async () => {
    const { workspace } = await makeTeam(slipway.db)
    const { email } = await makeUser(slipway.db)
    const { mailed } = await makeInvite(slipway.ctx, workspace, { email })
    const body = { token: mailed, email, password: attackers }
    await slipway.refused(auth.join, { body }, 401, 'wrong_credentials')
  })

  test('requires the password for a copied link and leaves a new account unconfirmed', async () => {
    const { workspace } = await makeTeam(slipway.db)
    const { email } = await signUpAsSomebodyElse()
    const known = await makeInvite(slipway.ctx, workspace, { email })
    const wrong = { token: known.token, email, password: owners }
    await slipway.refused(auth.join, { body: wrong }, 401, 'wrong_credentials')

    const fresh = `${unique('guest')}@example.com`
    const copied = await makeInvite(slipway.ctx, workspace, { email: fresh })
    await slipway.ok(auth.join, { body: { token: copied.token, email: fresh, password: attackers } })
    expect((await logIn(fresh, attackers)).status).toBe(401)
    const { token } = await mailbox.next(fresh)
    await slipway.refused(auth.verifyEmail, { body: { token } }, 409, 'password_required')
    await slipway.ok(auth.verifyEmail, { body: { token, password: owners } })
    expect((await logIn(fresh, attackers)).status).toBe(401)
    expect((await logIn(fresh, owners)).status).toBe(200)
  })
})
