import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as auth from '../../../contract/auth.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeUser, password, unique } from '../../../test/support/factories/factories.ts'
import { maxConcurrentHashes, maxQueuedHashes } from '../../platform/passwords.ts'
import { toNetwork, backoffSeconds } from './login-rate-limit.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
beforeEach(() => slipway.db.deleteFrom('login_failures').execute())

const wrong = (email: string, address?: string) => ({ body: { email, password: 'not my password' }, address })

/** Moves every failure back in time. */
const pass = (seconds: number) =>
  slipway.ctx.pool.query('update login_failures set failed_at = failed_at - make_interval(secs => $1)', [
    seconds,
  ])

/** Moves every failure into the future, so that none expires however slow the machine is. */
const refresh = () =>
  slipway.ctx.pool.query("update login_failures set failed_at = now() + interval '1 minute'")
/** Waits out the shortest delay after that. */
const passDelay = () => pass(62.1)

describe('login', () => {
  test('ignores the case of the address and returns only a token', async () => {
    const { email } = await makeUser(slipway.db)
    const got = await slipway.call('POST /v1/auth/email/login', {
      body: { email: email.toUpperCase(), password },
    })
    expect(got.body).toEqual({ access_token: expect.stringMatching(/^slp_[\w-]{43}$/) })
    expect(got.headers['cache-control']).toBe('no-store')
  })

  test('responds alike to a wrong password, a missing account and an account without a password', async () => {
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

longTest(
  'rejects logins with Retry-After while the password queue is full, without counting a failure',
  async () => {
    const { email } = await makeUser(slipway.db)
    const flood = new Set<Promise<unknown>>()
    const fill = (count: number) => {
      for (let at = 0; at < count; at++) flood.add(slipway.ctx.passwords.hash(password).catch(() => {}))
    }
    fill(maxConcurrentHashes + maxQueuedHashes)
    const refill = setInterval(() => fill(maxConcurrentHashes), 1)
    const got = await slipway
      .refused(auth.logIn, { body: { email, password } }, 503, 'busy')
      .finally(() => clearInterval(refill))
    expect(Number(got.headers['retry-after'])).toBeGreaterThan(0)
    expect(await slipway.db.selectFrom('login_failures').selectAll().execute()).toEqual([])
    await Promise.all(flood)
    await slipway.ok(auth.logIn, { body: { email, password } })
  },
)

describe('password guessing', () => {
  test('throttles an account after five failures from any address, including the correct password', async () => {
    const { email } = await makeUser(slipway.db)
    for (let n = 0; n < 5; n++) await slipway.refused(auth.logIn, wrong(email), 401)
    await refresh()
    const locked = await slipway.refused(auth.logIn, { body: { email, password } }, 429, 'too_many')
    expect(Number(locked.headers['retry-after'])).toBeLessThanOrEqual(62)
    await passDelay()
    await slipway.ok(auth.logIn, { body: { email, password } })
  })

  test('does not lock out the owner at an address they used recently', async () => {
    const { email, id } = await makeUser(slipway.db)
    const right = { body: { email, password }, address: '203.0.113.7' }
    await slipway.ok(auth.logIn, right)
    for (let n = 0; n < 5; n++) await slipway.refused(auth.logIn, wrong(email), 401)
    await refresh()
    await slipway.refused(auth.logIn, { body: { email, password } }, 429, 'too_many')
    await slipway.ok(auth.logIn, right)
    await slipway.ctx.pool.query(
      "update sessions set last_seen_at = now() - interval '31 days' where user_id = $1",
      [id],
    )
    await slipway.refused(auth.logIn, right, 429, 'too_many')
  })

  test('throttles an address the owner used recently after five failures there', async () => {
    const { email } = await makeUser(slipway.db)
    const address = '203.0.113.8'
    await slipway.ok(auth.logIn, { body: { email, password }, address })
    for (let n = 0; n < 5; n++) await slipway.refused(auth.logIn, wrong(email, address), 401)
    await refresh()
    await slipway.refused(auth.logIn, { body: { email, password }, address }, 429, 'too_many')
  })

  test('keeps the failure count when the owner logs in from another address', async () => {
    const { email } = await makeUser(slipway.db)
    const right = { body: { email, password }, address: '203.0.113.9' }
    await slipway.refused(auth.logIn, wrong(email, right.address), 401)
    for (let n = 0; n < 4; n++) await slipway.refused(auth.logIn, wrong(email), 401)
    await pass(2.1)
    await slipway.ok(auth.logIn, right)
    await slipway.refused(auth.logIn, wrong(email), 401)
    await refresh()
    await slipway.refused(auth.logIn, wrong(email), 429, 'too_many')
    const left = await slipway.db.selectFrom('login_failures').select('address').execute()
    expect(left).toHaveLength(5)
    expect(left.map(({ address }) => address)).not.toContain(right.address)
  })

  test('counts one IPv6 network as one address', () => {
    const network = '2001:db8:0:7::/64'
    for (const address of ['2001:db8:0:7::1', '2001:0DB8::7:ffff:1:2:3', '2001:db8:0:7:8:9:a:b'])
      expect(toNetwork(address)).toBe(network)
    expect(toNetwork('2001:db8:0:8::1')).toBe('2001:db8:0:8::/64')
    expect(toNetwork('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
    expect(toNetwork('::1')).toBe('0:0:0:0::/64')
    for (const plain of ['192.0.2.1', '::ffff:192.0.2.1']) expect(toNetwork(plain)).toBe(plain)
  })

  test('throttles many addresses of one IPv6 network after twenty failures', async () => {
    const guess = (n: number) => wrong(`${unique('x')}@example.com`, `2001:db8::${n}`)
    await Promise.all(Array.from({ length: 20 }, (_, n) => slipway.refused(auth.logIn, guess(n), 401)))
    await refresh()
    await slipway.refused(auth.logIn, guess(99), 429, 'too_many')
  })

  test('throttles addresses without an account alike', async () => {
    const email = `${unique('nobody')}@example.com`
    for (let n = 0; n < 5; n++) await slipway.refused(auth.logIn, wrong(email), 401)
    await refresh()
    await slipway.refused(auth.logIn, wrong(email), 429, 'too_many')
  })

  test('counts failures regardless of the case of the email address', async () => {
    const { email } = await makeUser(slipway.db)
    for (const one of [email, email.toUpperCase(), ` ${email}`, email, email])
      await slipway.refused(auth.logIn, wrong(one), 401)
    await refresh()
    await slipway.refused(auth.logIn, wrong(email.toUpperCase()), 429)
  })

  test('throttles one IP address after twenty failures across all accounts', async () => {
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
    await passDelay()
    await slipway.ok(auth.logIn, { body: { email, password }, address })
  })

  test('allows no more concurrent guesses than sequential ones', async () => {
    const { email } = await makeUser(slipway.db)
    const begin = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => slipway.call('POST /v1/auth/email/login', wrong(email))),
    )
    const guesses = answers.filter(({ status }) => status === 401).length
    expect(guesses).toBeGreaterThanOrEqual(5)
    // Allows one more guess for every two seconds that the test took.
    expect(guesses).toBeLessThanOrEqual(5 + (performance.now() - begin) / 2_000)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30 - guesses)
  })

  test('resets the failure count after 15 minutes', async () => {
    const { email } = await makeUser(slipway.db)
    for (let n = 0; n < 5; n++) await slipway.refused(auth.logIn, wrong(email), 401)
    await pass(15 * 60 + 1)
    for (let n = 0; n < 5; n++) await slipway.refused(auth.logIn, wrong(email), 401)
    await refresh()
    await slipway.refused(auth.logIn, wrong(email), 429)
  })

  test('doubles the delay with each failure, up to one minute', () => {
    expect([4, 5, 6, 7, 8, 9, 10, 11, 50].map((failures) => backoffSeconds(failures, 5))).toEqual([
      0, 2, 4, 8, 16, 32, 60, 60, 60,
    ])
  })
})
