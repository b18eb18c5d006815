import { afterAll, expect, test } from 'vitest'
import type { Id } from '../../contract/shared/ids.ts'
import { makeCloudToken } from '../support/factories/cloud-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'
import { button, field, heading, isAt, misses, sees, toast } from '../support/console/see.ts'
import type { ConsolePage } from '../support/console/page.ts'
import { openConsole } from '../support/console/open-console.ts'
import { type CloudState, makeShownCloudServer } from '../worlds/world-clouds.ts'

const hetzner = await startFakeHetzner()
afterAll(() => hetzner.close())
// No worker runs, so that each server stays as it is.
const stage = await openConsole({
  ...hetzner.env,

  PUBLIC_URL: 'https://slipway.example.com',
  // Servers of this file refuse connections.
  OUTBOUND_NETWORKS: '127.0.0.0/8',
})
const { db } = stage.slipway
const { workspace, admin, viewer } = await makeTeam(db)
const tokenId = await makeCloudToken(stage.slipway.ctx, workspace, hetzner.addToken(), { name: 'Acme' })

const make = (state: CloudState, cloud = {}) =>
  makeShownCloudServer(stage.slipway.ctx, workspace, tokenId, state, cloud)
const pathOf = (id: string) => `/dashboard/servers/${id}`
const step = (page: ConsolePage, words: string) => page.getByRole('list', { name: 'Steps' }).getByText(words)
const notice = (page: ConsolePage, name: string) => page.getByRole('region', { name, exact: true })
const change = (id: Id<'server'>, values: object) =>
  db.updateTable('servers').set(values).where('id', '=', id).execute()

test('shows a creation step by step with its obstacles', async () => {
  const id = await make('ordering')
  const page = stage.page({ token: admin.token })
  await page.goto(pathOf(id))
  await sees(heading(page, 'Creating at Hetzner'))
  await sees(step(page, 'Create, in progress'))
  await sees(step(page, 'Verify, pending'))
  await sees(page.getByText('€4.51 a month'))
  await db
    .updateTable('cloud_servers')
    .set({ step: 'boot', cloud_id: '77' })
    .where('server_id', '=', id)
    .execute()
  await sees(step(page, 'Boot, in progress'))
  await sees(page.getByText('Hetzner created the server. It boots in about a minute.'))
  const away = 'Hetzner does not answer. Slipway keeps trying.'
  await change(id, { reason: away })
  await sees(notice(page, 'Waiting').getByText(away))
  await db.updateTable('cloud_servers').set({ step: 'call' }).where('server_id', '=', id).execute()
  await change(id, { reason: null, address: '203.0.113.7' })
  await sees(step(page, 'Connect to Slipway, in progress'))
  await misses(notice(page, 'Waiting'))
  // Other pages explain why there is nothing.
  await page.getByRole('navigation', { name: 'Server' }).getByRole('link', { name: 'Settings' }).click()
  await sees(notice(page, 'ordering is being created'))
  await expect.poll(() => page.getByText('SSH port').count()).toBe(0)
})

test('deletes a waiting creation, and links the token if it is the cause', async () => {
  const page = stage.page({ token: admin.token })
  const waiting = notice(page, 'Waiting')
  const id = await make('waiting')
  await page.goto(pathOf(id))
  await button(waiting, 'Delete').click()
  await sees(page.getByRole('alertdialog', { name: 'Delete waiting?' }))
  await page.keyboard.press('Escape')
  const tokens = waiting.getByRole('link', { name: 'Cloud tokens' })
  await expect.poll(() => tokens.count()).toBe(0)
  const error = 'Hetzner rejected the token.'
  const refused = await makeCloudToken(stage.slipway.ctx, workspace, 'revoked', { name: 'Revoked', error })
  await page.goto(pathOf(await make('waiting', { cloud_token_id: refused, cloud_id: '8' })))
  await tokens.click()
  await isAt(page, '/dashboard/settings/cloud-tokens')
})

test('continues with the first setup after the creation', async () => {
  const page = stage.page({ token: admin.token })
  await page.goto(pathOf(await make('arriving')))
  for (const words of ['Create, done', 'Connect to Slipway, done', 'Docker, in progress', 'Verify, pending'])
    await sees(step(page, words))
})

test('explains a failed creation with its cost and offers all ways out', async () => {
  const page = stage.page({ token: admin.token })
  const refused = await make('refused')
  await page.goto(pathOf(refused))
  const failed = notice(page, 'Could not create refused')
  await sees(failed.getByText(/sold out in fsn1/))
  await sees(step(page, 'Create, failed'))
  await expect.poll(() => button(failed, 'Connect over SSH').count()).toBe(0)
  await failed.getByRole('link', { name: 'Change configuration' }).click()
  await isAt(page, `/dashboard/servers/create?again=${refused}`)
  await page.goto(pathOf(refused))
  await button(failed, 'Try again').click()
  await misses(failed)
  await sees(step(page, 'Create, in progress'))

  const silent = await make('silent')
  await change(silent, { address: '127.0.0.1', port: 1 })
  await page.goto(pathOf(silent))
  const quiet = notice(page, 'Could not create silent')
  await sees(quiet.getByText(/It costs €4\.51 a month/))
  await expect.poll(() => quiet.getByRole('link', { name: 'Change configuration' }).count()).toBe(0)
  // Shows the import command for a manual run.
  await button(page, 'Show command').click()
  await sees(page.getByText(/^printf .*https:\/\/slipway\.example\.com/))
  await button(quiet, 'Connect over SSH').click()
  // The cost stays visible.
  await sees(quiet.getByText(/connection refused on port 1\. .* The server costs €4\.51 a month/))
  await page.goto(pathOf(await make('shown')))
  await sees(heading(page, 'Confirm the host key of shown'))
  const asked = notice(page, 'Could not create shown')
  await sees(button(asked, 'Delete'))
  await expect.poll(() => button(asked, 'Connect over SSH').count()).toBe(0)

  const other = stage.page({ token: viewer.token })
  await other.goto(pathOf(silent))
  await sees(notice(other, 'Could not create silent'))
  await expect.poll(() => button(other, 'Try again').count()).toBe(0)
})

test('destroys or forgets a server', async () => {
  const page = stage.page({ token: admin.token })
  const id = await make('resized')
  await page.goto(`${pathOf(id)}/settings`)
  await button(page, 'Delete server').click()
  const question = page.getByRole('alertdialog', { name: 'Delete resized?' })
  const [destroy, keep] = ['Destroy the server at Hetzner', 'Forget the server in Slipway only'].map((name) =>
    question.getByRole('radio', { name }),
  )
  await expect.poll(() => destroy?.isChecked()).toBe(true)
  await sees(question.getByText('costs €7.55 a month until you delete it there', { exact: false }))
  await keep?.check()
  await sees(button(question, 'Delete server'))
  await destroy?.check()
  await field(question, 'Type resized to confirm').fill('resized')
  await page.keyboard.press('Enter')
  await sees(notice(page, 'resized is being deleted'))
  await misses(question)
  await isAt(page, pathOf(id))
  await expect
    .poll(() => page.getByRole('navigation', { name: 'Server' }).getByText('Settings').count())
    .toBe(0)
  await db.deleteFrom('servers').where('id', '=', id).execute()
  await isAt(page, '/dashboard/servers')
  await sees(toast(page, 'Server deleted'))
})

test('explains a failed destruction, and forgets the server with its cost', async () => {
  const page = stage.page({ token: admin.token })
  await page.goto(pathOf(await make('lingering')))
  const deleting = notice(page, 'lingering is being deleted')
  await sees(deleting.getByText(/still costs €4\.51 a month/))
  await sees(button(deleting, 'Retry now'))
  await button(deleting, 'Forget server').click()
  const question = page.getByRole('alertdialog', { name: 'Forget lingering?' })
  await sees(question.getByText(/cost €4\.51 a month until you delete them there/))
  await field(question, 'Type lingering to confirm').fill('lingering')
  await page.keyboard.press('Enter')
  await isAt(page, '/dashboard/servers')
  await misses(page.getByRole('link', { name: 'lingering' }))
})

test('explains unavailable options', async () => {
  const page = stage.page({ token: admin.token })
  await page.goto(`${pathOf(await make('ordering'))}?dialog=delete`)
  await sees(page.getByText('Unavailable while Hetzner is creating the server.'))
  await expect
    .poll(() => page.getByRole('radio', { name: 'Forget the server in Slipway only' }).isDisabled())
    .toBe(true)
  await page.goto(`${pathOf(await make('unseen'))}?dialog=delete`)
  await sees(
    page.getByText('Slipway has no cloud token for this Hetzner account. Add one to destroy the server.'),
  )
  await expect
    .poll(() => page.getByRole('radio', { name: 'Destroy the server at Hetzner' }).isDisabled())
    .toBe(true)
  expect(await page.getByRole('radio', { name: 'Forget the server in Slipway only' }).isChecked()).toBe(true)
})

test('shows changes at the provider and what to do', async () => {
  const page = stage.page({ token: admin.token })
  await page.goto(pathOf(await make('deleted')))
  await button(notice(page, 'deleted was deleted at Hetzner'), 'Delete server').click()
  const question = page.getByRole('alertdialog', { name: 'Delete deleted?' })
  await sees(question.getByText('The server no longer exists at Hetzner.', { exact: false }))
  await expect.poll(() => question.getByRole('radio').count()).toBe(0)
  // Duplicates are destroyed as well.
  const others = { cloud_id: '5', status: 'deleted', duplicates: ['104000099'] } as const
  await page.goto(`${pathOf(await make('duplicated', others))}?dialog=delete`)
  const left = page.getByRole('radio', { name: 'Destroy the remaining servers at Hetzner' })
  await expect.poll(() => left.isChecked()).toBe(true)

  await page.goto(pathOf(await make('stopped')))
  const there = notice(page, 'stopped is powered off at Hetzner').getByRole('link', {
    name: /^Open at Hetzner/,
  })
  await expect.poll(() => there.getAttribute('href')).toMatch(/^https:\/\/console\.hetzner/)
  // Shows why the server is unreachable.
  await expect.poll(() => notice(page, 'stopped is unreachable').count()).toBe(0)

  const moved = await make('moved')
  await page.goto(`${pathOf(moved)}/containers`)
  await button(notice(page, 'moved has a new address at Hetzner'), 'Use new address').click()
  await sees(toast(page, 'Address updated. Connect to the server next.'))
  await misses(notice(page, 'moved has a new address at Hetzner'))
  const row = await db.selectFrom('servers').select('address').where('id', '=', moved).executeTakeFirst()
  expect(row?.address).toBe('203.0.113.88')

  const resized = await make('resized')
  await page.goto(pathOf(resized))
  await sees(notice(page, 'resized was resized at Hetzner').getByText(/from cx23 to cx33/))
  await page.getByRole('link', { name: 'Containers' }).click()
  await misses(notice(page, 'resized was resized at Hetzner'))
  await page.goto(pathOf(await make('unseen', { cloud_id: '9' })))
  await sees(page.getByText('Unknown', { exact: true }))
  await notice(page, 'unseen has an unknown status at Hetzner')
    .getByRole('link', { name: 'Cloud tokens' })
    .click()
  await isAt(page, '/dashboard/settings/cloud-tokens')
})
