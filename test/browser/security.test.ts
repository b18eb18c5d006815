import { afterAll, expect, test } from 'vitest'
import { newId } from '../../server/platform/ids.ts'
import { makeTeam, unique } from '../support/factories/factories.ts'
import { startMailbox } from '../support/fakes/mailbox.ts'
import { faults } from '../support/browser/faults.ts'
import { button, field, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'

const mailbox = await startMailbox()
afterAll(() => mailbox.close())
const stage = await openStage({ SMTP_URL: mailbox.url, SIGNUP: 'open' })
const { db } = stage.database

const attackers = 'the password of an attacker'
const owners = 'the password of the owner'

test('resets the password by a link in another browser', async () => {
  const email = `${unique('victim')}@example.com`
  const signedUp = await fetch(`${stage.url}/v1/auth/email/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ organisation: 'Trap', email, password: attackers }),
  })
  expect(signedUp.status).toBe(200)
  const { token } = await mailbox.next(email)
  const page = await stage.page()
  const path = `/verify?token=${token}`
  const asks = () => sees(page.getByRole('heading', { name: 'Choose a password' }))
  expect(await faults(page, path, [{ name: 'choose a password', path, shows: asks }])).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${stage.url}${path}`)
  await field(page, 'Password').fill(owners)
  await button(page, 'Confirm email').click()
  await sees(page.getByText('Email confirmed. Please log in.'))
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(owners)
  await button(page, 'Log in').click()
  await page.waitForURL('**/dashboard')
  await page.goto(`${stage.url}/dashboard/settings/activity`)
  await sees(page.getByText('Logged in', { exact: true }))
  await sees(page.getByText('Email address confirmed', { exact: true }))
})

test('has an accessible security activity that fits every width', async () => {
  const { owner } = await makeTeam(db)
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0'
  const from = { user_id: owner.id, address: '203.0.113.7', agent }
  await db
    .insertInto('account_events')
    .values([
      { ...from, id: newId('accountEvent'), type: 'account.created', via: 'public' },
      { ...from, id: newId('accountEvent'), type: 'account.login', via: 'public', detail: 'with password' },
      {
        ...from,
        id: newId('accountEvent'),
        type: 'account.login_failed',
        via: 'public',
        detail: 'wrong password',
        count: 12,
      },
      {
        ...from,
        id: newId('accountEvent'),
        type: 'api_token.created',
        via: 'session',
        detail: 'ci, scope deploy',
      },
      {
        id: newId('accountEvent'),
        user_id: owner.id,
        type: 'role.changed',
        via: 'member',
        detail: 'from admin to owner in Harbour by Grace Hopper',
      },
      { id: newId('accountEvent'), user_id: owner.id, type: 'two_factor.disabled', via: 'operator' },
    ])
    .execute()
  const page = await stage.page({ token: owner.token })
  const path = '/dashboard/settings/activity'
  const shows = () => sees(page.getByText('Two-factor authentication turned off', { exact: true }))
  expect(await faults(page, path, [{ name: 'security activity', path, shows }])).toEqual([])
})
