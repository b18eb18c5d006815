import { afterAll, describe, expect, test, vi } from 'vitest'
import * as contract from '../../../contract/user.ts'
import { listActivity } from '../../../contract/user.ts'
import { createApiToken } from '../../../contract/api-tokens.ts'
import { listAudit } from '../../../contract/audit.ts'
import { logIn, logOut } from '../../../contract/auth.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeSession,
  makeSomeone,
  makeUser,
  makeWorkspace,
  password,
} from '../../../test/support/factories/factories.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())

const someone = async () => makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
const alive = async (token: string) => (await slipway.call('GET /v1/user', { token })).status === 200

describe('sessions', () => {
  test('lists sessions with their origin and ends them individually', async () => {
    const { token, email } = await someone()
    const { access_token: phone } = await slipway.ok(logIn, {
      body: { email, password },
      address: '203.0.113.5',
      headers: { 'user-agent': 'a phone' },
    })
    const { sessions, page } = await slipway.ok(contract.listSessions, { token })
    expect(page).toEqual({ next: null, total: 2 })
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    const other = sessions.find(({ current }) => !current)
    expect(other).toMatchObject({ address: '203.0.113.5', agent: 'a phone' })
    await slipway.ok(contract.endSession, { token, params: { id: other?.id ?? '' } })
    expect(await alive(phone)).toBe(false)
    expect(await alive(token)).toBe(true)
    await slipway.refused(contract.endSession, { token, params: { id: other?.id ?? '' } }, 404, 'not_found')
  })

  test('hides and protects sessions of other users', async () => {
    const [mine, theirs] = [await someone(), await someone()]
    await slipway.refused(contract.endSession, { token: mine.token, params: { id: theirs.session } }, 404)
    expect(await alive(theirs.token)).toBe(true)
  })

  test('ends only the current session on logout', async () => {
    const { token, id } = await someone()
    const other = await makeSession(slipway.db, { id })
    await slipway.ok(logOut, { token })
    expect([await alive(token), await alive(other.token)]).toEqual([false, true])
    await slipway.refused(logOut, { token }, 401, 'unauthenticated')
  })

  test('expires a session after 90 days regardless of use', async () => {
    const [{ token, session }, old] = [await someone(), await someone()]
    const age = (id: string, interval: string) =>
      slipway.ctx.pool.query(
        `update sessions set created_at = now() - $2::interval, last_seen_at = now() - interval '1 hour',
          expires_at = least(expires_at, now() - $2::interval + interval '90 days') where id = $1`,
        [id, interval],
      )
    await age(session, '89 days 23 hours')
    expect(await alive(token)).toBe(true)
    await vi.waitFor(async () => {
      const { rows } = await slipway.ctx.pool.query(
        `select from sessions where id = $1 and last_seen_at > now() - interval '1 minute'
          and expires_at = created_at + interval '90 days'`,
        [session],
      )
      expect(rows).toHaveLength(1)
    })
    await age(old.session, '90 days')
    expect(await alive(old.token)).toBe(false)
  })

  test('does not list expired sessions', async () => {
    const { token, id } = await someone()
    await makeSession(slipway.db, { id }, { expires: new Date(Date.now() - 1000) })
    expect((await slipway.ok(contract.listSessions, { token })).sessions).toHaveLength(1)
  })
})

describe('password change', () => {
  const next = 'a brand new password'

  test('ends other sessions, keeps the current one and accepts the new password', async () => {
    const { token, id, email } = await someone()
    const other = await makeSession(slipway.db, { id })
    await slipway.ok(contract.changePassword, { token, body: { current_password: password, password: next } })
    expect([await alive(token), await alive(other.token)]).toEqual([true, false])
    await slipway.refused(logIn, { body: { email, password } }, 401, 'wrong_credentials')
    await slipway.ok(logIn, { body: { email, password: next } })
  })

  test('requires the current password', async () => {
    const { token, email } = await someone()
    for (const body of [{ password: next }, { current_password: 'not it at all', password: next }]) {
      const got = await slipway.refused(contract.changePassword, { token, body }, 422)
      expect(got.body).toEqual({ errors: { current_password: ['Wrong password.'] } })
    }
    await slipway.ok(logIn, { body: { email, password } })
  })

  test('throttles guesses of the current password', async () => {
    const { token } = await someone()
    const body = { current_password: 'not it at all', password: next }
    for (let n = 0; n < 5; n++) await slipway.refused(contract.changePassword, { token, body }, 422)
    await slipway.ctx.pool.query("update login_failures set failed_at = now() + interval '1 minute'")
    await slipway.refused(contract.changePassword, { token, body }, 429, 'too_many')
  })

  test('rejects a common password', async () => {
    const { token } = await someone()
    const body = { current_password: password, password: 'password123' }
    const got = await slipway.refused(contract.changePassword, { token, body }, 422)
    const sentence = 'This password is too common. Choose another.'
    expect(got.body).toEqual({ errors: { password: [sentence] } })
  })

  test('sets a first password within 10 minutes of a login', async () => {
    const user = await makeUser(slipway.db)
    await slipway.db.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute()
    const { token } = await makeSession(slipway.db, user)
    expect((await slipway.ok(contract.getUser, { token })).user.has_password).toBe(false)
    await slipway.refused(contract.startTwoFactor, { token, body: { password } }, 409, 'no_password')
    const at = { token, body: { password: next } }
    await slipway.ctx.pool.query(
      "update sessions set created_at = now() - interval '11 minutes' where user_id = $1",
      [user.id],
    )
    await slipway.refused(contract.changePassword, at, 403, 'recent_log_in_needed')
    const { token: recent } = await makeSession(slipway.db, user)
    await slipway.ok(contract.changePassword, { ...at, token: recent })
    await slipway.ok(logIn, { body: { email: user.email, password: next } })
  })

  test('revokes API tokens on request', async () => {
    const { token } = await someone()
    const { token: api } = await slipway.ok(createApiToken, { token, body: { name: 'ci' } })
    await slipway.ok(createApiToken, { token, body: { name: 'backup' } })
    const body = { current_password: password, password: next, revoke_tokens: true }
    await slipway.ok(contract.changePassword, { token, body })
    expect(await alive(api)).toBe(false)
    const { entries } = await slipway.ok(listAudit, { token })
    const deleted = entries.filter(({ type }) => type === 'api_token.revoked')
    expect(new Set(deleted.map(({ target }) => target?.name))).toEqual(new Set(['backup', 'ci']))
    expect(deleted[0]).toMatchObject({ actor: { via: 'session' }, detail: 'after a password change' })
    const { events } = await slipway.ok(listActivity, { token })
    const [revoked] = events.filter(({ type }) => type === 'api_token.revoked')
    expect(revoked?.detail).toMatch(/^(ci and backup|backup and ci), after a password change$/)
  })

  test('keeps API tokens by default', async () => {
    const { token } = await someone()
    const { token: api } = await slipway.ok(createApiToken, { token, body: { name: 'ci' } })
    await slipway.ok(contract.changePassword, { token, body: { current_password: password, password: next } })
    expect(await alive(api)).toBe(true)
  })
})
