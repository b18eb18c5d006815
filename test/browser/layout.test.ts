import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newId } from '../../server/platform/ids.ts'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { button, field, goTo, heading, isAt, misses, pressInTurn, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'

const stage = await openStage()
const { db } = stage.database
const { workspace, owner } = await makeTeam(db)
const server = newId('server')
const pending = { id: server, workspace_id: workspace, name: 'web-1', status: 'pending' } as const
await db.insertInto('servers').values(pending).execute()
const application = await makeApplication(db, workspace, server, { name: 'billing-api' })

test('keeps the sidebar width and state for seven days', async () => {
  const page = await home()
  expect(await widthOf(sidebar(page))).toBe(256)
  await page.keyboard.press('Control+b')
  await expect.poll(() => widthOf(sidebar(page))).toBe(48)
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'sidebar_state')
  const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / 86_400
  expect(days).toBeGreaterThan(6.9)
  expect(days).toBeLessThan(7.1)

  await page.reload()
  await sees(heading(page, `Welcome back, ${owner.name}`))
  expect(await widthOf(sidebar(page))).toBe(48)
  await sees(sidebar(page).getByRole('link', { name: 'Servers' }))
  await button(page, 'Toggle the sidebar').click()
  await expect.poll(() => widthOf(sidebar(page))).toBe(256)
  await page.keyboard.press('Meta+b')
  await expect.poll(() => widthOf(sidebar(page))).toBe(48)
})

test('shows the sidebar as a sheet at 768 px and next to the page at 769 px', async () => {
  const page = await home({ width: 768 })
  await expect.poll(() => sidebar(page).count()).toBe(0)
  await button(page, 'Toggle the sidebar').click()
  const sheet = page.getByRole('dialog', { name: 'Navigation' })
  await expect.poll(async () => (await sheet.boundingBox())?.x).toBe(0)
  expect(await widthOf(sheet)).toBe(288)
  await page.keyboard.press('Escape')
  await misses(sheet)
  await expect.poll(() => isFocused(button(page, 'Toggle the sidebar'))).toBe(true)

  await page.keyboard.press('Control+b')
  await sheet.getByRole('link', { name: 'Servers' }).click()
  await isAt(page, '/dashboard/servers')
  await misses(sheet)
  // The state of the sheet is not stored.
  expect(await page.context().cookies()).toEqual([])

  await page.setViewportSize({ width: 769, height: 900 })
  await sees(sidebar(page))
})

test('gives every page its own title', async () => {
  const page = await home()
  const titles: [path: string, title: string][] = [
    ['/dashboard', 'Home'],
    ['/dashboard/projects', 'Projects'],
    ['/dashboard/servers', 'Servers'],
    ['/dashboard/applications', 'Applications'],
    ['/dashboard/notifications', 'Alerts'],
    ['/dashboard/workspace', 'Workspace'],
    ['/dashboard/settings', 'Settings'],
    ['/dashboard/nowhere', 'Not found'],
    ['/login', 'Log in'],
    ['/signup', 'Sign up'],
    ['/join-workspace', 'Join workspace'],
    ['/forgot-password', 'Forgot password'],
    ['/verify', 'Confirm email'],
    ['/nowhere', 'Not found'],
  ]
  for (const [path, title] of titles) {
    await goTo(page, path)
    await expect.poll(() => page.title()).toBe(`${title} · Slipway`)
  }
})

test('links every area, marks the current one, and links the documentation', async () => {
  const page = await home()
  const main = page.getByRole('navigation', { name: 'Main' })
  await expect
    .poll(() => main.getByRole('link').allTextContents())
    .toEqual(['Home', 'Projects', 'Servers', 'Applications', 'Alerts'])
  for (const area of ['Projects', 'Servers', 'Applications', 'Alerts']) {
    await main.getByRole('link', { name: area }).click()
    await sees(heading(page, area))
    await sees(page.getByRole('navigation', { name: 'Breadcrumb' }).getByText(area))
    await expect.poll(() => main.locator('[aria-current=page]').allTextContents()).toEqual([area])
  }
  const documentation = page.getByRole('link', { name: 'Documentation' })
  await expect.poll(() => documentation.getAttribute('href')).toBe('/docs#alerts')
  expect(await documentation.getAttribute('target')).toBe('_blank')
})

test('shows toasts at the bottom right, with Alt+T and Escape', async () => {
  const page = await stage.page()
  await page.goto('/login')
  await button(page, 'Log in').click()
  const region = page.getByRole('region', { name: 'Notifications' })
  const shown = region.getByRole('listitem')
  await sees(shown)
  const box = await shown.boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeGreaterThan(1440 - 40)
  await page.keyboard.press('Alt+t')
  await expect.poll(() => isFocused(region.getByRole('list'))).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => shown.count()).toBe(0)
})

longTest('delays the first tooltip by 700 ms and not the next', async () => {
  const page = await home()
  await page.keyboard.press('Control+b')
  await expect.poll(() => widthOf(sidebar(page))).toBe(48)
  await page.evaluate(() => {
    let [over, at]: [Element | null, number] = [null, 0]
    document.addEventListener('pointerover', ({ target }) => {
      const link = target instanceof Element ? target.closest('a') : null
      if (link !== over) [over, at] = [link, performance.now()]
    })
    new MutationObserver(() => {
      const tip = document.querySelector('[role=tooltip]')?.textContent
      if (tip) document.body.setAttribute(`data-${tip.toLowerCase()}`, String(performance.now() - at))
    }).observe(document.body, { childList: true, subtree: true })
  })
  const waited = async (area: string) => {
    const link = sidebar(page).getByRole('link', { name: area })
    const { x = 0, y = 0 } = (await link.boundingBox()) ?? {}
    // A pointer moves in many small steps.
    await page.mouse.move(x + 9, y + 9, { steps: 8 })
    await page.mouse.move(x + 11, y + 11, { steps: 4 })
    await sees(page.getByRole('tooltip', { name: area }))
    return Number(await page.locator('body').getAttribute(`data-${area.toLowerCase()}`))
  }
  const slow = await waited('Projects')
  expect([slow >= 690, (await waited('Servers')) < slow]).toEqual([true, true])
})

test('finds pages, objects and actions in the palette', async () => {
  const page = await home()
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  await page.keyboard.press('Control+k')
  await sees(palette)
  await page.keyboard.type('serv')
  await sees(palette.getByRole('option', { name: 'Servers', selected: true }))
  await page.keyboard.press('Enter')
  await isAt(page, '/dashboard/servers')
  await misses(palette)

  await button(page, 'Search or jump to…').click()
  await sees(palette)
  await page.keyboard.type('billing')
  await palette.getByRole('option', { name: 'billing-api', exact: true }).click()
  await isAt(page, `/dashboard/applications/${application}`)

  await page.keyboard.press('Control+k')
  await sees(palette)
  await page.keyboard.type('zzz')
  await sees(palette.getByText('No results'))
  await page.keyboard.press('Escape')
  await misses(palette)
})

test('supports the keyboard everywhere except while typing', async () => {
  const page = await home()
  for (const [key, path] of Object.entries({
    s: 'servers',
    a: 'applications',
    p: 'projects',
    n: 'notifications',
  })) {
    await pressInTurn(page, 'g', key)
    await isAt(page, `/dashboard/${path}`)
  }
  await pressInTurn(page, 'g', 'a')
  await sees(page.getByRole('cell', { name: 'billing-api' }))
  await page.keyboard.press('/')
  await page.keyboard.type('g s')
  await isAt(page, '/dashboard/applications?q=g+s')
  await sees(page.getByText('No applications match “g s”'))
  await button(page, 'Clear search').click()
  await sees(page.getByRole('cell', { name: 'billing-api' }))

  await page.locator('main').focus()
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const text of ['Go to Servers', 'Open search', 'Close dialog'])
    await sees(sheet.getByText(text, { exact: true }))
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.keyboard.press('Escape')
  await misses(sheet)
  expect(new URL(page.url()).pathname).toBe('/dashboard/applications')
})

test('shows a not-found page inside and outside the dashboard', async () => {
  const page = await home()
  await page.goto('/dashboard/nowhere')
  await sees(heading(page, 'Page not found'))
  await sees(sidebar(page))
  await page.goto('/nowhere')
  await sees(heading(page, 'Page not found'))
  await page.getByRole('link', { name: 'Go home' }).click()
  await isAt(page, '/dashboard')
})

longTest('shows a page that failed to load and recovers after a reload', async () => {
  stage.expectError(/ERR_FAILED/)
  stage.expectError(/A page crashed/)
  stage.expectError(/Failed to fetch dynamically imported module|error loading dynamically/)
  const page = await stage.page({ token: owner.token })
  await page.route('**/assets/settings-*.js', (route) => route.abort())
  await page.goto('/dashboard/settings')
  await sees(heading(page, 'Something went wrong'))
  await sees(page.getByText('Part of the console could not be loaded.'))
  await page.unrouteAll()
  await button(page, 'Reload').click()
  await sees(heading(page, 'Settings'))
})

test('keeps a light, dark or system theme', async () => {
  const page = await home()
  const theme = () => page.locator('html').getAttribute('data-theme')
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const choose = async (name: string) => {
    await openAccountMenu(page)
    await page.getByRole('menuitemradio', { name }).click()
  }
  expect(await background()).toBe('rgb(255, 255, 255)')
  await choose('Dark')
  expect(await theme()).toBe('dark')
  await page.reload({ waitUntil: 'commit' })
  await expect.poll(theme).toBe('dark')
  await sees(page.getByText('No recent deploys found.'))
  await choose('System')
  await expect.poll(theme).toBe('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(theme).toBe('dark')
  await choose('Light')
  await expect.poll(background).toBe('rgb(255, 255, 255)')
  await goTo(page, '/dashboard/settings/appearance')
  await sees(page.getByRole('radio', { name: 'Light', checked: true }))
})

test('shows user and workspace in the menus, and the upgrade only during the trial', async () => {
  const page = await home()
  await sees(button(page, `Workspace ${await nameOfWorkspace()} Pro Plan`))
  await openAccountMenu(page)
  const menu = page.getByRole('menu')
  await sees(menu.getByText(owner.email))
  await sees(menu.getByRole('menuitem', { name: 'Workspace' }))
  await sees(menu.getByRole('menuitem', { name: 'Settings' }))
  await expect.poll(() => menu.getByText('Upgrade to Pro').count()).toBe(0)
  await page.keyboard.press('Escape')

  await page.route('**/v1/workspaces/current', async (route) => {
    const answer = await route.fetch()
    const body: unknown = await answer.json()
    // The page may have been left by then.
    await route.fulfill({ response: answer, json: onTrial(body) }).catch(() => {})
  })
  await page.reload()
  await sees(button(page, `Workspace ${await nameOfWorkspace()} Trial Plan`))
  await openAccountMenu(page)
  await sees(menu.getByRole('menuitem', { name: 'Upgrade to Pro' }))
})

test('gives every tab a URL with history', async () => {
  const page = await home()
  await goTo(page, '/dashboard/workspace')
  const sections = page.getByRole('list', { name: 'Workspace' })
  for (const [label, path] of Object.entries({
    Invites: 'invites',
    'Audit log': 'audit',
    General: 'settings',
  })) {
    await sections.getByRole('link', { name: label }).click()
    await isAt(page, `/dashboard/workspace/${path}`)
  }
  await page.goBack()
  await isAt(page, '/dashboard/workspace/audit')
  await sees(page.getByRole('textbox', { name: 'Search audit log' }).or(page.getByText('No events yet')))
  await page.goBack()
  await page.goBack()
  await isAt(page, '/dashboard/workspace')
  await sees(page.getByRole('table', { name: 'Members' }))
  await page.goBack()
  await sees(heading(page, `Welcome back, ${owner.name}`))
})

test('gives a dialog a URL, keeps input after an error, and restores the focus', async () => {
  const page = await home()
  await goTo(page, '/dashboard/workspace')
  await button(page, 'Invite').click()
  await isAt(page, '/dashboard/workspace?dialog=invite')
  const dialog = page.getByRole('dialog', { name: 'Invite a member' })
  await field(dialog, 'Email').fill('not an address')
  await button(dialog, 'Create invite link').click()
  await sees(dialog.getByText('Must be an email address, such as ada@example.com.'))
  await expect.poll(() => field(dialog, 'Email').inputValue()).toBe('not an address')
  await expect.poll(() => isFocused(field(dialog, 'Email'))).toBe(true)
  await page.keyboard.press('Escape')
  await misses(dialog)
  await isAt(page, '/dashboard/workspace')
  await expect.poll(() => isFocused(button(page, 'Invite'))).toBe(true)

  await page.goto('/dashboard/workspace?dialog=invite')
  await sees(dialog)
  await page.keyboard.press('Escape')
  await isAt(page, '/dashboard/workspace')
})

test('closes a dialog with the back button without leaving history entries', async () => {
  const page = await home()
  await goTo(page, '/dashboard/workspace')
  const dialog = page.getByRole('dialog', { name: 'Invite a member' })
  for (const leave of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
    await button(page, 'Invite').click()
    await sees(dialog)
    await leave()
    await misses(dialog)
    await isAt(page, '/dashboard/workspace')
  }
  await page.goForward()
  await sees(dialog)
  await button(dialog, 'Close').click()
  await isAt(page, '/dashboard/workspace')
  await page.goBack()
  await sees(heading(page, `Welcome back, ${owner.name}`))
})

longTest('explains a missing workspace and keeps the account reachable', async () => {
  const { viewer, workspace: left } = await makeTeam(db)
  const { name } = await db
    .selectFrom('workspaces')
    .select('name')
    .where('id', '=', left)
    .executeTakeFirstOrThrow()
  const page = await stage.page({ token: viewer.token })
  await page.goto('/dashboard/workspace/settings')
  await button(page, 'Leave workspace').click()
  await button(page.getByRole('alertdialog'), 'Leave workspace').click()
  await sees(heading(page, 'You have no workspace'))
  await sees(page.getByText(`You are no longer a member of ${name}.`))

  await page.getByRole('link', { name: 'Account settings' }).click()
  await sees(heading(page, 'Settings'))
  const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
  await expect
    .poll(() => tabs.allTextContents())
    .toEqual(['Profile', 'Security', 'Security activity', 'Appearance'])
  await field(page, 'Name').fill('x'.repeat(101))
  await button(page, 'Save').click()
  await sees(page.getByRole('main').getByText('Must have at most 100 characters.'))
  await page.goto('/dashboard/settings/api-tokens')
  await isAt(page, '/dashboard/settings')
  await page.getByRole('link', { name: 'Choose a workspace' }).click()
  await sees(heading(page, 'You have no workspace'))
})

test('explains a page that the role may not see', async () => {
  const { viewer } = await makeTeam(db)
  const page = await stage.page({ token: viewer.token })
  await page.goto('/dashboard/workspace/audit')
  await sees(page.getByText('You do not have access'))
})

async function home(options: { width?: number } = {}): Promise<Page> {
  const page = await stage.page({ token: owner.token, ...options })
  await page.goto('/dashboard')
  await sees(page.getByText('No recent deploys found.'))
  return page
}

const sidebar = (page: Page) => page.getByRole('complementary')
const openAccountMenu = (page: Page) => page.getByRole('button', { name: /^Account / }).click()
const widthOf = async (locator: Locator) => (await locator.boundingBox())?.width
const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement)

async function nameOfWorkspace() {
  const named = db.selectFrom('workspaces').select('name').where('id', '=', workspace)
  return (await named.executeTakeFirstOrThrow()).name
}

function onTrial(body: unknown) {
  if (typeof body !== 'object' || body === null || !('workspace' in body)) throw new Error('No workspace.')
  return { workspace: { ...Object(body.workspace), on_trial: true } }
}
