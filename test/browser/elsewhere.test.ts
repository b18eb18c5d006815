import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { startFakeGitHub } from '../support/fakes/github.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startMailbox } from '../support/fakes/mailbox.ts'
import { button, field, heading, isAt, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'

let github: Awaited<ReturnType<typeof startFakeGitHub>> | undefined
const mailbox = await startMailbox()
const stage = await openStage(async (url) => {
  github = await startFakeGitHub(`${url}/login/success`)
  return { ...github.env, SMTP_URL: mailbox.url }
})
// An instance without an account opens on its first one.
await makeTeam(stage.database.db)
afterAll(async () => {
  await github?.close()
  await mailbox.close()
})

test('signs up with GitHub and logs in to the same account later', async () => {
  const page = await stage.page()
  await atGitHub(page, 'grace', { name: 'Grace Hopper' })
  await page.goto('/signup')
  await page.getByRole('link', { name: 'Sign up with GitHub' }).click()
  await isAt(page, '/dashboard')
  await sees(heading(page, 'Welcome back, Grace Hopper'))

  await page.getByRole('button', { name: /^Account / }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await isAt(page, '/login')
  await page.getByRole('link', { name: 'Log in with GitHub' }).click()
  await isAt(page, '/dashboard')
  await sees(heading(page, 'Welcome back, Grace Hopper'))
  const users = await stage.database.db
    .selectFrom('users')
    .select('id')
    .where('name', '=', 'Grace Hopper')
    .execute()
  expect(users).toHaveLength(1)
})

test('returns to the login page after a refusal at GitHub', async () => {
  const page = await stage.page()
  await atGitHub(page, 'nobody')
  await page.context().addCookies([{ name: 'denies', value: 'yes', url: github?.url ?? '' }])
  await page.goto('/login')
  await page.getByRole('link', { name: 'Log in with GitHub' }).click()
  await isAt(page, '/login')
  await sees(toast(page, 'GitHub login canceled.'))
})

test('refuses a code that this browser did not request', async () => {
  const page = await stage.page()
  await page.goto('/login/success?code=stolen&state=made-up')
  await isAt(page, '/login')
  await sees(toast(page, 'This login was started in another browser or has expired. Try again.'))
  expect(await storedToken(page)).toBeNull()
})

longTest('keeps the session when another page starts a login', async () => {
  const { owner } = await makeTeam(stage.database.db)
  const page = await stage.visitor({ token: owner.token })
  await atGitHub(page, 'other')
  await page.goto('/v1/auth/redirect')
  await isAt(page, '/dashboard')
  expect(await storedToken(page)).toBe(owner.token)

  await page.goto('/login')
  await page.getByRole('link', { name: 'Log in with GitHub' }).click()
  await sees(heading(page, 'Welcome back, other'))
  expect(await storedToken(page)).not.toBe(owner.token)
})

test('verifies a new address by mail before the first login', async () => {
  const page = await stage.page()
  const ada = { email: 'ada@harbour.example', password: 'correct horse battery' }
  await page.goto('/signup')
  await field(page, 'Organisation').fill('Harbour Works')
  await field(page, 'Email').fill(ada.email)
  await field(page, 'Password').fill(ada.password)
  await button(page, 'Sign up').click()
  await isAt(page, '/login')
  await sees(page.getByText('Open the link in the email that we sent you, then log in.'))
  expect(await field(page, 'Email').inputValue()).toBe(ada.email)
  const letter = await mailbox.next(ada.email)
  await logIn(page, ada)
  await sees(
    toast(
      page,
      'Wrong email or password, or the email address is not confirmed yet. To confirm your address, open the link that was sent to it.',
    ),
  )

  await page.goto(letter.link)
  await sees(heading(page, 'Email confirmed'))
  await page.goto(letter.link)
  await sees(heading(page, 'Could not confirm your email'))
  await page.getByRole('link', { name: 'Go to login' }).click()
  await logIn(page, ada)
  await isAt(page, '/dashboard')
  await sees(heading(page, 'Welcome back, Ada'))
})

test('resets a forgotten password by mail', async () => {
  const page = await stage.page()
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await sees(heading(page, 'Forgot your password?'))
  await field(page, 'Email').fill('grace@example.com')
  await button(page, 'Send reset link').click()
  await sees(page.getByText('If an account exists for grace@example.com, we sent a reset link to it.'))
  const letter = await mailbox.next('grace@example.com')

  await page.goto(letter.link)
  await sees(heading(page, 'Choose a new password'))
  await field(page, 'New password').fill('short')
  await button(page, 'Save password').click()
  await sees(page.getByRole('main').getByText('The password must have at least 10 characters.'))
  await expect.poll(() => field(page, 'New password').inputValue()).toBe('short')
  await field(page, 'New password').fill('tugboats at dawn')
  await button(page, 'Save password').click()
  await sees(toast(page, 'Password changed. Please log in.'))
  await isAt(page, '/login')
  await logIn(page, { email: 'grace@example.com', password: 'tugboats at dawn' })
  await isAt(page, '/dashboard')

  await page.goto(letter.link)
  await field(page, 'New password').fill('tugboats at noon')
  await button(page, 'Save password').click()
  await sees(toast(page, 'This link has expired or was already used. Request a new one.'))
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await isAt(page, '/forgot-password')
  await sees(button(page, 'Send reset link'))
})

longTest('asks once to confirm the address after joining with a copied link', async () => {
  const page = await stage.page()
  await page.goto(await copiedLink('joan@example.com'))
  await field(page, 'Password').fill('correct horse battery')
  await button(page, 'Join workspace').click()
  await sees(toast(page, 'You joined the workspace. Check your email to confirm your address, then log in.'))
  await isAt(page, '/login')
  await expect.poll(() => page.getByRole('listitem').count()).toBe(1)
  expect(await field(page, 'Email').inputValue()).toBe('joan@example.com')
})

const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('token'))

async function atGitHub(page: Page, login: string, account: { name?: string } = {}) {
  github?.addAccount(login, account)
  await page.context().addCookies([{ name: 'user', value: login, url: github?.url ?? '' }])
}

async function copiedLink(email: string) {
  const { owner } = await makeTeam(stage.database.db)
  const page = await stage.visitor({ token: owner.token })
  await page.goto('/dashboard/workspace')
  await button(page, 'Invite').click()
  await field(page.getByRole('dialog'), 'Email').fill(email)
  await field(page.getByRole('dialog'), 'Email').press('Enter')
  return (await page.getByText(/\/join-workspace\?token=/).textContent()) ?? ''
}

async function logIn(page: Page, { email, password }: { email: string; password: string }) {
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await button(page, 'Log in').click()
}
