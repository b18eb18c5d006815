import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { faults } from '../support/browser/faults.ts'
import { dashboardScreens, type Screen, serverScreens } from '../support/browser/screens.ts'
import { button, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeBusyWorkspace } from '../support/browser/world.ts'

const text = (words: string) => (page: Page) => sees(page.getByText(words, { exact: true }).first())

/** What one sees before logging in. */
const openScreens: Screen[] = [
  { name: 'log-in', path: '/login', shows: text('Forgot your password?') },
  {
    name: 'log-in with errors',
    path: '/login?again',
    after: (page) => button(page, 'Log in').click(),
    shows: text('Fill in this field.'),
  },
  { name: 'sign-up', path: '/signup', shows: text('Names your first workspace.') },
  { name: 'join', path: '/join-workspace?token=inv_example', shows: text('The address that was invited.') },
  { name: 'verify', path: '/verify', shows: text('This link is incomplete') },
  {
    name: 'forgotten password',
    path: '/forgot-password',
    shows: text('npm run admin -- reset-password <email>'),
  },
  { name: 'reset password', path: '/forgot-password?token=rst_example', shows: text('New password') },
  { name: 'nothing there', path: '/nowhere', shows: text('There is nothing at this address') },
]

// Nobody looks after the servers: they stay in the state that they are shown in.
const stage = await openStage({ ROLE: 'web' })

/** The longest names that there can be: with shorter ones no screen is wider, and axe sees the same. */
const word = 'Averylongnamewithoutasinglespace'
const longest = () => ({
  server: word.repeat(4).slice(0, 100),
  workspace: word.repeat(4).slice(0, 100),
  owner: {
    name: word.repeat(4).slice(0, 100),
    // Another each time, also when a test is run again.
    email: `${randomBytes(32).toString('hex')}@${'b'.repeat(63)}.${'c'.repeat(63)}.example`,
  },
})

test('before the log-in axe finds nothing wrong and no screen is too wide', async () => {
  const page = await stage.page()
  expect(await faults(page, '/login', openScreens)).toEqual([])
}, 120_000)

/** A few at a time, so that each test ends well within its limit on a slow machine. */
const inParts = (screens: readonly Screen[], many = 12) =>
  Array.from({ length: Math.ceil(screens.length / many) }, (_, index) => ({
    from: index * many + 1,
    screens: screens.slice(index * many, (index + 1) * many),
  }))

test.each(inParts(dashboardScreens))(
  'in the dashboard axe finds nothing wrong and no screen is too wide, from screen $from on',
  async ({ screens }) => {
    const { token } = await makeBusyWorkspace(stage.ctx, longest())
    const page = await stage.page({ token })
    expect(await faults(page, '/dashboard', screens)).toEqual([])
  },
  180_000,
)

test.each(inParts(serverScreens))(
  'of servers axe finds nothing wrong and no screen is too wide, from screen $from on',
  async ({ screens }) => {
    const { token } = await makeBusyWorkspace(stage.ctx, longest())
    const page = await stage.page({ token })
    expect(await faults(page, '/dashboard', screens)).toEqual([])
  },
  180_000,
)
