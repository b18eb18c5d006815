import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  exchangeCode,
  finishLogin,
  getAuthOptions,
  redirectToGitHub,
  redirectToLogin,
} from '../../../contract/auth.ts'
import { getUser } from '../../../contract/user.ts'
import { getCurrentWorkspace } from '../../../contract/workspaces.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeUser, unique } from '../../../test/support/factories/factories.ts'
import { startFakeGitHub } from '../../../test/support/fakes/github.ts'
import * as fromGitHub from '../../../test/support/clients/from-github.ts'
import { fingerprint } from '../../../test/support/stages/fingerprint.ts'

const github = await startFakeGitHub()
const slipway = await startSlipway(github.env)
afterAll(async () => {
  await slipway.close()
  await github.close()
})
const paths = ['/login/oauth/access_token', '/user', '/user/emails']
const { config } = slipway.ctx
afterEach(() => {
  slipway.ctx.config = config
  paths.forEach((path) => github.fail(path, undefined))
})

const comeBack = (login: string) => fromGitHub.comeBack(slipway, github, login)
const logIn = (login: string) => fromGitHub.logIn(slipway, github, login)

const newLogin = () => unique('octo').replace('-', '')
const unchanged = async (work: () => Promise<unknown>) => {
  const before = await fingerprint(slipway.db)
  await work()
  expect(await fingerprint(slipway.db)).toEqual(before)
}

describe('login with GitHub', () => {
  test('redirects with state and PKCE, and sets an HttpOnly cookie', async () => {
    expect((await slipway.call(redirectToLogin.key)).headers['location']).toBe(
      'http://slipway.test/v1/auth/github/redirect',
    )
    const got = await slipway.call(redirectToGitHub.key)
    expect(got.status).toBe(302)
    const query = Object.fromEntries(new URL(got.headers['location'] ?? '').searchParams)
    expect(query).toEqual({
      client_id: 'Iv1.slipway',
      redirect_uri: 'http://slipway.test/login/success',
      scope: 'read:user user:email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(got.headers['set-cookie']).toMatch(/; Path=\/v1\/auth; HttpOnly; SameSite=Lax; Max-Age=600$/)
    expect(got.headers['set-cookie']).not.toContain(query['state'])
    expect(await slipway.ok(getAuthOptions)).toMatchObject({ github: true })
  })

  test('creates an account with a workspace the first time and finds it afterwards', async () => {
    const login = newLogin()
    github.addAccount(login, { name: 'Mona Lisa' })
    const first = await logIn(login)
    expect(first).toEqual({ token: { token: expect.stringMatching(/^slp_/) }, is_signup: true })
    const { user } = await slipway.ok(getUser, { token: first.token.token })
    const email = `${login}@example.com`
    expect(user).toMatchObject({ name: 'Mona Lisa', email, github: login, has_password: false })
    const { workspace } = await slipway.ok(getCurrentWorkspace, { token: first.token.token })
    expect(workspace).toMatchObject({ name: login, role: 'owner' })
    const again = await logIn(login)
    expect(again.is_signup).toBe(false)
    expect((await slipway.ok(getUser, { token: again.token.token })).user.id).toBe(user.id)
  })

  test('links the account with the same address when both sides confirmed it', async () => {
    const login = newLogin()
    github.addAccount(login, {
      emails: [{ email: `${login.toUpperCase()}@example.com`, primary: true, verified: true }],
    })
    const { id } = await makeUser(slipway.db, { email: `${login}@example.com` })
    const { token, is_signup } = await logIn(login)
    expect(is_signup).toBe(false)
    expect((await slipway.ok(getUser, { token: token.token })).user).toMatchObject({ id, github: login })
  })

  test('does not link an account whose address is unconfirmed', async () => {
    const login = newLogin()
    github.addAccount(login)
    await makeUser(slipway.db, { email: `${login}@example.com`, unverified: true })
    const came = await comeBack(login)
    await unchanged(() => slipway.refused(finishLogin, came, 409, 'email_unverified'))
  })

  test('rejects an address that is unconfirmed at GitHub or not the primary one', async () => {
    const login = newLogin()
    await makeUser(slipway.db, { email: `${login}@example.com` })
    github.addAccount(login, {
      emails: [
        { email: `${login}@example.com`, primary: true, verified: false },
        { email: `other-${login}@example.com`, primary: false, verified: true },
      ],
    })
    const came = await comeBack(login)
    await unchanged(() => slipway.refused(finishLogin, came, 409, 'no_verified_email'))
  })

  test('keeps the link when the address changes', async () => {
    const login = newLogin()
    const account = github.addAccount(login)
    const first = await logIn(login)
    const { email } = await makeUser(slipway.db)
    account.emails = [{ email, primary: true, verified: true }]
    const again = await logIn(login)
    const { user } = await slipway.ok(getUser, { token: again.token.token })
    expect(user).toEqual((await slipway.ok(getUser, { token: first.token.token })).user)
  })

  test('creates no account with invite-only sign-up', async () => {
    const closed = await startSlipway({ ...github.env, SIGNUP: 'invite' })
    onTestFinished(() => closed.close())
    await makeUser(closed.db)
    const login = newLogin()
    github.addAccount(login)
    const came = await fromGitHub.comeBack(closed, github, login)
    await closed.refused(finishLogin, came, 403, 'signup_closed')
  })

  test('is disabled without its keys', async () => {
    const off = await startSlipway()
    onTestFinished(() => off.close())
    expect(await off.ok(getAuthOptions)).toMatchObject({ github: false })
    await off.refused(redirectToGitHub, {}, 409, 'integration_off')
    await off.refused(finishLogin, { body: { code: 'x', state: 'y' } }, 409, 'integration_off')
  })
})

describe('login that was not started in this browser', () => {
  async function expectLost(
    change: (came: Awaited<ReturnType<typeof comeBack>>) => object | Promise<object>,
  ) {
    const login = newLogin()
    github.addAccount(login)
    const came = await comeBack(login)
    const asked = github.asked.length
    const sent = { ...came, ...(await change(came)) }
    await unchanged(() => slipway.refused(finishLogin, sent, 400, 'login_lost'))
    expect(github.asked.length).toBe(asked)
    await slipway.ok(finishLogin, came)
  }

  test('is rejected with a forged state', () => expectLost(({ body }) => ({ body: { ...body, state: 'x' } })))
  test('is rejected without the cookie', () => expectLost(() => ({ headers: {} })))
  test('is rejected with a forged cookie', () =>
    expectLost(() => ({ headers: { cookie: 'slipway_github=1.x.y.z.w' } })))
  test('is rejected with the cookie of another browser', () =>
    expectLost(async () => {
      const { headers } = await slipway.call(redirectToGitHub.key)
      return { headers: { cookie: (headers['set-cookie'] ?? '').split(';')[0] ?? '' } }
    }))
})

describe('authorization codes', () => {
  test('accepts a code once', async () => {
    const login = newLogin()
    github.addAccount(login)
    const came = await comeBack(login)
    await slipway.ok(finishLogin, came)
    await slipway.refused(finishLogin, came, 400, 'login_refused')
  })

  test('rejects an expired or forged code', async () => {
    const login = newLogin()
    github.addAccount(login)
    const came = await comeBack(login)
    const forged = { ...came, body: { ...came.body, code: 'made-up' } }
    await slipway.refused(finishLogin, forged, 400, 'login_refused')
    github.expireCodes()
    await slipway.refused(finishLogin, came, 400, 'login_refused')
  })

  test('rejects a code of another browser, which lacks the verifier', async () => {
    const login = newLogin()
    github.addAccount(login)
    const [mine, theirs] = [await comeBack(login), await comeBack(login)]
    const mixed = { ...mine, body: { ...mine.body, code: theirs.body['code'] ?? '' } }
    await unchanged(() => slipway.refused(finishLogin, mixed, 400, 'login_refused'))
  })
})

describe('with two-factor authentication', () => {
  test('requires the code and succeeds once when the call is repeated with it', async () => {
    const login = newLogin()
    github.addAccount(login)
    const { id } = await makeUser(slipway.db, { email: `${login}@example.com` })
    const secret = new Secret({ size: 20 })
    const two_factor_secret = slipway.ctx.secrets.seal(`users.two_factor_secret:${id}`, secret.base32)
    await slipway.db
      .updateTable('users')
      .set({ two_factor_secret, two_factor_on_at: new Date() })
      .where('id', '=', id)
      .execute()
    const came = await fromGitHub.finish(slipway, await comeBack(login))
    const withCode = (otp: string) => ({ ...came, query: { ...came.query, otp } })
    await slipway.refused(exchangeCode, came, 401, 'two_factor_required')
    await slipway.refused(exchangeCode, came, 401, 'two_factor_required')
    await slipway.refused(exchangeCode, withCode('000000'), 401, 'wrong_code')
    const elsewhere = { ...withCode(new TOTP({ secret }).generate()), headers: {} }
    await slipway.refused(exchangeCode, elsewhere, 400, 'login_lost')
    const { token, is_signup } = await slipway.ok(exchangeCode, withCode(new TOTP({ secret }).generate()))
    expect(is_signup).toBe(false)
    expect((await slipway.ok(getUser, { token: token.token })).user.id).toBe(id)
    await slipway.refused(exchangeCode, withCode('111111'), 400, 'login_lost')
  })

  test('throttles guessed codes', async () => {
    const login = newLogin()
    github.addAccount(login)
    const { id } = await makeUser(slipway.db, { email: `${login}@example.com` })
    await slipway.db.updateTable('users').set({ two_factor_on_at: new Date() }).where('id', '=', id).execute()
    const came = await fromGitHub.finish(slipway, await comeBack(login))
    await slipway.refused(exchangeCode, came, 401, 'two_factor_required')
    const guess = { ...came, query: { ...came.query, otp: '123456' } }
    for (let n = 0; n < 5; n++) await slipway.refused(exchangeCode, guess, 401, 'wrong_code')
    await slipway.ctx.pool.query("update login_failures set failed_at = now() + interval '1 minute'")
    await slipway.refused(exchangeCode, guess, 429, 'too_many')
  })
})

describe('GitHub failures', () => {
  /** Returns to a Slipway with these settings. */
  async function refusedWith(env: Record<string, string>) {
    const other = await startSlipway({ ...github.env, ...env })
    onTestFinished(() => other.close())
    const { headers } = await other.call(redirectToGitHub.key)
    const state = new URL(headers['location'] ?? '').searchParams.get('state') ?? ''
    const cookie = (headers['set-cookie'] ?? '').split(';')[0] ?? ''
    return other.call(finishLogin.key, { body: { code: 'x', state }, headers: { cookie } })
  }

  test('reports rejected keys and who has to fix them', async () => {
    const got = await refusedWith({ GITHUB_CLIENT_SECRET: 'mistyped' })
    expect(got).toMatchObject({ status: 502, body: { code: 'github_keys_wrong' } })
    expect(got.text).toContain('The operator must correct')
  })

  test('reports why GitHub is unreachable', async () => {
    const deleted = await startFakeGitHub()
    await deleted.close()
    const got = await refusedWith({ GITHUB_URL: deleted.url })
    expect(got).toMatchObject({ status: 502, body: { code: 'outside_failed' } })
    expect(got.text).toContain('connection refused')
  })

  test.each(paths)('reports that GitHub is down at %s', async (path) => {
    const login = newLogin()
    github.addAccount(login)
    for (const how of ['down', 'nonsense', 'cut'] as const) {
      const came = await comeBack(login)
      github.fail(path, how)
      const got = await slipway.refused(finishLogin, came, 502, 'outside_failed')
      expect(got.text).toContain('GitHub')
    }
  })

  test.each(paths)('times out when GitHub is slow at %s', async (path) => {
    const login = newLogin()
    github.addAccount(login)
    const came = await comeBack(login)
    github.fail(path, 'slow')
    slipway.ctx.config = { ...config, OUTSIDE_TIMEOUT: 0.5 }
    await slipway.refused(finishLogin, came, 504, 'outside_slow')
  })
})
