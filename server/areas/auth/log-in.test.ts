import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as auth from '../../../contract/auth.ts'
import { startSlipway } from '../../../test/context.ts'
import { makeUser, password, unique } from '../../../test/factories.ts'
import { waitAfter } from './lock-out.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
beforeEach(() => slipway.db.deleteFrom('login_failures').execute())

const wrong = (email: string, address?: string) => ({ body: { email, password: 'not my password' }, address })

/** Lets so much time pass since every failure. */
const pass = (seconds: number) =>
  slipway.ctx.pool.query('update login_failures set failed_at = failed_at - make_interval(secs => $1)', [
    seconds,
  ])

/** Has every failure happen just now, however slow the machine is. */
const refresh = () => slipway.ctx.pool.query('update login_failures set failed_at = now()')

describe('logging in', () => {
  test('works whatever the case of the address, and gives a token and nothing else', async () => {
    const { email } = await makeUser(slipway.db)
    const got = await slipway.call('POST /v1/auth/email/login', {
      body: { email: email.toUpperCase(), password },
    })
    expect(got.body).toEqual({ access_token: expect.stringMatching(/^slp_[\w-]{43}$/) })
    expect(got.headers['cache-control']).toBe('no-store')
  })

  test('answers the same to a wrong password, no such account and an account without a password', async () => {
    const { email } = await makeUser(slipway.db)
    const byGitHub = await makeUser(slipway.db)
    await slipway.db.updateTable('users').set({ password_hash: null }).where('id', '=', byGitHub.id).execute()
    const answers = await Promise.all(
      [email, 'nobody@example.com', byGitHub.email].map((one) =>
        slipway.refused(auth.logIn, wrong(one), 401),
      ),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body).toEqual({ error: 'Wrong email or password.', code: 'wrong_credentials' })
  })
})

describe('guessing passwords', () => {
  test('of an account is slowed after five, from wherever they come; the right one waits too, then serves', async () => {
    const { email } = await makeUser(slipway.db)
    for (let n = 0; n < 5; n++) await slipway.refused(auth.logIn, wrong(email), 401)
    await refresh()
    const locked = await slipway.refused(auth.logIn, { body: { email, password } }, 429, 'too_many')
    expect(Number(locked.headers['retry-after'])).toBeLessThanOrEqual(2)
    await pass(2.1)
    await slipway.ok(auth.logIn, { body: { email, password } })
    await slipway.refused(auth.logIn, wrong(email), 401)
    await slipway.ok(auth.logIn, { body: { email, password } })
  })

  test('is slowed in the same way where there is no account', async () => {
    const email = `${unique('nobody')}@example.com`
    for (let n = 0; n < 5; n++) await slipway.refused(auth.logIn, wrong(email), 401)
    await refresh()
    await slipway.refused(auth.logIn, wrong(email), 429, 'too_many')
  })

  test('is counted whatever the case of the address', async () => {
    const { email } = await makeUser(slipway.db)
    for (const one of [email, email.toUpperCase(), ` ${email}`, email, email])
      await slipway.refused(auth.logIn, wrong(one), 401)
    await refresh()
    await slipway.refused(auth.logIn, wrong(email.toUpperCase()), 429)
  })

  test('from one address is slowed after twenty, over all accounts', async () => {
    const address = '198.51.100.1'
    const { email } = await makeUser(slipway.db)
    await Promise.all(
      Array.from({ length: 20 }, () =>
        slipway.refused(auth.logIn, wrong(`${unique('x')}@example.com`, address), 401),
      ),
    )
    await refresh()
    await slipway.refused(auth.logIn, { body: { email, password }, address }, 429, 'too_many')
    await slipway.ok(auth.logIn, { body: { email, password }, address: '198.51.100.2' })
    await pass(2.1)
    await slipway.ok(auth.logIn, { body: { email, password }, address })
  })

  test('many at once gives no more guesses than one after the other', async () => {
    const { email } = await makeUser(slipway.db)
    const begin = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => slipway.call('POST /v1/auth/email/login', wrong(email))),
    )
    const guesses = answers.filter(({ status }) => status === 401).length
    expect(guesses).toBeGreaterThanOrEqual(5)
    // One more for each two seconds at the least that it took.
    expect(guesses).toBeLessThanOrEqual(5 + (performance.now() - begin) / 2_000)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30 - guesses)
  })

  test('is forgotten after a quarter of an hour', async () => {
    const { email } = await makeUser(slipway.db)
    for (let n = 0; n < 5; n++) await slipway.refused(auth.logIn, wrong(email), 401)
    await pass(15 * 60 + 1)
    for (let n = 0; n < 5; n++) await slipway.refused(auth.logIn, wrong(email), 401)
    await refresh()
    await slipway.refused(auth.logIn, wrong(email), 429)
  })

  test('waits twice as long each time, up to a minute', () => {
    expect([4, 5, 6, 7, 8, 9, 10, 11, 50].map((failures) => waitAfter(failures, 5))).toEqual([
      0, 2, 4, 8, 16, 32, 60, 60, 60,
    ])
  })
})
