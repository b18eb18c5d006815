import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { logIn } from '../../../contract/auth.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/user.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { statuses } from '../../../test/support/clients/client.ts'
import {
  makeSession,
  makeSomeone,
  makeWorkspace,
  password,
} from '../../../test/support/factories/factories.ts'
import { fingerprint } from '../../../test/support/stages/fingerprint.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
beforeEach(() => slipway.db.deleteFrom('login_failures').execute())

// The clock is stopped, so that no code expires during a test.
const now = new Date()
slipway.ctx.now = () => now

/** Returns the code of the app at this offset in time steps. */
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() + steps * 30_000 })

async function withTwoFactor() {
  const someone = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
  const { token, email, id } = someone
  const { secret, url } = await slipway.ok(contract.startTwoFactor, { token, body: { password } })
  expect(url).toMatch(/^otpauth:\/\/totp\/Slipway/)
  const { recovery_codes: recovery } = await slipway.ok(contract.confirmTwoFactor, {
    token,
    body: { code: codeOf(secret, -1) },
  })
  const enter = (otp?: string) => ({ body: { email, password, ...(otp === undefined ? {} : { otp }) } })
  return { id, token, email, secret, recovery, enter }
}

/** Allows used codes again. */
const forgetSteps = () => slipway.db.updateTable('users').set({ two_factor_last_step: 0 }).execute()

/** Changes the row of a user between the read and the write of a request. */
async function meanwhile<T>(
  id: Id<'user'>,
  change: { two_factor_secret?: string; two_factor_on_at?: Date },
  call: () => Promise<T>,
): Promise<T> {
  const [late] = await slipway.db.transaction().execute(async (trx) => {
    await trx.updateTable('users').set(change).where('id', '=', id).execute()
    const calling = call()
    await vi.waitFor(async () => {
      const { rows } = await slipway.ctx.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      expect(rows).toHaveLength(1)
    })
    return [calling]
  })
  return late
}

const rowOf = (id: Id<'user'>) =>
  slipway.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('two-factor authentication', () => {
  test('is enabled by the first correct code and required at the next login', async () => {
    const { token, secret, recovery, enter } = await withTwoFactor()
    expect(recovery).toHaveLength(10)
    expect(new Set(recovery).size).toBe(10)
    expect((await slipway.ok(contract.getUser, { token })).user.two_factor).toBe(true)
    await slipway.refused(logIn, enter(), 401, 'two_factor_required')
    await slipway.refused(logIn, enter(''), 401, 'two_factor_required')
    await slipway.refused(logIn, enter('000000'), 401, 'wrong_code')
    await slipway.ok(logIn, enter(codeOf(secret)))
  })

  test('ends other sessions when enabled', async () => {
    const { token, id } = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
    const other = await makeSession(slipway.db, { id })
    const { secret } = await slipway.ok(contract.startTwoFactor, { token, body: { password } })
    await slipway.ok(contract.getUser, { token: other.token })
    await slipway.ok(contract.confirmTwoFactor, { token, body: { code: codeOf(secret) } })
    await slipway.refused(contract.getUser, { token: other.token }, 401)
    await slipway.ok(contract.getUser, { token })
  })

  test('is not revealed without the correct password', async () => {
    const { email } = await withTwoFactor()
    const body = { email, password: 'not the password', otp: '123456' }
    await slipway.refused(logIn, { body }, 401, 'wrong_credentials')
  })

  test('accepts a code once, even when it is sent concurrently', async () => {
    const { secret, enter } = await withTwoFactor()
    const sent = enter(codeOf(secret))
    const answers = await Promise.all([1, 2, 3, 4].map(() => slipway.call(logIn.key, sent)))
    expect(statuses(answers)).toEqual([200, 401, 401, 401])
    await slipway.ok(logIn, enter(codeOf(secret, 1)))
    await slipway.refused(logIn, enter(codeOf(secret)), 401, 'wrong_code')
  })

  test('accepts codes of the adjacent time steps and no others', async () => {
    const { secret, enter } = await withTwoFactor()
    await forgetSteps()
    await slipway.refused(logIn, enter(codeOf(secret, -3)), 401, 'wrong_code')
    await slipway.refused(logIn, enter(codeOf(secret, 3)), 401, 'wrong_code')
    await slipway.ok(logIn, enter(codeOf(secret, -1)))
    await slipway.ok(logIn, enter(codeOf(secret)))
    await slipway.ok(logIn, enter(codeOf(secret, 1)))
  })

  test('accepts each recovery code once, with or without dashes', async () => {
    const { recovery, enter } = await withTwoFactor()
    const [first = '', second = '', third = ''] = recovery
    await slipway.ok(logIn, enter(first))
    await slipway.refused(logIn, enter(first), 401, 'wrong_code')
    await slipway.ok(logIn, enter(second.replaceAll('-', ' ').toUpperCase()))
    const answers = await Promise.all([1, 2, 3].map(() => slipway.call(logIn.key, enter(third))))
    expect(statuses(answers)).toEqual([200, 401, 401])
  })

  test('replaces recovery codes for a password and a code', async () => {
    const { token, secret, recovery, enter } = await withTwoFactor()
    const body = { password, code: codeOf(secret) }
    const { recovery_codes: renewed } = await slipway.ok(contract.renewRecoveryCodes, { token, body })
    await slipway.refused(logIn, enter(recovery[0]), 401, 'wrong_code')
    await slipway.ok(logIn, enter(renewed[0]))
  })

  test('is disabled by a password and a code, and by neither alone', async () => {
    const { token, secret, recovery, enter } = await withTwoFactor()
    const before = await fingerprint(slipway.db)
    await slipway.refused(
      contract.stopTwoFactor,
      { token, body: { password: 'no', code: codeOf(secret) } },
      422,
    )
    await slipway.refused(contract.stopTwoFactor, { token, body: { password, code: '000000' } }, 422)
    expect(await fingerprint(slipway.db)).toEqual(before)
    await slipway.ok(contract.stopTwoFactor, { token, body: { password, code: recovery[3] } })
    await slipway.ok(logIn, enter())
    expect((await slipway.ok(contract.getUser, { token })).user.two_factor).toBe(false)
  })

  test('cannot be started while enabled or confirmed before it is started', async () => {
    const { token } = await withTwoFactor()
    await slipway.refused(contract.startTwoFactor, { token, body: { password } }, 409, 'two_factor_on')
    const other = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
    const begun = { token: other.token, body: { code: '123456' } }
    await slipway.refused(contract.confirmTwoFactor, begun, 409, 'two_factor_not_begun')
    const stop = { token: other.token, body: { password, code: '123456' } }
    await slipway.refused(contract.stopTwoFactor, stop, 409, 'two_factor_off')
  })

  test('keeps its secret when it is confirmed during a restart', async () => {
    const { token, id } = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
    await slipway.ok(contract.startTwoFactor, { token, body: { password } })
    const again = await meanwhile(id, { two_factor_on_at: new Date(), two_factor_secret: 'confirmed' }, () =>
      slipway.call(contract.startTwoFactor.key, { token, body: { password } }),
    )
    expect(again).toMatchObject({ status: 409, body: { code: 'two_factor_on' } })
    expect(await rowOf(id)).toMatchObject({ two_factor_secret: 'confirmed' })
  })

  test('is not enabled by a code of a replaced secret, or twice', async () => {
    for (const change of [{ two_factor_secret: 'another' }, { two_factor_on_at: new Date(0) }]) {
      const { token, id } = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
      const { secret } = await slipway.ok(contract.startTwoFactor, { token, body: { password } })
      const late = await meanwhile(id, change, () =>
        slipway.call(contract.confirmTwoFactor.key, { token, body: { code: codeOf(secret) } }),
      )
      expect(late).toMatchObject({ status: 409, body: { code: 'two_factor_changed' } })
      expect(await rowOf(id)).toMatchObject({ two_factor_on_at: null, ...change })
      const codes = await slipway.db
        .selectFrom('recovery_codes')
        .selectAll()
        .where('user_id', '=', id)
        .execute()
      expect(codes).toEqual([])
    }
  })

  test('is disabled until confirmed', async () => {
    const someone = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
    await slipway.ok(contract.startTwoFactor, { token: someone.token, body: { password } })
    const guess = { token: someone.token, body: { code: '000000' } }
    const got = await slipway.refused(contract.confirmTwoFactor, guess, 422)
    expect(got.body).toEqual({ errors: { code: ['This code is wrong or was already used.'] } })
    await slipway.ok(logIn, { body: { email: someone.email, password } })
  })

  test('throttles guessed codes, even concurrent ones, despite the correct password', async () => {
    const { secret, enter } = await withTwoFactor()
    const begin = performance.now()
    const guesses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => slipway.call(logIn.key, enter(String(100_000 + n)))),
    )
    // Allows one more guess for every two seconds that the test took.
    const most = 5 + (performance.now() - begin) / 2_000
    expect(guesses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(most)
    await slipway.ctx.pool.query("update login_failures set failed_at = now() + interval '1 minute'")
    await slipway.refused(logIn, enter(), 429, 'too_many')
    await slipway.refused(logIn, enter(codeOf(secret)), 429, 'too_many')
  })

  test('does not throttle logins that omit the code', async () => {
    const { enter, secret } = await withTwoFactor()
    for (let n = 0; n < 7; n++) await slipway.refused(logIn, enter(), 401, 'two_factor_required')
    await slipway.ok(logIn, enter(codeOf(secret)))
  })
})
