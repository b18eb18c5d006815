import { afterAll, expect, test } from 'vitest'
import { cloudTokenSealContext } from '../../server/areas/cloud-tokens/cloud-token.ts'
import { makeCloudServer, makeCloudToken, orderedServers } from '../support/factories/cloud-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'
import { startFakeVultr } from '../support/fakes/clouds/vultr.ts'
import { button, field, heading, sees } from '../support/console/see.ts'
import type { ConsolePage } from '../support/console/page.ts'
import { openConsole } from '../support/console/open-console.ts'

const [hetzner, vultr] = [await startFakeHetzner(), await startFakeVultr()]
afterAll(() => Promise.all([hetzner.close(), vultr.close()]))
hetzner.soldOut('cx33', 'fsn1')
// No worker runs, so that the order stays as it is.
const stage = await openConsole({
  ...hetzner.env,
  ...vultr.env,

  PUBLIC_URL: 'http://slipway.test',
})
const { db } = stage.slipway

const create = '/dashboard/servers/create'
const region = (page: ConsolePage, name: string) =>
  page.getByRole('group', { name: 'Region' }).getByRole('radio', { name })
const types = (page: ConsolePage) => page.getByRole('table', { name: 'Types' })
const type = (page: ConsolePage, name: string) =>
  types(page).getByRole('radio', { name: new RegExp(`^${name}\\b`) })
const summary = (page: ConsolePage) => page.locator('section').filter({ has: heading(page, 'Summary') })
const isChecked = async (page: ConsolePage, name: string) => {
  await expect.poll(() => type(page, name).isChecked()).toBe(true)
}

test('shows missing input at its place, keeps choices in the link, and orders once', async () => {
  const { workspace, admin } = await makeTeam(db)
  await makeCloudToken(stage.slipway.ctx, workspace, hetzner.addToken(), { name: 'Acme' })
  await makeCloudToken(stage.slipway.ctx, workspace, vultr.addToken(), { name: 'Spare', provider: 'vultr' })
  const page = stage.page({ token: admin.token })
  await page.goto(create)
  await page.getByRole('radio', { name: 'Acme' }).check()
  await sees(region(page, 'Falkenstein'))
  await button(page, 'Create server').click()
  await sees(page.getByRole('group', { name: 'Region' }).getByText('Choose one.'))
  await expect.poll(() => document.activeElement?.getAttribute('name')).toBe('cloud.region')
  await region(page, 'Falkenstein').check()
  await type(page, 'CAX11').check()
  await page.reload()
  await isChecked(page, 'CAX11')

  // A choice that another cloud lacks is dropped there and restored on return.
  await page.getByRole('radio', { name: 'Spare' }).check()
  await sees(summary(page).getByText('Spare'))
  await sees(page.getByText('Choose a region first.'))
  await page.getByRole('radio', { name: 'Acme' }).check()
  await isChecked(page, 'CAX11')
  await page.getByRole('radio', { name: 'Ubuntu 24.04' }).check()
  // The selection stays while searching.
  await field(page, 'Search types').fill('zzz')
  await sees(page.getByText('No types match “zzz”'))
  await field(page, 'Name').fill('web-2')
  await button(page, 'Create server').dblclick()
  await sees(heading(page, 'web-2'))
  expect(await orderedServers(db, workspace)).toEqual([
    { name: 'web-2', status: 'provisioning', region: 'fsn1', type: 'cax11', image: 'ubuntu-24.04' },
  ])
})

test('selects the only token that works', async () => {
  const { workspace, admin } = await makeTeam(db)
  await makeCloudToken(stage.slipway.ctx, workspace, hetzner.addToken(), { name: 'Acme' })
  const error = 'Hetzner rejected this token: it is invalid, revoked or expired.'
  await makeCloudToken(stage.slipway.ctx, workspace, 'old', { name: 'Old', error })
  const page = stage.page({ token: admin.token })
  await page.goto(create)
  await expect.poll(() => page.getByRole('radio', { name: 'Acme' }).isChecked()).toBe(true)
  await sees(region(page, 'Falkenstein'))
})

test('shows a type that sold out meanwhile', async () => {
  const { workspace, admin } = await makeTeam(db)
  const token = await makeCloudToken(stage.slipway.ctx, workspace, hetzner.addToken())
  const page = stage.page({ token: admin.token })
  await page.goto(`${create}?region=nbg1&type=cx53`)
  await isChecked(page, 'CX53')
  hetzner.soldOut('cx53', 'nbg1')
  // The catalog is cached for a minute; a replaced token bypasses the cache.
  const sealed = stage.slipway.ctx.secrets.seal(cloudTokenSealContext(token), hetzner.addToken())
  await db.updateTable('cloud_tokens').set({ token_sealed: sealed }).where('id', '=', token).execute()
  await field(page, 'Name').fill('web-4')
  await button(page, 'Create server').click()
  await sees(page.getByText('CX53 is sold out in Nuremberg. Choose another type or region.').first())
  await expect.poll(() => type(page, 'CX53').isDisabled()).toBe(true)
  expect(await orderedServers(db, workspace)).toEqual([])
})

test('reports an unavailable provider and retries', async () => {
  const { workspace, admin } = await makeTeam(db)
  await makeCloudToken(stage.slipway.ctx, workspace, vultr.addToken(), { provider: 'vultr' })
  const page = stage.page({ token: admin.token })
  vultr.down()
  await page.goto(create)
  await sees(page.getByText('Could not load regions'))
  vultr.up()
  await button(page, 'Try again').first().click()
  await sees(region(page, 'Amsterdam'))
})

test('changes the order of a failed creation', async () => {
  const { workspace, admin } = await makeTeam(db)
  const token = await makeCloudToken(stage.slipway.ctx, workspace, hetzner.addToken())
  const reason = 'cx33 is sold out in fsn1. Choose another type or region.'
  const cloud = { step: 'create', cloud_id: null, image: 'debian-12', status: 'unknown' } as const
  const server = {
    name: 'web-3',
    status: 'failed',
    reason,
    region: 'fsn1',
    type: 'cx33',
    address: null,
  } as const
  const id = await makeCloudServer(stage.slipway.ctx, workspace, token, cloud, server)
  const page = stage.page({ token: admin.token })
  await page.goto(`/dashboard/servers/${id}`)
  await page.getByRole('link', { name: 'Change configuration' }).click()
  await sees(page.getByText(reason))
  await expect.poll(() => region(page, 'Falkenstein').isChecked()).toBe(true)
  await type(page, 'CX23').check()
  await field(page, 'Name').fill('web-5')
  await button(page, 'Create server').click()
  await sees(heading(page, 'web-5'))
  expect(await orderedServers(db, workspace)).toEqual([
    { name: 'web-5', status: 'provisioning', region: 'fsn1', type: 'cx23', image: 'debian-12' },
  ])
  await page.goto(`${create}?again=${id}`)
  await sees(page.getByText('Cannot change the configuration of web-5'))
})
