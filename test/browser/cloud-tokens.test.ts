import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { makeCloudToken } from '../support/factories/cloud-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, field, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'

const hetzner = await startFakeHetzner()
afterAll(() => hetzner.close())
const stage = await openStage({ ...hetzner.env, ROLE: 'web' })
const { db } = stage.database

const place = '/dashboard/settings/cloud-tokens'
const dialog = (page: Page) => page.getByRole('dialog')

test('has accessible screens that fit every width', async () => {
  const { workspace, admin } = await makeTeam(db)
  const long = 'averylongnamewithoutasinglespace'.repeat(4).slice(0, 100)
  const id = await makeCloudToken(stage.ctx, workspace, 'x', { name: long, account: `${long}@example.com` })
  const error = 'Hetzner rejected this token: it is invalid, revoked or expired.'
  await makeCloudToken(stage.ctx, workspace, 'y', { name: 'Old', error })
  await makeCloudToken(stage.ctx, workspace, 'z', { name: 'New', checked_at: null })
  const page = await stage.page({ token: admin.token })
  const screens: Screen[] = [
    { name: 'cloud tokens', path: place, shows: (one) => sees(one.getByText('Refused')) },
    {
      name: 'a new cloud token',
      path: `${place}?dialog=add-cloud-token`,
      after: (one) => button(dialog(one), 'Add token').click(),
      shows: (one) => sees(dialog(one).getByText('Fill in this field.')),
    },
    {
      name: 'another token',
      long: true,
      path: `${place}?dialog=edit-${id}`,
      shows: (one) => sees(field(one, 'New token (optional)')),
    },
    {
      name: 'a cloud token to remove',
      path: `${place}?dialog=remove-${id}`,
      shows: (one) => sees(one.getByRole('alertdialog')),
    },
    {
      name: 'what is in the way of clouds',
      path: '/dashboard/servers/create',
      shows: (one) => sees(one.getByText(/Set PUBLIC_URL/)),
    },
  ]
  expect(await faults(page, '/dashboard', screens)).toEqual([])
})
