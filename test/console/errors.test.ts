import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { makeSomeone, makeTeam, makeWorkspace, password } from '../support/factories/factories.ts'
import { newId } from '../../server/platform/ids.ts'
import { button, field, heading, isAt, misses, sees, toast } from '../support/console/see.ts'
import type { ConsolePage } from '../support/console/page.ts'
import { openConsole } from '../support/console/open-console.ts'

const stage = await openConsole()
const { db } = stage.slipway
const team = await makeTeam(db)
const { token, email } = team.owner

const forms = [
  { path: '/signup', submit: 'Sign up', first: 'Organisation' },
  { path: '/login', submit: 'Log in', first: 'Email' },
  { path: '/join-workspace', submit: 'Join workspace', first: 'Invite token' },
]

test.each(forms)('$path: an empty field is told, and no call is made', async ({ path, submit, first }) => {
  const page = stage.page()
  await page.goto(path)
  await button(page, submit).click()
  await sees(toast(page, 'Please fill in all required fields.'))
  expect(await field(page, first).isFocused()).toBe(true)
  await field(page, 'Email').fill('ada@example.com')
  await field(page, 'Email').press('Enter')
  await sees(page.getByText('Fill in this field.').first())
  expect(page.calls.filter(({ method }) => method === 'POST')).toEqual([])
})

test('without keys for GitHub no button leads there', async () => {
  const page = stage.page()
  await page.goto('/login')
  await sees(page.getByText('Sign up'))
  await sees(button(page, 'Log in'))
  expect(await page.getByText('GitHub').count()).toBe(0)
})

test('where sign-up is by invite only, the log-in page leads to joining', async () => {
  const { config } = stage.slipway.ctx
  Object.assign(config, { SIGNUP: 'invite' })
  onTestFinished(() => void Object.assign(config, { SIGNUP: 'open' }))
  const page = stage.page()
  await page.goto('/login')
  await sees(page.getByText('Have an invite? Join your workspace'))
  expect(await page.getByText('Sign up').count()).toBe(0)
  await page.getByRole('link', { name: 'Join your workspace' }).click()
  await isAt(page, '/join-workspace')
})

test('who is logged in and not here to join goes to the dashboard', async () => {
  const page = stage.page({ token })
  await page.goto('/join-workspace')
  await page.getByRole('link', { name: 'Go to your dashboard' }).click()
  await isAt(page, '/dashboard')
})

test('a reset link that has served leads to the operator where no mail is sent', async () => {
  const page = stage.page()
  await page.goto('/forgot-password?token=rst_spent')
  await field(page, 'New password').fill('tugboats at noon')
  await button(page, 'Save password').click()
  await sees(page.getByText('npm run admin -- reset-password <email>'))
})

test('passwords are masked until shown, and email fields are of type email', async () => {
  const page = stage.page()
  await page.goto('/login')
  expect(await field(page, 'Email').getAttribute('type')).toBe('email')
  expect(await field(page, 'Password').getAttribute('type')).toBe('password')
  await button(page, 'Show what was typed').click()
  expect(await field(page, 'Password').getAttribute('type')).toBe('text')
})

test('a single error is shown as a toast, and what was typed stays', async () => {
  const page = stage.page()
  await page.goto('/login')
  await tryToLogIn(page)
  await sees(toast(page, 'Wrong email or password.'))
  expect(await field(page, 'Email').inputValue()).toBe(email)
  expect(await field(page, 'Password').inputValue()).toBe('not the password')
})

test('an error goes with the attempt that follows it', async () => {
  const page = stage.page()
  await page.goto('/login')
  await button(page, 'Log in').click()
  await sees(toast(page, 'Please fill in all required fields.'))
  await tryToLogIn(page)
  await sees(toast(page, 'Wrong email or password.'))
  // Well before it would have gone by itself.
  await toast(page, 'Please fill in all required fields.').waitFor({ state: 'hidden', timeout: 1500 })
  await field(page, 'Password').fill(password)
  await button(page, 'Log in').click()
  await toast(page, 'Wrong email or password.').waitFor({ state: 'hidden', timeout: 1500 })
  await isAt(page, '/dashboard')
})

test('what is wrong with several fields is shown in toasts, and at each of them too', async () => {
  const notAnEmail = 'Must be an email address, such as ada@example.com.'
  const tooShort = 'The password must have at least 10 characters.'
  const page = stage.page()
  await page.goto('/signup')
  await field(page, 'Organisation').fill('Harbour Works')
  await field(page, 'Email').fill('ada@example')
  await field(page, 'Password').fill('weak')
  await button(page, 'Sign up').click()
  await sees(toast(page, `Email: ${notAnEmail}`))
  await sees(toast(page, tooShort))
  await expect.poll(() => field(page, 'Email').isFocused()).toBe(true)
  expect(await field(page, 'Email').getAttribute('aria-invalid')).toBe('true')
  await sees(page.getByRole('main').getByText(notAnEmail))
  await sees(page.getByRole('main').getByText(tooShort))
  expect(await field(page, 'Organisation').inputValue()).toBe('Harbour Works')
})

test.each([200, 500])('an answer of %i without data is an unknown error', async (status) => {
  const page = stage.page()
  page.intercept(/auth\/email\/login/, status)
  await page.goto('/login')
  await tryToLogIn(page)
  await sees(toast(page, 'An unknown error occurred.'))
})

test('an unreachable Slipway is told in words', async () => {
  const page = stage.page()
  page.lose(/auth\/email\/login/)
  await page.goto('/login')
  await tryToLogIn(page)
  await sees(toast(page, 'Could not reach Slipway. Check your connection and try again.'))
})

test('a log-in that gives no token is logged and shows nothing', async () => {
  stage.expectError(/The login response has no token/)
  const page = stage.page()
  page.intercept(/auth\/email\/login/, 200, '{}')
  await page.goto('/login')
  await tryToLogIn(page)
  await stage.untilLogged()
  expect(await page.getByRole('listitem').count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/login')
})

test('a dead token is removed and leads to the log-in page', async () => {
  const page = stage.page({ token: 'slp_dead' })
  await page.goto('/dashboard')
  await isAt(page, '/login')
  expect(page.stored('token')).toBeNull()
  expect(await page.getByRole('listitem').count()).toBe(0)
})

test('who loses the session at work comes back to the same page after logging in', async () => {
  const someone = await makeSomeone(db, team.workspace, 'member')
  const page = stage.page({ token: someone.token })
  await page.goto('/dashboard/settings/security')
  await sees(heading(page, 'Sessions'))
  await db.deleteFrom('sessions').where('id', '=', someone.session).execute()
  // The stream may have noticed already.
  await page.follow('/dashboard/settings/api-tokens')
  await isAt(page, '/login')
  expect(page.stored('token')).toBeNull()
  await field(page, 'Email').fill(someone.email)
  await field(page, 'Password').fill(password)
  await button(page, 'Log in').click()
  await isAt(page, '/dashboard/settings/api-tokens')
})

test('without a token no page of the dashboard opens, and nothing is asked of the API', async () => {
  const page = stage.page()
  for (const path of ['/dashboard', '/dashboard/servers?q=web', '/dashboard/nowhere']) {
    await page.goto(path)
    await isAt(page, '/login')
  }
  expect(page.calls.filter(({ path }) => path !== '/v1/auth/options')).toEqual([])
})

test('the root leads to the log-in page', async () => {
  const page = stage.page()
  await page.goto('/')
  await isAt(page, '/login')
  await sees(heading(page, 'Log in'))
})

test('a log-in stores the token and asks for the user, the workspace and the servers', async () => {
  const page = stage.page()
  await page.goto('/login')
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await button(page, 'Log in').click()
  await isAt(page, '/dashboard')
  expect(page.stored('token')).toMatch(/^slp_/)
  const asked = page.calls.map(({ path }) => path.split('?')[0])
  for (const path of ['/v1/user', '/v1/workspaces/current', '/v1/servers']) expect(asked).toContain(path)
  const login = page.calls.find(({ path }) => path === '/v1/auth/email/login')
  expect(login?.headers.get('authorization')).toBeNull()
})

test('a session token in the address of /login/success does not log in', async () => {
  const page = stage.page()
  await page.goto(`/login/success?token=${token}`)
  await isAt(page, '/login')
  expect(page.stored('token')).toBeNull()
})

test('without a token /login/success shows nothing and logs why', async () => {
  stage.expectError(/The login response has no token/)
  const page = stage.page()
  await page.goto('/login/success')
  await stage.untilLogged()
  expect((await page.getByRole('main').allTextContents()).join('')).toBe('')
  expect(new URL(page.url()).pathname).toBe('/login/success')
})

test('unreadable settings are logged and the defaults kept; addresses are masked until asked for', async () => {
  stage.expectError(/The stored settings cannot be read/)
  const mine = await someoneWithAServer()
  const page = stage.page({ token: mine, storage: { settings: '{"show_ip' } })
  await page.goto('/dashboard/servers')
  await sees(page.getByText('Hidden address'))
  expect(await page.getByText('192.0.2.7').count()).toBe(0)
  await page.goto('/dashboard/settings/appearance')
  const choice = page.getByRole('switch', { name: 'Show IP addresses' })
  expect(await choice.isChecked()).toBe(false)
  await choice.click()
  expect(page.stored('settings')).toContain('"show_ip_addresses":true')
  await page.goto('/dashboard/servers')
  await sees(page.getByText('192.0.2.7'))
})

test('what cannot be loaded says so and can be tried again', async () => {
  const page = stage.page({ token })
  // Without the stream nothing is tried again by itself.
  page.lose(/stream-tickets/)
  await sql`alter table projects rename to projects_away`.execute(db)
  onTestFinished(async () => {
    await sql`alter table if exists projects_away rename to projects`.execute(db)
  })
  await page.goto('/dashboard/projects')
  await sees(page.getByRole('region', { name: 'Notifications' }).getByText(/err_/))
  await sees(page.getByText('The projects could not be loaded'))
  await sql`alter table projects_away rename to projects`.execute(db)
  await button(page, 'Try again').click()
  await sees(page.getByText('No projects yet'))
})

test('what could not be loaded is there once the stream is back', async () => {
  const page = stage.page({ token })
  const mend = page.lose(/projects|stream-tickets/)
  await page.goto('/dashboard/projects')
  await sees(page.getByText('The projects could not be loaded'))
  mend()
  await sees(page.getByText('No projects yet'))
})

test('what could not be loaded is there once the browser is online again', async () => {
  const page = stage.page({ token })
  const mend = page.lose(/projects/)
  await page.goto('/dashboard/projects')
  await expect.poll(() => page.calls.filter(({ path }) => path.startsWith('/v1/live')).length).toBe(1)
  await sees(page.getByText('The projects could not be loaded'))
  mend()
  window.dispatchEvent(new Event('offline'))
  window.dispatchEvent(new Event('online'))
  await sees(page.getByText('No projects yet'))
})

test('a lost stream says so quietly, and catches up with what was missed', async () => {
  const page = stage.page({ token })
  const mend = page.lose(/stream-tickets/)
  await page.goto('/dashboard/workspace')
  await sees(page.getByText('Reconnecting…'))
  const late = await makeSomeone(db, team.workspace, 'viewer')
  mend()
  await misses(page.getByText('Reconnecting…'))
  await sees(page.getByRole('row').filter({ hasText: late.email }))
})

async function tryToLogIn(page: ConsolePage) {
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill('not the password')
  await button(page, 'Log in').click()
}

async function someoneWithAServer() {
  const workspace = await makeWorkspace(db)
  const someone = await makeSomeone(db, workspace, 'owner')
  await db
    .insertInto('servers')
    .values({
      id: newId('server'),
      workspace_id: workspace,
      name: 'web-1',
      status: 'ready',
      address: '192.0.2.7',
    })
    .execute()
  return someone.token
}
