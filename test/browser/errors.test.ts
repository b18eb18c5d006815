import type { Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeSomeone, makeTeam, makeWorkspace, password } from '../support/factories/factories.ts'
import { newId } from '../../server/platform/ids.ts'
import { button, field, goTo, heading, isAt, misses, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'

const stage = await openStage()
const { db } = stage.database
const team = await makeTeam(db)
const { token, email } = team.owner

const forms = [
  { path: '/signup', submit: 'Sign up', first: 'Organisation' },
  { path: '/login', submit: 'Log in', first: 'Email' },
  { path: '/join-workspace', submit: 'Join workspace', first: 'Invite token' },
]

test.each(forms)('$path: an empty field is told, and no call is made', async ({ path, submit, first }) => {
  const page = await stage.page()
  const calls = callsOf(page)
  await page.goto(path)
  await button(page, submit).click()
  await sees(toast(page, 'Please fill in all required fields.'))
  expect(await isFocused(page, first)).toBe(true)
  await field(page, 'Email').fill('ada@example.com')
  await field(page, 'Email').press('Enter')
  await sees(page.getByText('Fill in this field.').first())
  expect(calls.filter((call) => call.method() === 'POST')).toEqual([])
})

test('without keys for GitHub no button leads there', async () => {
  const page = await stage.page()
  const options = page.waitForResponse('**/v1/auth/options')
  await page.goto('/login')
  await options
  await sees(button(page, 'Log in'))
  expect(await page.getByText('GitHub').count()).toBe(0)
})

test('where sign-up is by invite only, the log-in page leads to joining', async () => {
  const page = await stage.page()
  await page.route('**/v1/auth/options', (route) =>
    route.fulfill({ json: { github: false, mail: false, signup: 'invite' } }),
  )
  await page.goto('/login')
  await sees(page.getByText('Have an invite? Join your workspace'))
  expect(await page.getByText('Sign up').count()).toBe(0)
  await page.getByRole('link', { name: 'Join your workspace' }).click()
  await isAt(page, '/join-workspace')
})

test('who is logged in and not here to join goes to the dashboard', async () => {
  const page = await stage.page({ token })
  await page.goto('/join-workspace')
  await page.getByRole('link', { name: 'Go to your dashboard' }).click()
  await isAt(page, '/dashboard')
})

test('a reset link that has served leads to the operator where no mail is sent', async () => {
  const page = await stage.page()
  await page.goto('/forgot-password?token=rst_spent')
  await field(page, 'New password').fill('tugboats at noon')
  await button(page, 'Save the new password').click()
  await sees(page.getByText('npm run admin -- reset-password <email>'))
})

test('passwords are masked until shown, and email fields are of type email', async () => {
  const page = await stage.page()
  await page.goto('/login')
  expect(await field(page, 'Email').getAttribute('type')).toBe('email')
  expect(await field(page, 'Password').getAttribute('type')).toBe('password')
  await button(page, 'Show what was typed').click()
  expect(await field(page, 'Password').getAttribute('type')).toBe('text')
})

test('a single error is shown as a toast, and what was typed stays', async () => {
  const page = await stage.page()
  await page.goto('/login')
  await tryToLogIn(page)
  await sees(toast(page, 'Wrong email or password.'))
  expect(await field(page, 'Email').inputValue()).toBe(email)
  expect(await field(page, 'Password').inputValue()).toBe('not the password')
})

test('an error goes with the attempt that follows it', async () => {
  const page = await stage.page()
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

test('of an errors map the first message of each entry is shown, at its field too', async () => {
  const page = await stage.page()
  await page.route('**/v1/auth/email/signup', (route) =>
    route.fulfill({
      status: 422,
      json: { errors: { email: ['Email is odd.', 'Never shown.'], password: ['Password is weak.'] } },
    }),
  )
  await page.goto('/signup')
  await field(page, 'Organisation').fill('Harbour Works')
  await field(page, 'Email').fill('ada@example.com')
  await field(page, 'Password').fill('weak')
  await button(page, 'Sign up').click()
  await sees(toast(page, 'Email is odd.'))
  await sees(toast(page, 'Password is weak.'))
  expect(await page.getByText('Never shown.').count()).toBe(0)
  await expect.poll(() => isFocused(page, 'Email')).toBe(true)
  expect(await field(page, 'Email').getAttribute('aria-invalid')).toBe('true')
  await sees(page.getByRole('main').getByText('Email is odd.'))
  await sees(page.getByRole('main').getByText('Password is weak.'))
  expect(await field(page, 'Organisation').inputValue()).toBe('Harbour Works')
})

test.each([200, 500])('an answer of %i without data is an unknown error', async (status) => {
  if (status === 500) stage.expectError(/status of 500/)
  const page = await stage.page()
  await page.route('**/v1/auth/email/login', (route) => route.fulfill({ status, body: '' }))
  await page.goto('/login')
  await tryToLogIn(page)
  await sees(toast(page, 'An unknown error occurred.'))
})

test('an unreachable Slipway is told in words', async () => {
  stage.expectError(/ERR_CONNECTION_REFUSED/)
  const page = await stage.page()
  await page.route('**/v1/auth/email/login', (route) => route.abort('connectionrefused'))
  await page.goto('/login')
  await tryToLogIn(page)
  await sees(toast(page, 'Could not reach Slipway. Check your connection and try again.'))
})

test('a log-in that gives no token is logged and shows nothing', async () => {
  stage.expectError(/The log-in gave no token/)
  const page = await stage.page()
  await page.route('**/v1/auth/email/login', (route) => route.fulfill({ json: {} }))
  await page.goto('/login')
  const logged = page.waitForEvent('console')
  await tryToLogIn(page)
  await logged
  expect(await page.getByRole('listitem').count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/login')
})

test('a dead token is removed and leads to the log-in page', async () => {
  const page = await stage.page({ token: 'slp_dead' })
  await page.goto('/dashboard')
  await isAt(page, '/login')
  expect(await stored(page, 'token')).toBeNull()
  expect(await page.getByRole('listitem').count()).toBe(0)
})

test('who loses the session at work comes back to the same page after logging in', async () => {
  const someone = await makeSomeone(db, team.workspace, 'member')
  const page = await stage.page({ token: someone.token })
  await page.goto('/dashboard/settings/security')
  await sees(heading(page, 'Sessions'))
  await db.deleteFrom('sessions').where('id', '=', someone.session).execute()
  // The stream may have noticed already.
  await goTo(page, '/dashboard/settings/api-tokens')
  await isAt(page, '/login')
  expect(await stored(page, 'token')).toBeNull()
  await field(page, 'Email').fill(someone.email)
  await field(page, 'Password').fill(password)
  await button(page, 'Log in').click()
  await isAt(page, '/dashboard/settings/api-tokens')
})

test('without a token no page of the dashboard opens, and nothing is asked of the API', async () => {
  const page = await stage.page()
  const calls = callsOf(page)
  for (const path of ['/dashboard', '/dashboard/servers?q=web', '/dashboard/nowhere']) {
    await page.goto(path)
    await isAt(page, '/login')
  }
  expect(calls.filter((call) => !call.url().endsWith('/v1/auth/options'))).toEqual([])
})

test('the root leads to the log-in page', async () => {
  const page = await stage.page()
  await page.goto('/')
  await isAt(page, '/login')
  await sees(heading(page, 'Log in'))
})

test('a log-in stores the token and asks for the user, the workspace and the servers', async () => {
  const page = await stage.page()
  const calls = callsOf(page)
  await page.goto('/login')
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await button(page, 'Log in').click()
  await isAt(page, '/dashboard')
  expect(await stored(page, 'token')).toMatch(/^slp_/)
  const asked = calls.map((call) => new URL(call.url()).pathname)
  for (const path of ['/v1/user', '/v1/workspaces/current', '/v1/servers']) expect(asked).toContain(path)
  const login = calls.find((call) => call.url().endsWith('/v1/auth/email/login'))
  expect(await login?.headerValue('authorization')).toBeNull()
})

test('a session token in the address of /login/success does not log in', async () => {
  const page = await stage.page()
  await page.goto(`/login/success?token=${token}`)
  await isAt(page, '/login')
  expect(await stored(page, 'token')).toBeNull()
})

test('without a token /login/success shows nothing and logs why', async () => {
  stage.expectError(/The log-in gave no token/)
  const page = await stage.page()
  const logged = page.waitForEvent('console')
  await page.goto('/login/success')
  await logged
  expect((await page.locator('body').innerText()).trim()).toBe('')
  expect(new URL(page.url()).pathname).toBe('/login/success')
})

test('what is copied is told', async () => {
  const page = await stage.page()
  await page.goto('/forgot-password')
  await button(page, 'Copy the command').click()
  await sees(toast(page, 'Copied to clipboard'))
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'npm run admin -- reset-password <email>',
  )
})

test('a copy that fails is logged only', async () => {
  stage.expectError(/Could not copy to the clipboard/)
  const page = await stage.page()
  await page.goto('/forgot-password')
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('No clipboard here.'))
  })
  const logged = page.waitForEvent('console')
  await button(page, 'Copy the command').click()
  await logged
  expect(await page.getByRole('listitem').count()).toBe(0)
})

test('unreadable settings are logged and the defaults kept; addresses are masked until asked for', async () => {
  stage.expectError(/The stored settings cannot be read/)
  const mine = await someoneWithAServer()
  const page = await stage.page({ token: mine, storage: { settings: '{"show_ip' } })
  await page.goto('/dashboard/servers')
  await sees(page.getByText('Hidden address'))
  expect(await page.getByText('192.0.2.7').count()).toBe(0)
  await page.goto('/dashboard/settings/appearance')
  const choice = page.getByRole('switch', { name: 'Show IP addresses' })
  expect(await choice.isChecked()).toBe(false)
  await choice.click()
  expect(await stored(page, 'settings')).toContain('"show_ip_addresses":true')
  await page.goto('/dashboard/servers')
  await sees(page.getByText('192.0.2.7'))
})

test('what cannot be loaded says so and can be tried again', async () => {
  stage.expectError(/status of 500/)
  stage.expectError(/ERR_FAILED/)
  const page = await stage.page({ token })
  // Without the stream nothing is tried again by itself.
  await page.route(/\/v1\/stream-tickets/, (route) => route.abort())
  await page.route(/\/v1\/projects/, (route) =>
    route.fulfill({
      status: 500,
      json: { error: 'Something broke. Tell your operator: err_1.', code: 'bug' },
    }),
  )
  await page.goto('/dashboard/projects')
  await sees(toast(page, 'Something broke. Tell your operator: err_1.'))
  await sees(page.getByText('The projects could not be loaded'))
  await page.unroute(/\/v1\/projects/)
  await button(page, 'Try again').click()
  await sees(page.getByText('No projects yet'))
})

test('what could not be loaded is there once the stream is back', async () => {
  stage.expectError(/ERR_FAILED/)
  const page = await stage.page({ token })
  const away = /\/v1\/(projects|stream-tickets)/
  await page.route(away, (route) => route.abort())
  await page.goto('/dashboard/projects')
  await sees(page.getByText('The projects could not be loaded'))
  await page.unroute(away)
  await sees(page.getByText('No projects yet'))
})

test('what could not be loaded is there once the browser is online again', async () => {
  stage.expectError(/ERR_FAILED/)
  const page = await stage.page({ token })
  await page.route(/\/v1\/projects/, (route) => route.abort())
  const live = page.waitForRequest(/\/v1\/live/)
  await page.goto('/dashboard/projects')
  await live
  await sees(page.getByText('The projects could not be loaded'))
  await page.unroute(/\/v1\/projects/)
  await page.evaluate(() => {
    window.dispatchEvent(new Event('offline'))
    window.dispatchEvent(new Event('online'))
  })
  await sees(page.getByText('No projects yet'))
})

test('a lost stream says so quietly, and catches up with what was missed', async () => {
  stage.expectError(/ERR_FAILED/)
  const page = await stage.page({ token })
  await page.route('**/v1/stream-tickets', (route) => route.abort())
  await page.goto('/dashboard/workspace')
  await sees(page.getByText('Reconnecting…'))
  const late = await makeSomeone(db, team.workspace, 'viewer')
  await page.unroute('**/v1/stream-tickets')
  await misses(page.getByText('Reconnecting…'))
  await sees(page.getByRole('row').filter({ hasText: late.email }))
})

test('a stream on which not even a beat is heard is taken up again', async () => {
  const page = await stage.visitor({ token })
  const streams: string[] = []
  page.on('response', (answer) => {
    if (answer.url().includes('/v1/live')) streams.push(answer.url())
  })
  await page.clock.install()
  await page.goto('/dashboard/workspace')
  await expect.poll(() => streams.length, { timeout: 20_000 }).toBe(1)
  await page.clock.fastForward(41_000)
  await expect.poll(() => streams.length, { timeout: 20_000 }).toBe(2)
})

test('no script but those of the console runs, and the policy is never breached by it', async () => {
  stage.expectError(/^Policy breached: script-src-elem inline/)
  stage.expectError(/^Policy breached: script-src-attr inline/)
  stage.expectError(/Content Security Policy directive/)
  const page = await stage.page({ token })
  await page.goto('/dashboard')
  await sees(page.getByText('No recent deploys found.'))
  const breaches = await page.evaluate(async () => {
    const seen: string[] = []
    document.addEventListener('securitypolicyviolation', (event) => seen.push(event.violatedDirective))
    const script = document.createElement('script')
    script.textContent = 'document.title = localStorage.getItem("token")'
    document.body.append(script)
    document.body.insertAdjacentHTML(
      'beforeend',
      '<img src="data:," onerror="document.title = localStorage.getItem(\'token\')">',
    )
    while (seen.length < 2) await new Promise((resolve) => requestAnimationFrame(resolve))
    return seen.toSorted()
  })
  expect(breaches).toEqual(['script-src-attr', 'script-src-elem'])
  expect(await page.title()).toBe('Home · Slipway')
})

async function tryToLogIn(page: Page) {
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

/** Every request to the API from now on. */
function callsOf(page: Page): Request[] {
  const calls: Request[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/v1/')) calls.push(request)
  })
  return calls
}

const stored = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)

const isFocused = (page: Page, label: string) =>
  field(page, label).evaluate((element) => element === document.activeElement)
