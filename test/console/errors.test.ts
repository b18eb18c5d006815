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

test.each(forms)('$path: reports an empty field without a request', async ({ path, submit, first }) => {
  const page = stage.page()
  await page.goto(path)
  await button(page, submit).click()
  await sees(toast(page, 'Please fill in all required fields.'))
  await expect.poll(() => field(page, first).isFocused()).toBe(true)
  await field(page, 'Email').fill('ada@example.com')
  await field(page, 'Email').press('Enter')
  await sees(page.getByText('Fill in this field.').first())
  expect(page.calls.filter(({ method }) => method === 'POST')).toEqual([])
})

test('shows no GitHub button without keys', async () => {
  const page = stage.page()
  await page.goto('/login')
  await sees(page.getByText('Sign up'))
  await sees(button(page, 'Log in'))
  await expect.poll(() => page.getByText('GitHub').count()).toBe(0)
})

test('links joining on the login page with invite-only signup', async () => {
  const { config } = stage.slipway.ctx
  Object.assign(config, { SIGNUP: 'invite' })
  onTestFinished(() => void Object.assign(config, { SIGNUP: 'open' }))
  const page = stage.page()
  await page.goto('/login')
  await sees(page.getByText('Have an invite? Join your workspace'))
  await expect.poll(() => page.getByText('Sign up').count()).toBe(0)
  await page.getByRole('link', { name: 'Join your workspace' }).click()
  await isAt(page, '/join-workspace')
})

test('redirects logged-in users to the dashboard', async () => {
  const page = stage.page({ token })
  await page.goto('/join-workspace')
  await page.getByRole('link', { name: 'Go to your dashboard' }).click()
  await isAt(page, '/dashboard')
})

test('refers a used reset link to the operator without mail', async () => {
  const page = stage.page()
  await page.goto('/forgot-password?token=rst_spent')
  await field(page, 'New password').fill('tugboats at noon')
  await button(page, 'Save password').click()
  await sees(page.getByText('npm run admin -- reset-password <email>'))
})

test('masks passwords, and uses email inputs', async () => {
  const page = stage.page()
  await page.goto('/login')
  await expect.poll(() => field(page, 'Email').getAttribute('type')).toBe('email')
  expect(await field(page, 'Password').getAttribute('type')).toBe('password')
  await button(page, 'Show value').click()
  await expect.poll(() => field(page, 'Password').getAttribute('type')).toBe('text')
})

test('shows a single error as a toast and keeps the input', async () => {
  const page = stage.page()
  await page.goto('/login')
  await tryToLogIn(page)
  await sees(toast(page, 'Wrong email or password.'))
  await expect.poll(() => field(page, 'Email').inputValue()).toBe(email)
  expect(await field(page, 'Password').inputValue()).toBe('not the password')
})

test('removes an error with the next attempt', async () => {
  const page = stage.page()
  await page.goto('/login')
  await button(page, 'Log in').click()
  await sees(toast(page, 'Please fill in all required fields.'))
  // The toast does not disappear while it is pressed.
  const press = new MouseEvent('pointerdown', { bubbles: true })
  document.querySelector('[data-sonner-toaster]')?.dispatchEvent(press)
  await tryToLogIn(page)
  await sees(toast(page, 'Wrong email or password.'))
  await misses(toast(page, 'Please fill in all required fields.'))
  await field(page, 'Password').fill(password)
  await button(page, 'Log in').click()
  await misses(toast(page, 'Wrong email or password.'))
  await isAt(page, '/dashboard')
})

test('shows several field errors in toasts and at the fields', async () => {
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
  await expect.poll(() => field(page, 'Organisation').inputValue()).toBe('Harbour Works')
})

test.each([200, 500])('reports status %i without data as an unknown error', async (status) => {
  const page = stage.page()
  page.intercept(/auth\/email\/login/, status)
  await page.goto('/login')
  await tryToLogIn(page)
  await sees(toast(page, 'An unknown error occurred.'))
})

test('reports an unreachable Slipway', async () => {
  const page = stage.page()
  page.lose(/auth\/email\/login/)
  await page.goto('/login')
  await tryToLogIn(page)
  await sees(toast(page, 'Could not reach Slipway. Check your connection and try again.'))
})

test('logs a login without token and shows nothing', async () => {
  stage.expectError(/The login response has no token/)
  const page = stage.page()
  page.intercept(/auth\/email\/login/, 200, '{}')
  await page.goto('/login')
  await tryToLogIn(page)
  await stage.untilLogged()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/login')
})

test('removes an invalid token and opens the login page', async () => {
  const page = stage.page({ token: 'slp_dead' })
  await page.goto('/dashboard')
  await isAt(page, '/login')
  expect(page.stored('token')).toBeNull()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(0)
})

test('returns to the same page after a new login', async () => {
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

test('opens no dashboard page and sends no request without a token', async () => {
  const page = stage.page()
  for (const path of ['/dashboard', '/dashboard/servers?q=web', '/dashboard/nowhere']) {
    await page.goto(path)
    await isAt(page, '/login')
  }
  expect(page.calls.filter(({ path }) => path !== '/v1/auth/options')).toEqual([])
})

test('redirects the root to the login page', async () => {
  const page = stage.page()
  await page.goto('/')
  await isAt(page, '/login')
  await sees(heading(page, 'Log in'))
})

test('stores the token and loads user, workspace and servers', async () => {
  const page = stage.page()
  await page.goto('/login')
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await button(page, 'Log in').click()
  await isAt(page, '/dashboard')
  expect(page.stored('token')).toMatch(/^slp_/)
  const asked = () => page.calls.map(({ path }) => path.split('?')[0])
  for (const path of ['/v1/user', '/v1/workspaces/current', '/v1/servers'])
    await expect.poll(asked).toContain(path)
  const login = page.calls.find(({ path }) => path === '/v1/auth/email/login')
  expect(login?.headers.get('authorization')).toBeNull()
})

test('refuses a session token in the URL of /login/success', async () => {
  const page = stage.page()
  await page.goto(`/login/success?token=${token}`)
  await isAt(page, '/login')
  expect(page.stored('token')).toBeNull()
})

test('logs why /login/success shows nothing without a token', async () => {
  stage.expectError(/The login response has no token/)
  const page = stage.page()
  await page.goto('/login/success')
  await stage.untilLogged()
  expect((await page.getByRole('main').allTextContents()).join('')).toBe('')
  expect(new URL(page.url()).pathname).toBe('/login/success')
})

test('keeps defaults for unreadable settings, and masks addresses', async () => {
  stage.expectError(/Could not read the stored settings/)
  const mine = await someoneWithAServer()
  const page = stage.page({ token: mine, storage: { settings: '{"show_ip' } })
  await page.goto('/dashboard/servers')
  await page.getByRole('link', { name: 'web-1' }).click()
  await sees(page.getByText('Hidden address'))
  await expect.poll(() => page.getByText('192.0.2.7').count()).toBe(0)
  await page.goto('/dashboard/settings/appearance')
  const choice = page.getByRole('switch', { name: 'Show IP addresses' })
  await expect.poll(() => choice.isChecked()).toBe(false)
  await choice.click()
  expect(page.stored('settings')).toContain('"show_ip_addresses":true')
  await page.goto('/dashboard/servers')
  await sees(page.getByText('192.0.2.7'))
})

test('reports a failed load and retries', async () => {
  const page = stage.page({ token })
  // Without the stream there is no automatic retry.
  page.lose(/stream-tickets/)
  await sql`alter table projects rename to projects_away`.execute(db)
  onTestFinished(async () => {
    await sql`alter table if exists projects_away rename to projects`.execute(db)
  })
  await page.goto('/dashboard/projects')
  await sees(page.getByRole('region', { name: 'Notifications' }).getByText(/err_/))
  await sees(page.getByText('Could not load projects'))
  await sql`alter table projects_away rename to projects`.execute(db)
  await button(page, 'Try again').click()
  await sees(page.getByText('No projects yet'))
})

test('loads again when the stream is back', async () => {
  const page = stage.page({ token })
  const mend = page.lose(/projects|stream-tickets/)
  await page.goto('/dashboard/projects')
  await sees(page.getByText('Could not load projects'))
  mend()
  await sees(page.getByText('No projects yet'))
})

test('loads again when the browser is online', async () => {
  const page = stage.page({ token })
  const mend = page.lose(/projects/)
  await page.goto('/dashboard/projects')
  await expect.poll(() => page.calls.filter(({ path }) => path.startsWith('/v1/live')).length).toBe(1)
  await sees(page.getByText('Could not load projects'))
  mend()
  window.dispatchEvent(new Event('offline'))
  window.dispatchEvent(new Event('online'))
  await sees(page.getByText('No projects yet'))
})

test('reports a lost stream and catches up', async () => {
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
