import { afterAll, expect, test } from 'vitest'
import * as auth from '../../../contract/auth.ts'
import type { Endpoint } from '../../../contract/endpoint.ts'
import { startMailbox } from '../../../test/support/fakes/mailbox.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeUser, unique } from '../../../test/support/factories/factories.ts'

const mailbox = await startMailbox()
const slipway = await startSlipway({ SMTP_URL: mailbox.url })
afterAll(async () => {
  await slipway.close()
  await mailbox.close()
})

const password = 'a long enough secret'
const body: Record<string, (email: string) => object> = {
  [auth.logIn.key]: (email: string) => ({ email, password: 'not that password' }),
  [auth.signUp.key]: (email: string) => ({ organisation: 'Docks', email, password }),
  [auth.forgotPassword.key]: (email: string) => ({ email }),
}

async function timed(endpoint: Endpoint, email: string) {
  const begin = performance.now()
  const got = await slipway.call(endpoint.key, { body: body[endpoint.key]?.(email) })
  return { took: performance.now() - begin, answer: `${got.status} ${got.text}` }
}

test('does not reveal an existing account by a signup followed by a login', async () => {
  const there = await makeUser(slipway.db)
  const answers = new Set<string>()
  for (const email of [there.email, `${unique('fresh')}@example.com`]) {
    await slipway.ok(auth.signUp, { body: { organisation: 'Docks', email, password } })
    // The sixth login is throttled in both cases.
    for (let n = 0; n < 5; n++) {
      const got = await slipway.refused(auth.logIn, { body: { email, password } }, 401, 'wrong_credentials')
      answers.add(got.text)
    }
    await slipway.ctx.pool.query("update login_failures set failed_at = now() + interval '1 minute'")
    await slipway.refused(auth.logIn, { body: { email, password } }, 429, 'too_many')
  }
  expect([...answers]).toHaveLength(1)
})

test.each([auth.logIn, auth.signUp, auth.forgotPassword])(
  '$key does not reveal by response or timing whether an account exists',
  async (endpoint) => {
    const rounds = Array.from({ length: 11 }, () => unique('person'))
    const password_hash = await slipway.ctx.passwords.hash(password)
    const there: number[] = []
    const notThere: number[] = []
    const answers = new Set<string>()
    for (const name of rounds) {
      const { id, email } = await makeUser(slipway.db, { email: `${name}@example.com` })
      await slipway.db.updateTable('users').set({ password_hash }).where('id', '=', id).execute()
      // The two requests alternate, so that they have the same machine load.
      const first = there.length % 2 === 0 ? await timed(endpoint, email) : undefined
      const unknown = await timed(endpoint, `no-${email}`)
      const known = first ?? (await timed(endpoint, email))
      there.push(known.took)
      notThere.push(unknown.took)
      answers.add(known.answer).add(unknown.answer)
    }
    expect([...answers]).toHaveLength(1)
    // The fastest requests count, because other work on the machine only adds time.
    const ratio = Math.min(...there) / Math.min(...notThere)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  },
)
