import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as auth from '../../../contract/auth.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeUser, password, unique } from '../../../test/support/factories/factories.ts'
import { storeSetting } from '../../settings.ts'

// No mail is sent: the tests count queued mails.
const slipway = await startSlipway({ SMTP_URL: 'smtp://127.0.0.1:9', SIGNUP: 'open' })
afterAll(() => slipway.close())
beforeEach(async () => {
  await slipway.ctx.pool.query('delete from sent_mails; delete from jobs; delete from instance_settings')
  slipway.ctx.settingsCache.clear()
})

const countMails = async () =>
  (await slipway.db.selectFrom('jobs').select('id').where('kind', '=', 'send-mail').execute()).length
const timePasses = (interval: string) =>
  slipway.ctx.pool.query('update sent_mails set sent_at = sent_at - $1::interval', [interval])

const requests = {
  'password resets': (email: string) => slipway.call(auth.forgotPassword.key, { body: { email } }),
  'signups with an address that has an account': (email: string) =>
    slipway.call(auth.signUp.key, { body: { organisation: 'Docks', email, password } }),
  confirmations: (email: string) => slipway.call(auth.logIn.key, { body: { email, password } }),
}

describe.each(Object.entries(requests))('%s', (kind, request) => {
  const newUser = async () => (await makeUser(slipway.db, { unverified: kind === 'confirmations' })).email

  test('sends at most 10 mails a day to one address without changing the response', async () => {
    const email = await newUser()
    const answers = new Set<string>()
    for (let n = 0; n < 12; n++) {
      const { status, text } = await request(email)
      answers.add(`${status} ${text}`)
      await timePasses('2 minutes')
      await slipway.db.deleteFrom('login_failures').execute()
    }
    expect(await countMails()).toBe(10)
    expect([...answers]).toHaveLength(1)
    await timePasses('1 day')
    await request(email)
    expect(await countMails()).toBe(11)
  })

  test('limits mails for the whole instance without changing the response', async () => {
    await storeSetting(slipway.ctx, slipway.db, 'account_mails_per_instance_per_day', 2)
    slipway.ctx.settingsCache.clear()
    const answers = new Set<string>()
    for (let n = 0; n < 4; n++) {
      const { status, text } = await request(await newUser())
      answers.add(`${status} ${text}`)
    }
    expect(await countMails()).toBe(2)
    expect([...answers]).toHaveLength(1)
    expect(slipway.lines.join('\n')).toContain('Reached the daily limit of account emails')
  })
})

test('does not delay password resets during a flood of signups', async () => {
  await storeSetting(slipway.ctx, slipway.db, 'account_mails_per_instance_per_day', 1)
  slipway.ctx.settingsCache.clear()
  const signUp = () =>
    slipway.ok(auth.signUp, {
      body: { organisation: 'Docks', email: `${unique('ada')}@example.com`, password },
    })
  await Promise.all([signUp(), signUp(), signUp()])
  expect(await countMails()).toBe(1)
  const { email } = await makeUser(slipway.db)
  await slipway.ok(auth.forgotPassword, { body: { email } })
  expect(await countMails()).toBe(2)
})
