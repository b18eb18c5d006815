import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, field, sees } from '../support/browser/see.ts'
import { makeInvite, makeTeam } from '../support/factories/factories.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeBusyWorkspace } from '../worlds/world.ts'

const text = (words: string) => (page: Page) =>
  sees(page.getByText(words, { exact: true }).filter({ visible: true }).first())

const table = (name: string) => (page: Page) =>
  sees(page.getByRole('table', { name }).getByRole('cell').first())
const dialog = (name: string | RegExp) => (page: Page) => sees(page.getByRole('dialog', { name }))
const question = (name: RegExp) => (page: Page) => sees(page.getByRole('alertdialog', { name }))

/** Opens a tab of the first server with this status. */
const server = (state: string, tab?: string) => async (page: Page) => {
  await page.getByRole('row').filter({ hasText: state }).getByRole('link').first().click()
  if (tab) await page.getByRole('navigation', { name: 'Server' }).getByRole('link', { name: tab }).click()
}
const servers = '/dashboard/servers?sort=name'

/** Screens of the owner of a busy workspace. */
const dashboardScreens: Screen[] = [
  { name: 'home', path: '/dashboard', shows: table('Latest Deploys') },
  { name: 'feedback', path: '/dashboard?dialog=feedback', shows: dialog('Send feedback') },
  { name: 'projects', path: '/dashboard/projects', shows: text('Storefront') },
  { name: 'new project', path: '/dashboard/projects?dialog=new', shows: dialog('New project') },
  { name: 'templates', path: '/dashboard/templates', shows: text('Plausible') },
  { name: 'template', path: '/dashboard/templates/tpl_plausible', shows: text('Generated URL') },
  {
    name: 'new template',
    path: '/dashboard/templates/new',
    after: async (page) => {
      for (const label of ['Template file', 'Compose file']) {
        await sees(page.getByRole('textbox', { name: label }))
        await page.getByRole('button', { name: 'Start from an example' }).first().click()
      }
    },
    shows: text('Form preview'),
  },
  { name: 'servers', path: '/dashboard/servers', shows: table('Servers') },
  {
    name: 'no servers found',
    long: true,
    path: '/dashboard/servers?q=zzz',
    shows: text('No servers match “zzz”'),
  },
  { name: 'applications', path: '/dashboard/applications', shows: table('Applications') },
  { name: 'alerts', path: '/dashboard/notifications', shows: text('All clear') },
  { name: 'members', path: '/dashboard/workspace', shows: table('Members') },
  { name: 'invite dialog', path: '/dashboard/workspace?dialog=invite', shows: dialog('Invite a member') },
  {
    name: 'invite link',
    path: '/dashboard/workspace?dialog=invite',
    after: async (page) => {
      await field(page, 'Email').fill('new.hand@harbour.example')
      await button(page, 'Create invite link').click()
    },
    shows: dialog('new.hand@harbour.example is invited'),
  },
  { name: 'invites', path: '/dashboard/workspace/invites', shows: table('Invites') },
  { name: 'audit log', path: '/dashboard/workspace/audit', shows: table('Audit log') },
  { name: 'workspace settings', path: '/dashboard/workspace/settings', shows: text('Delete workspace') },
  {
    name: 'delete workspace',
    long: true,
    path: '/dashboard/workspace/settings',
    after: (page) => button(page, 'Delete workspace').click(),
    shows: question(/^Delete /),
  },
  { name: 'profile', path: '/dashboard/settings', shows: text('Profile') },
  { name: 'security', path: '/dashboard/settings/security', shows: table('Sessions') },
  {
    name: 'two-factor dialog',
    path: '/dashboard/settings/security?dialog=two-factor',
    shows: dialog('Turn on two-factor authentication'),
  },
  { name: 'appearance', path: '/dashboard/settings/appearance', shows: text('Show IP addresses') },
  { name: 'API tokens', path: '/dashboard/settings/api-tokens', shows: table('API tokens') },
  {
    name: 'new token',
    long: true,
    path: '/dashboard/settings/api-tokens?dialog=new-token',
    shows: dialog('New API token'),
  },
  {
    name: 'made token',
    path: '/dashboard/settings/api-tokens?dialog=new-token',
    after: async (page) => {
      await field(page, 'Name').fill('CI')
      await button(page, 'Create token').click()
    },
    shows: dialog('API token CI created'),
  },
  { name: 'new workspace', path: '/dashboard?dialog=new-workspace', shows: dialog('New workspace') },
  {
    name: 'palette',
    path: '/dashboard',
    after: (page) => page.keyboard.press('Control+k'),
    shows: dialog('Search or jump to'),
  },
  {
    name: 'shortcuts',
    long: true,
    path: '/dashboard',
    after: (page) => page.keyboard.press('?'),
    shows: dialog('Keyboard shortcuts'),
  },
  {
    name: 'sheet',
    path: '/dashboard',
    after: (page) => button(page, 'Toggle the sidebar').click(),
    shows: dialog('Navigation'),
    phone: true,
  },
  { name: 'nothing there', path: '/dashboard/nowhere', shows: text('Page not found') },
]

/** Screens of servers, one in each status. */
const serverScreens: Screen[] = [
  { name: 'server', path: servers, after: server('Ready'), shows: text('Operating system') },
  {
    name: 'server without Docker',
    long: true,
    path: servers,
    after: server('Docker is not responding'),
    shows: text('web-2 needs attention'),
  },
  {
    name: 'server out of reach',
    long: true,
    path: servers,
    after: server('connection refused'),
    shows: (page) => sees(button(page, 'Retry now')),
  },
  {
    name: 'server with another key',
    path: servers,
    after: server('another host key'),
    shows: text('The host key of old-1 changed'),
  },
  {
    name: 'server key to accept',
    long: true,
    path: servers,
    after: async (page) => {
      await server('another host key')(page)
      await button(page, 'Review host key').click()
    },
    shows: question(/^Accept the new host key of old-1/),
  },
  {
    name: 'server being set up',
    path: servers,
    after: server('Setting up'),
    shows: (page) => sees(page.getByRole('log').getByText('Setting up containerd')),
  },
  {
    name: 'server that failed',
    long: true,
    path: servers,
    after: server('in use by nginx'),
    shows: (page) => sees(page.getByRole('log').getByText('Setting up containerd')),
  },
  {
    name: 'server to let in',
    long: true,
    path: servers,
    after: server('Add the key'),
    shows: (page) => sees(page.getByText('authorized_keys')),
  },
  {
    name: 'server to confirm',
    path: servers,
    after: server('Compare the host key'),
    shows: text('Confirm the host key of new-2'),
  },
  { name: 'containers', path: servers, after: server('Ready', 'Containers'), shows: table('Containers') },
  {
    name: 'remove container',
    long: true,
    path: servers,
    after: async (page) => {
      await server('Ready', 'Containers')(page)
      await button(page, 'Actions for shop-web-1').click()
      await page.getByRole('menuitem', { name: 'Remove…' }).click()
    },
    shows: question(/^Remove shop-web-1/),
  },
  {
    name: 'containers that cannot be shown',
    long: true,
    path: servers,
    after: server('connection refused', 'Containers'),
    shows: text('Could not load containers'),
  },
  {
    name: 'server commands',
    path: servers,
    after: server('Ready', 'Commands'),
    shows: table('Command history'),
  },
  {
    name: 'server command',
    path: servers,
    after: async (page) => {
      await server('Ready', 'Commands')(page)
      await page.getByRole('row').filter({ hasText: 'averylongfolder' }).getByRole('link').click()
    },
    shows: (page) => sees(page.getByRole('log').getByText('/dev/sda1')),
  },
  {
    name: 'server without commands',
    long: true,
    path: servers,
    after: server('Docker is not responding', 'Commands'),
    shows: text('No commands yet'),
  },
  {
    name: 'server settings',
    path: servers,
    after: server('Ready', 'Settings'),
    shows: (page) => sees(page.getByText('authorized_keys')),
  },
  {
    name: 'delete server',
    long: true,
    path: servers,
    after: async (page) => {
      await server('Ready', 'Settings')(page)
      await button(page, 'Delete server').click()
    },
    shows: question(/^Delete web-1/),
  },
  {
    name: 'no such server',
    long: true,
    path: '/dashboard/servers/srv_none',
    shows: text('Server not found'),
  },
  {
    name: 'import by command',
    path: '/dashboard/import/servers',
    shows: (page) => sees(page.getByText(/^printf .* curl /)),
  },
  {
    name: 'import by SSH',
    path: '/dashboard/import/servers?way=ssh',
    shows: text('Server address'),
  },
]

// No worker runs, so that servers stay as shown.
const stage = await openStage({ ROLE: 'web' })
const { workspace } = await makeTeam(stage.ctx.db)
const invite = await makeInvite(stage.ctx, workspace, {
  email: `${'b'.repeat(63)}@${'c'.repeat(63)}.example`,
})

/** Screens before login. */
const openScreens: Screen[] = [
  { name: 'log-in', path: '/login', shows: text('Forgot your password?') },
  {
    name: 'log-in with errors',
    path: '/login?again',
    after: (page) => button(page, 'Log in').click(),
    shows: text('Fill in this field.'),
  },
  { name: 'sign-up', path: '/signup', shows: text('Name of your first workspace.') },
  {
    name: 'join',
    path: '/join-workspace?token=inv_example',
    shows: text('Address that received the invite.'),
  },
  {
    name: 'invite',
    path: `/join-workspace?token=${invite.token}`,
    shows: text('Show the invite token'),
  },
  { name: 'verify', long: true, path: '/verify', shows: text('Incomplete link') },
  {
    name: 'forgotten password',
    path: '/forgot-password',
    shows: text('npm run admin -- reset-password <email>'),
  },
  { name: 'reset password', path: '/forgot-password?token=rst_example', shows: text('New password') },
  { name: 'nothing there', long: true, path: '/nowhere', shows: text('Page not found') },
]

/** The longest possible names, because shorter ones make no screen wider. */
const word = 'Averylongnamewithoutasinglespace'
const longest = () => ({
  server: word.repeat(4).slice(0, 100),
  workspace: word.repeat(4).slice(0, 100),
  owner: {
    name: word.repeat(4).slice(0, 100),
    // Unique per run.
    email: `${randomBytes(32).toString('hex')}@${'b'.repeat(63)}.${'c'.repeat(63)}.example`,
  },
})

test('has accessible screens before login that fit every width', async () => {
  const page = await stage.page()
  expect(await faults(page, '/login', openScreens)).toEqual([])
})

/** A few at a time, so that each test ends within its limit on a slow machine. */
const inParts = (screens: readonly Screen[], many = 12) =>
  Array.from({ length: Math.ceil(screens.length / many) }, (_, index) => ({
    from: index * many + 1,
    screens: screens.slice(index * many, (index + 1) * many),
  }))

test.each(inParts(dashboardScreens))(
  'has accessible dashboard screens that fit every width, from screen $from on',
  async ({ screens }) => {
    const { token } = await makeBusyWorkspace(stage.ctx, longest())
    const page = await stage.page({ token })
    expect(await faults(page, '/dashboard', screens)).toEqual([])
  },
)

test.each(inParts(serverScreens))(
  'has accessible server screens that fit every width, from screen $from on',
  async ({ screens }) => {
    const { token } = await makeBusyWorkspace(stage.ctx, longest())
    const page = await stage.page({ token })
    expect(await faults(page, '/dashboard', screens)).toEqual([])
  },
)
