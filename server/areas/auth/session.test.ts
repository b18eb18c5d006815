import { afterAll, describe, expect, test } from 'vitest'
import { createApiToken } from '../../../contract/api-tokens.ts'
import { logIn, logOut } from '../../../contract/auth.ts'
import * as contract from '../../../contract/user.ts'
import { startSlipway } from '../../../test/context.ts'
import { makeSession, makeSomeone, makeUser, makeWorkspace, password } from '../../../test/factories.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())

const someone = async () => makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
const alive = async (token: string) => (await slipway.call('GET /v1/user', { token })).status === 200

describe('sessions', () => {
  test('are listed with where they came from, and ended one by one', async () => {
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

  test('of somebody else are neither seen nor ended', async () => {
    const [mine, theirs] = [await someone(), await someone()]
    await slipway.refused(contract.endSession, { token: mine.token, params: { id: theirs.session } }, 404)
    expect(await alive(theirs.token)).toBe(true)
  })

  test('end with logging out, and that alone', async () => {
    const { token, id } = await someone()
    const other = await makeSession(slipway.db, { id })
    await slipway.ok(logOut, { token })
    expect([await alive(token), await alive(other.token)]).toEqual([false, true])
    await slipway.refused(logOut, { token }, 401, 'unauthenticated')
  })

  test('that expired are not listed', async () => {
    const { token, id } = await someone()
    await makeSession(slipway.db, { id }, { expires: new Date(Date.now() - 1000) })
    expect((await slipway.ok(contract.listSessions, { token })).sessions).toHaveLength(1)
  })
})

describe('changing the password', () => {
  const next = 'a brand new password'

  test('ends the other sessions and not this one, and the new one logs in', async () => {
    const { token, id, email } = await someone()
    const other = await makeSession(slipway.db, { id })
    await slipway.ok(contract.changePassword, { token, body: { current_password: password, password: next } })
    expect([await alive(token), await alive(other.token)]).toEqual([true, false])
    await slipway.refused(logIn, { body: { email, password } }, 401, 'wrong_credentials')
    await slipway.ok(logIn, { body: { email, password: next } })
  })

  test('asks for the current one', async () => {
    const { token, email } = await someone()
    for (const body of [{ password: next }, { current_password: 'not it at all', password: next }]) {
      const got = await slipway.refused(contract.changePassword, { token, body }, 422)
      expect(got.body).toEqual({ errors: { current_password: ['This is not your password.'] } })
    }
    await slipway.ok(logIn, { body: { email, password } })
  })

  test('is slowed when the current one is guessed', async () => {
    const { token } = await someone()
    const body = { current_password: 'not it at all', password: next }
    for (let n = 0; n < 5; n++) await slipway.refused(contract.changePassword, { token, body }, 422)
    await slipway.ctx.pool.query('update login_failures set failed_at = now()')
    await slipway.refused(contract.changePassword, { token, body }, 429, 'too_many')
  })

  test('refuses a common one', async () => {
    const { token } = await someone()
    const body = { current_password: password, password: 'password123' }
    const got = await slipway.refused(contract.changePassword, { token, body }, 422)
    const sentence = 'This is one of the commonest passwords. Choose another.'
    expect(got.body).toEqual({ errors: { password: [sentence] } })
  })

  test('gives one to whoever had none', async () => {
    const user = await makeUser(slipway.db)
    await slipway.db.updateTable('users').set({ password_hash: null }).where('id', '=', user.id).execute()
    const { token } = await makeSession(slipway.db, user)
    expect((await slipway.ok(contract.getUser, { token })).user.has_password).toBe(false)
    await slipway.refused(contract.startTwoFactor, { token, body: { password } }, 409, 'no_password')
    await slipway.ok(contract.changePassword, { token, body: { password: next } })
    await slipway.ok(logIn, { body: { email: user.email, password: next } })
  })

  test('revokes API tokens when asked to', async () => {
    const { token } = await someone()
    const { token: api } = await slipway.ok(createApiToken, { token, body: { name: 'ci' } })
    const body = { current_password: password, password: next, revoke_tokens: true }
    await slipway.ok(contract.changePassword, { token, body })
    expect(await alive(api)).toBe(false)
  })

  test('leaves API tokens as they are unless asked', async () => {
    const { token } = await someone()
    const { token: api } = await slipway.ok(createApiToken, { token, body: { name: 'ci' } })
    await slipway.ok(contract.changePassword, { token, body: { current_password: password, password: next } })
    expect(await alive(api)).toBe(true)
  })
})
