import { expect, onTestFinished, test } from 'vitest'
import { makeInvite, makeTeam, password, unique } from '../support/factories/factories.ts'
import { openConsole } from '../support/console/open-console.ts'
import type { ConsolePage } from '../support/console/page.ts'
import { button, field, heading, isAt, misses, sees, toast } from '../support/console/see.ts'

const stage = await openConsole({ SIGNUP: '', HOST: '0.0.0.0' })
const { ctx, db } = stage.slipway
const exposed = { HOST: '0.0.0.0', PUBLIC_URL: 'http://slipway.test' }

test('opens a fresh installation on its first account, which logs in with one click', async () => {
  const page = stage.page()
  await page.goto('/')
  await isAt(page, '/signup')
  await sees(heading(page, 'Create the first account'))
  await sees(page.getByText('docker compose logs slipway'))
  await misses(button(page, 'Sign up'))

  onTestFinished(() => void Object.assign(ctx.config, exposed))
  Object.assign(ctx.config, { HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:4000' })
  await page.goto('/login')
  await isAt(page, '/signup')
  await sees(button(page, 'Sign up'))
  await misses(page.getByRole('link', { name: 'Log in' }))
  const email = `${unique('ada')}@harbour.example`
  await field(page, 'Organisation').fill('Harbor Works')
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await button(page, 'Sign up').click()
  await sees(toast(page, 'Signup successful! Please log in.'))
  await isAt(page, '/login')
  await sees(page.getByText('Your account is ready.'))
  await expect.poll(() => field(page, 'Password').inputValue()).toBe(password)
  expect(await field(page, 'Email').inputValue()).toBe(email)
  await expect.poll(() => button(page, 'Log in').isFocused()).toBe(true)
  const kept = JSON.stringify([window.history.state, localStorage, sessionStorage, page.url()])
  expect(kept).not.toContain(password)
  await button(page, 'Log in').click()
  await isAt(page, '/dashboard')
})

test('forgets the password of a new account when the login page is left', async () => {
  Object.assign(ctx.config, { SIGNUP: 'open' })
  const page = stage.page()
  await page.goto('/signup')
  await field(page, 'Organisation').fill('Docks')
  await field(page, 'Email').fill(`${unique('grace')}@harbour.example`)
  await field(page, 'Password').fill(password)
  await button(page, 'Sign up').click()
  await isAt(page, '/login')
  await page.follow('/forgot-password')
  await page.follow('/login')
  await expect.poll(() => field(page, 'Password').inputValue()).toBe('')
})

async function openInvite(page: ConsolePage, email: string, expires?: Date) {
  const { workspace } = await makeTeam(db)
  const invite = await makeInvite(ctx, workspace, { email, ...(expires && { expires }) })
  await page.goto(`/join-workspace?token=${invite.token}`)
  return invite
}

test('names who invited to which workspace, and joins with a password only', async () => {
  const email = `${unique('grace')}@harbour.example`
  const page = stage.page()
  const { token } = await openInvite(page, email)
  await sees(page.getByRole('heading', { name: /^Ada invited you to / }))
  await misses(page.getByText(token))
  expect(await field(page, 'Invite token').inputValue()).toBe(token)
  expect(await field(page, 'Email').inputValue()).toBe(email)
  await field(page, 'Password').fill(password)
  await button(page, 'Join workspace').click()
  await isAt(page, '/dashboard')
  await page.goto(`/join-workspace?token=${token}`)
  await sees(page.getByText(/This invite was already used or revoked/))
})

test('says that an invite expired, and keeps the form for another token', async () => {
  const page = stage.page()
  await openInvite(page, 'late@harbour.example', new Date(Date.now() - 1000))
  await sees(page.getByText('This invite has expired. Ask for a new one.'))
  await sees(field(page, 'Invite token'))
})

test('refers who is logged in with another address to the invited account', async () => {
  const { viewer } = await makeTeam(db)
  const page = stage.page({ token: viewer.token })
  await openInvite(page, 'grace@harbour.example')
  await sees(page.getByText(`You are logged in as ${viewer.email}. The invite is for grace@harbour.example.`))
  await misses(button(page, 'Join workspace'))
  await button(page, 'Use another account').click()
  await expect.poll(() => field(page, 'Email').inputValue()).toBe('grace@harbour.example')
})
