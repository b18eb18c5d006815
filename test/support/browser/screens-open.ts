import type { Page } from 'playwright-core'
import type { Screen } from './screens.ts'
import { button, sees } from './see.ts'

const text = (words: string) => (page: Page) => sees(page.getByText(words, { exact: true }).first())

/** What one sees before logging in. */
export const openScreens: Screen[] = [
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
