import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { type CloudState, makeCloudWorld } from '../worlds/world-clouds.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'

const notice = (name: string) => (page: Page) => sees(page.getByRole('region', { name, exact: true }))
const text = (words: string | RegExp) => (page: Page) =>
  sees(page.getByText(words).filter({ visible: true }).first())
const idOf = (path: string) => path.split('/').at(-1)
const question = (name: string) => (page: Page) => sees(page.getByRole('alertdialog', { name }))

/** Cloud servers in every state, and an account to import from. */
const cloudScreens = (at: (state: CloudState) => string): Screen[] => [
  { name: 'servers of a cloud', path: '/dashboard/servers', shows: text('Provisioning') },
  { name: 'server whose cloud is away', long: true, path: at('waiting'), shows: notice('Waiting') },
  { name: 'server that did not call', path: at('silent'), shows: notice('Could not create silent') },
  { name: 'server that moved', path: at('moved'), shows: notice('moved has a new address at Hetzner') },
  {
    name: 'server that cannot be destroyed',
    long: true,
    path: at('lingering'),
    after: (page) => button(page, 'Forget server').click(),
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
    shows: text('1 selected'),
  },
  {
    name: 'servers that were picked',
    long: true,
    path: `/dashboard/import/servers?way=cloud&servers=${idOf(at('picked'))},${idOf(at('moved'))}`,
    shows: text(/^printf .* curl /),
  },
]

const hetzner = await startFakeHetzner()
afterAll(() => hetzner.close())
// No worker runs, so that servers stay as shown.
const stage = await openStage({ ...hetzner.env, ROLE: 'web' })

test('has accessible cloud server screens that fit every width', async () => {
  const { workspace, admin } = await makeTeam(stage.database.db)
  const at = await makeCloudWorld(stage.ctx, workspace, hetzner.addToken())
  for (const name of ['db-1', 'averylongnamewithoutasinglespace'.repeat(2).slice(0, 63)])
    hetzner.addServer({ name, region: 'fsn1', type: 'cx23', image: 'debian-12' })
  hetzner.addServer({ name: 'off-1', region: 'nbg1', type: 'cx23', image: 'debian-12', status: 'off' })
  const page = await stage.page({ token: admin.token })
  expect(await faults(page, '/dashboard', cloudScreens(at))).toEqual([])
})
