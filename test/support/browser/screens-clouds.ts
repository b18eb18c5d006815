import type { Page } from 'playwright-core'
import type { Screen } from './screens.ts'
import { button, sees } from './see.ts'
import type { CloudState } from './world-clouds.ts'

const notice = (name: string) => (page: Page) => sees(page.getByRole('region', { name, exact: true }))
const text = (words: string | RegExp) => (page: Page) => sees(page.getByText(words).first())
const idOf = (path: string) => path.split('/').at(-1)
const question = (name: string) => (page: Page) => sees(page.getByRole('alertdialog', { name }))

/** Servers of a cloud, in each way that they are shown, and an account to pick some from; `at` tells where each is. */
export const cloudScreens = (at: (state: CloudState) => string): Screen[] => [
  { name: 'servers of a cloud', path: '/dashboard/servers', shows: text('Provisioning') },
  { name: 'server whose cloud is away', path: at('waiting'), shows: notice('It has to wait') },
  { name: 'server that did not call', path: at('silent'), shows: notice('silent could not be created') },
  { name: 'server that moved', path: at('moved'), shows: notice('moved has another address at Hetzner') },
  {
    name: 'server that cannot be destroyed',
    path: at('lingering'),
    after: (page) => button(page, 'Forget it').click(),
    shows: question('Forget lingering?'),
  },
  {
    name: 'server to destroy or forget',
    path: `${at('duplicated')}/settings?dialog=delete`,
    shows: question('Delete duplicated?'),
  },
  {
    name: 'servers of an account',
    path: '/dashboard/import/servers?way=cloud',
    after: (page) => page.getByRole('checkbox', { name: 'db-1' }).check(),
    shows: text('One is chosen.'),
  },
  {
    name: 'servers that were picked',
    path: `/dashboard/import/servers?way=cloud&servers=${idOf(at('picked'))},${idOf(at('moved'))}`,
    shows: text(/^printf .* curl /),
  },
]
