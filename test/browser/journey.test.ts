import { TOTP, Secret } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { button, field, goTo, heading, isAt, misses, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'

const stage = await openStage()

const ada = { organisation: 'Harbour Works', email: 'ada@harbour.example', password: 'correct horse battery' }
const grace = { email: 'grace@harbour.example', password: 'tugboats at dawn' }

test('leads from nothing to a workspace with members, tokens and two-factor authentication', async () => {
  const owner = await stage.visitor()
  const guest = await stage.visitor()

  await signUp(owner)
  await logInWithOneKey(owner)
  await seeEmptyDashboard(owner)
  const link = await inviteAsViewer(owner)
  await join(guest, link)
  await seeAViewersConsole(guest)
  await removeWhoJoined(owner, guest)
  await readTheApiWithAToken(owner)
  await changeWorkspaces(owner)
  const { secret, codes } = await turnTwoFactorOn(owner)
  await logOut(owner)
  await logIn(owner, nextCode(secret))
  await logOut(owner)
  await logIn(owner, codes[0] ?? '')
  await endASessionElsewhere(owner, codes[1] ?? '')
})

async function signUp(page: Page) {
  await page.goto('/signup')
  await field(page, 'Organisation').fill(ada.organisation)
  await field(page, 'Email').fill(ada.email)
  await field(page, 'Password').fill(ada.password)
  await button(page, 'Sign up').click()
  await sees(toast(page, 'Signup successful! Please log in.'))
  await isAt(page, '/login')
}

async function logInWithOneKey(page: Page) {
  await expect.poll(() => field(page, 'Password').inputValue()).toBe(ada.password)
  expect(await field(page, 'Email').inputValue()).toBe(ada.email)
  await expect.poll(() => button(page, 'Log in').evaluate((it) => it === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await isAt(page, '/dashboard')
}

async function logIn(page: Page, code?: string) {
  await field(page, 'Email').fill(ada.email)
  await field(page, 'Password').fill(ada.password)
  await button(page, 'Log in').click()
  if (code !== undefined) {
    await field(page, 'Authenticator code or recovery code').fill(code)
    await page.keyboard.press('Enter')
  }
  await isAt(page, '/dashboard')
}

async function logOut(page: Page) {
  await openAccountMenu(page)
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await isAt(page, '/login')
  expect(await storedToken(page)).toBeNull()
}

async function seeEmptyDashboard(page: Page) {
  await sees(heading(page, 'Welcome back, Ada'))
  const counts = page.getByRole('region', { name: 'Counts' })
  for (const label of ['Servers', 'Applications', 'Deploys'])
    await sees(counts.getByText(label, { exact: true }))
  await expect.poll(() => counts.getByText('0', { exact: true }).count()).toBe(3)
  await sees(heading(page, 'Latest Deploys'))
  await sees(page.getByText('No recent deploys found.'))
  await sees(button(page, `Workspace ${ada.organisation} Pro Plan`))
}

async function inviteAsViewer(page: Page): Promise<string> {
  await openAccountMenu(page)
  await page.getByRole('menuitem', { name: 'Workspace' }).click()
  await button(page, 'Invite').click()
  const dialog = page.getByRole('dialog', { name: 'Invite a member' })
  await field(dialog, 'Email').fill(grace.email)
  await field(dialog, 'Role').click()
  await page.getByRole('option', { name: 'Viewer' }).click()
  await button(dialog, 'Create invite link').click()
  const done = page.getByRole('dialog', { name: `${grace.email} is invited` })
  const link = await done.getByText(/\/join-workspace\?token=/).textContent()
  await button(done, 'Done').click()
  await misses(done)
  return link ?? ''
}

async function join(page: Page, link: string) {
  await page.goto(link)
  await sees(heading(page, `Ada invited you to ${ada.organisation}`))
  await expect
    .poll(() => field(page, 'Invite token').inputValue())
    .toBe(new URL(link).searchParams.get('token'))
  expect(await field(page, 'Email').inputValue()).toBe(grace.email)
  await field(page, 'Password').fill(grace.password)
  await button(page, 'Join workspace').click()
  await isAt(page, '/dashboard')
  await sees(heading(page, 'Welcome back, Grace'))
  await sees(button(page, `Workspace ${ada.organisation} Pro Plan`))
}

async function seeAViewersConsole(page: Page) {
  await openAccountMenu(page)
  await page.getByRole('menuitem', { name: 'Workspace' }).click()
  await sees(page.getByText('Your role is viewer.'))
  await sees(memberRow(page, 'Grace').getByText('Viewer', { exact: true }))
  await expect.poll(() => button(page, 'Invite').count()).toBe(0)
  const sections = page.getByRole('list', { name: 'Workspace' }).getByRole('link')
  await expect
    .poll(() => sections.allTextContents())
    .toEqual(['General', 'Members', 'Domains', 'Registries', 'Integrations', 'Deliveries'])
}

async function removeWhoJoined(page: Page, guest: Page) {
  // They arrived while this page was open.
  await memberRow(page, 'Grace').getByRole('button', { name: 'Actions for Grace' }).click()
  await page.getByRole('menuitem', { name: 'Remove from workspace' }).click()
  await button(page.getByRole('alertdialog', { name: 'Remove Grace?' }), 'Remove member').click()
  await sees(toast(page, 'Member removed'))
  await misses(memberRow(page, 'Grace'))
  await sees(heading(guest, 'You have no workspace'))
  await sees(guest.getByText(`You are no longer a member of ${ada.organisation}.`))
}

async function readTheApiWithAToken(page: Page) {
  await openAccountMenu(page)
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'API tokens' }).click()
  await button(page, 'New token').click()
  const dialog = page.getByRole('dialog', { name: 'New API token' })
  await field(dialog, 'Name').fill('CI')
  await button(dialog, 'Create token').click()
  const made = page.getByRole('dialog', { name: 'API token CI created' })
  const token = (await made.getByText(/^slt_/).textContent()) ?? ''
  const answer = await fetch(`${stage.url}/v1/user`, { headers: { authorization: `Bearer ${token}` } })
  expect(await answer.json()).toMatchObject({ user: { name: 'Ada', email: ada.email } })
  await button(made, 'Done').click()
  await sees(page.getByRole('row', { name: /^CI Read/ }))
}

async function changeWorkspaces(page: Page) {
  await button(page, `Workspace ${ada.organisation} Pro Plan`).click()
  await page.getByRole('menuitem', { name: 'New workspace' }).click()
  const dialog = page.getByRole('dialog', { name: 'New workspace' })
  await field(dialog, 'Name').fill('Dry Dock')
  await button(dialog, 'Create workspace').click()
  await isAt(page, '/dashboard')
  await button(page, 'Workspace Dry Dock Pro Plan').click()
  await page.getByRole('menuitem', { name: ada.organisation }).click()
  await sees(button(page, `Workspace ${ada.organisation} Pro Plan`))
}

async function turnTwoFactorOn(page: Page) {
  await openAccountMenu(page)
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Security', exact: true }).click()
  await button(page, 'Turn on').click()
  const asking = page.getByRole('dialog', { name: 'Turn on two-factor authentication' })
  await field(asking, 'Your password').fill(ada.password)
  await button(asking, 'Continue').click()
  const scanning = page.getByRole('dialog', { name: 'Scan the code' })
  const secret = (await scanning.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
  await field(scanning, 'Code from the app').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate())
  await button(scanning, 'Turn on').click()
  const done = page.getByRole('dialog', { name: 'Two-factor authentication is on' })
  const list = done.getByRole('list', { name: 'Recovery codes' })
  await sees(list)
  const codes = await list.getByRole('listitem').allTextContents()
  expect(codes).toHaveLength(10)
  await expect.poll(() => button(done, 'I have saved my codes').isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await button(done, 'Copy the recovery codes').click()
  await button(done, 'I have saved my codes').click()
  await misses(done)
  return { secret, codes }
}

/** A code can be used once, so the next one is used slightly early. */
const nextCode = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + 30_000 })

async function endASessionElsewhere(page: Page, code: string) {
  const elsewhere = await stage.visitor()
  await elsewhere.goto('/login')
  await logIn(elsewhere, code)
  await openAccountMenu(page)
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Security', exact: true }).click()
  await page.getByRole('button', { name: /^End the session of Chrome/ }).click()
  await button(page.getByRole('alertdialog'), 'End session').click()
  await sees(toast(page, 'Session ended'))
  // The stream may have noticed already.
  await goTo(elsewhere, '/dashboard/servers')
  await isAt(elsewhere, '/login')
  expect(await storedToken(elsewhere)).toBeNull()
}

const openAccountMenu = (page: Page) => page.getByRole('button', { name: /^Account / }).click()

const memberRow = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: name })

const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('token'))
