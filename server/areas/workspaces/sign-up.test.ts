import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import * as auth from '../../../contract/auth.ts'
import { getUser } from '../../../contract/user.ts'
import { getCurrentWorkspace } from '../../../contract/workspaces.ts'
import { statuses } from '../../../test/support/clients/client.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeUser, unique } from '../../../test/support/factories/factories.ts'
import { fingerprint } from '../../../test/support/stages/fingerprint.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())

const password = 'a long enough secret'

describe('sign-up', () => {
  test('creates a user with a workspace who can log in', async () => {
    const body = { organisation: ' Docks & Co ', email: ' Ada.Lovelace@Example.com', password }
    expect(await slipway.ok(auth.signUp, { body })).toEqual({ success: true })
    const { access_token: token } = await slipway.ok(auth.logIn, {
      body: { email: 'ada.lovelace@example.com', password },
    })
    const { user } = await slipway.ok(getUser, { token })
    expect(user).toEqual({
      id: expect.stringMatching(/^usr_[0-9a-z]{26}$/),
      name: 'Ada Lovelace',
      email: 'ada.lovelace@example.com',
      email_verified: true,
      two_factor: false,
      has_password: true,
      github: null,
      instance_owner: true,
      created_at: expect.any(String),
    })
    const { workspace } = await slipway.ok(getCurrentWorkspace, { token })
    expect(workspace).toMatchObject({ name: 'Docks & Co', role: 'owner' })
    const row = await slipway.db
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', workspace.id)
      .executeTakeFirstOrThrow()
    const trial = row.trial_ends_at.getTime() - row.created_at.getTime()
    expect(trial / 86_400_000).toBeCloseTo(14, 2)
  })

  test('responds alike and changes nothing for an existing address in any case', async () => {
    const { email } = await makeUser(slipway.db)
    const before = await fingerprint(slipway.db)
    for (const input of [email, email.toUpperCase(), ` ${email}`]) {
      const body = { organisation: 'Thieves', email: input, password }
      expect(await slipway.ok(auth.signUp, { body })).toEqual({ success: true })
    }
    expect(await fingerprint(slipway.db)).toEqual(before)
  })

  test('creates one account and one workspace from concurrent requests', async () => {
    const organisation = unique('Twice')
    const body = { organisation, email: `${unique('twice')}@example.com`, password }
    await Promise.all([1, 2, 3].map(() => slipway.ok(auth.signUp, { body })))
    const created = await slipway.db
      .selectFrom('workspaces')
      .select('id')
      .where('name', '=', organisation)
      .execute()
    expect(created).toHaveLength(1)
  })

  test.each([
    ['too short', 'ninechars', 'The password must have at least 10 characters.'],
    ['too long', 'x'.repeat(201), 'The password must have at most 200 characters.'],
    ['common', '1234567890', 'This password is too common. Choose another.'],
    ['common in another case', 'QwertyUiop', 'This password is too common. Choose another.'],
  ])('rejects a password that is %s', async (_, input, sentence) => {
    const email = `${unique('weak')}@example.com`
    const before = await fingerprint(slipway.db)
    const got = await slipway.refused(
      auth.signUp,
      { body: { organisation: 'Docks', email, password: input } },
      422,
    )
    expect(got.body).toEqual({ errors: { password: [sentence] } })
    expect(await fingerprint(slipway.db)).toEqual(before)
  })

  test('accepts a password of any characters and only that one at login', async () => {
    const email = `${unique('odd')}@example.com`
    const odd = 'pä🔑\u0000 "quoted" \u202e'
    await slipway.ok(auth.signUp, { body: { organisation: 'Docks', email, password: odd } })
    await slipway.ok(auth.logIn, { body: { email, password: odd } })
    await slipway.refused(auth.logIn, { body: { email, password: odd.trim() + 'x' } }, 401)
  })

  test('allows only the first sign-up with invite-only sign-up', async () => {
    const closed = await startSlipway({ SIGNUP: 'invite', PUBLIC_URL: 'http://localhost:4000' })
    onTestFinished(() => closed.close())
    const sign = (email: string) => ({ body: { organisation: 'Docks', email, password } })
    expect(await closed.ok(auth.getAuthOptions)).toMatchObject({
      signup: 'invite',
      mail: false,
      github: false,
    })
    await closed.ok(auth.signUp, sign('first@example.com'))
    const before = await fingerprint(closed.db)
    await closed.refused(auth.signUp, sign('second@example.com'), 403, 'signup_closed')
    await closed.refused(auth.signUp, sign('first@example.com'), 403, 'signup_closed')
    expect(await fingerprint(closed.db)).toEqual(before)
  })

  test('allows one of several concurrent first sign-ups with invite-only sign-up', async () => {
    const closed = await startSlipway({ SIGNUP: 'invite', PUBLIC_URL: 'http://localhost:4000' })
    onTestFinished(() => closed.close())
    const all = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        closed.call(auth.signUp.key, {
          body: { organisation: 'Docks', email: `${name}@example.com`, password },
        }),
      ),
    )
    expect(statuses(all)).toEqual([200, 403, 403])
  })

  test('is limited per IP address', async () => {
    const address = '198.51.100.9'
    const body = { organisation: '', email: 'x', password: '' }
    for (let n = 0; n < 20; n++) await slipway.refused(auth.signUp, { body, address }, 422)
    await slipway.refused(auth.signUp, { body, address }, 429, 'too_many')
    await slipway.refused(auth.signUp, { body, address: '198.51.100.10' }, 422)
  })
})
