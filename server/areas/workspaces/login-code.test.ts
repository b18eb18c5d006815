import { afterAll, describe, expect, test } from 'vitest'
import { exchangeCode } from '../../../contract/auth.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeApiToken, makeTeam, unique } from '../../../test/support/factories/factories.ts'
import { startFakeGitHub } from '../../../test/support/fakes/github.ts'
import { comeBack, finish } from '../../../test/support/clients/from-github.ts'

const github = await startFakeGitHub()
const slipway = await startSlipway({ ...github.env, SIGNUP: 'open' })
afterAll(async () => {
  await slipway.close()
  await github.close()
})

/** Starts a login in a new browser; returns its cookie and the one-time code of Slipway. */
async function logIn() {
  const { body, headers } = await newcomer()
  const { query } = await finish(slipway, { body, headers })
  return { ...query, ...headers }
}

function newcomer() {
  const login = unique('octo').replace('-', '')
  github.addAccount(login)
  return comeBack(slipway, github, login)
}
const exchange = (code: string, cookie?: string) => ({ query: { code }, headers: cookie ? { cookie } : {} })
const isRefused = (code: string, cookie?: string) =>
  slipway.refused(exchangeCode, exchange(code, cookie), 400, 'login_lost')

describe('one-time login code', () => {
  test('creates one session, in the browser that started the login', async () => {
    const { code, cookie } = await logIn()
    const got = await slipway.ok(exchangeCode, exchange(code, cookie))
    expect(got).toEqual({ token: { token: expect.stringMatching(/^slp_/) }, is_signup: true })
    await isRefused(code, cookie)
  })

  test('is rejected in any other browser', async () => {
    const [attacker, victim] = [await logIn(), await logIn()]
    await isRefused(attacker.code)
    await isRefused(attacker.code, victim.cookie)
    await slipway.ok(exchangeCode, exchange(victim.code, victim.cookie))
  })

  test('expires', async () => {
    const { code, cookie } = await logIn()
    const expires_at = new Date(Date.now() - 1_000)
    await slipway.db.updateTable('single_use_tokens').set({ expires_at }).execute()
    await isRefused(code, cookie)
  })

  test('is not accepted as an API token or session token', async () => {
    const { cookie } = await logIn()
    const { owner, workspace } = await makeTeam(slipway.db)
    await isRefused((await makeApiToken(slipway.db, workspace, owner, { role: 'owner' })).token, cookie)
    await isRefused(owner.token, cookie)
  })

  test('is the only code that is accepted, unlike the authorization code of GitHub', async () => {
    const { body, headers } = await newcomer()
    const { code = '' } = body
    await slipway.refused(exchangeCode, { query: body, headers }, 422)
    await isRefused(code, headers.cookie)
    await finish(slipway, { body, headers })
  })

  test('is stored as a hash', async () => {
    const { code } = await logIn()
    const rows = await slipway.db.selectFrom('single_use_tokens').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(code)
  })
})
