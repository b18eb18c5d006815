import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, field, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeBusyWorkspace } from '../worlds/world.ts'

const create = '/dashboard/applications/create'
const text = (words: string) => (page: Page) =>
  sees(page.getByText(words, { exact: true }).filter({ visible: true }).first())

const images = ['nginx:1.27-alpine', `registry.harbour.example:5000/team/${'averylongname'.repeat(8)}/api:1`]

/** No server exists; its images are faked. */
const tellImages = (page: Page) =>
  page.route(/\/v1\/servers\/[^/]+\/images/, (route) =>
    route.fulfill({
      json: {
        images: images.map((tag, index) => ({
          id: `sha256:${index}`,
          tags: [tag],
          digests: [],
          size_bytes: 43_200_000,
          created_at: null,
          used_by: [],
          own: false,
        })),
        page: { next: null, total: images.length },
      },
    }),
  )

const section = (page: Page, title: string) => page.locator('summary', { hasText: title })

/** In order: each uses the input of the previous one. */
const newApplicationScreens: Screen[] = [
  {
    name: 'new application without an image',
    path: create,
    after: (page) => button(page, 'Deploy').click(),
    shows: text('Enter an image name or choose an image from a server.'),
  },
  {
    name: 'images on a server',
    path: create,
    after: async (page) => {
      await page.getByRole('combobox', { name: 'Server' }).click()
      await page.getByRole('option', { name: 'web-1' }).click()
      await section(page, 'Images on web-1').click()
    },
    shows: (page) => sees(page.getByRole('list', { name: 'Images' })),
  },
  {
    name: 'new application with open sections',
    path: create,
    after: async (page) => {
      await field(page, 'Image').fill('ghcr.io/acme/storefront:4.2')
      for (const title of [
        'Environment variables',
        'Domains',
        'Ports',
        'Health check',
        'Resources',
        'Advanced',
      ])
        await section(page, title).click()
      await field(page, 'Name of variable 1').fill('LOG_LEVEL')
      await button(page, 'Add variable').click()
      await field(page, 'Labels (optional)').fill('team=storefront,tier=web,')
    },
    shows: (page) => sees(button(page, 'Remove tier=web')),
  },
  {
    name: 'new application with errors',
    path: create,
    after: async (page) => {
      await section(page, 'Environment variables').click()
      await button(page, 'Edit as text').click()
      await field(page, 'Variables').fill('NOT A NAME=1\n=nothing')
      await section(page, 'Ports').click()
      await field(page, 'Published ports (optional)').fill('22:22')
      await button(page, 'Deploy').click()
    },
    shows: (page) => sees(page.getByText(/^“NOT A NAME”: Must start/).first()),
  },
  {
    name: 'new application with warnings',
    path: create,
    after: async (page) => {
      await section(page, 'Environment variables').click()
      await button(page, 'Edit as text').click()
      await field(page, 'Variables').fill('LOG_LEVEL=info')
      await section(page, 'Ports').click()
      await field(page, 'Published ports (optional)').fill('')
      await section(page, 'Volumes').click()
      await field(page, 'Volumes (optional)').fill('data:/data')
    },
    shows: text('Warnings'),
  },
]

// No worker runs, so that servers stay as shown.
const stage = await openStage({ ROLE: 'web' })

test('has accessible screens for new applications that fit every width', async () => {
  const server = 'Averylongnamewithoutasinglespace'.repeat(4).slice(0, 100)
  const { token } = await makeBusyWorkspace(stage.ctx, { server })
  const page = await stage.page({ token })
  await tellImages(page)
  expect(await faults(page, '/dashboard', newApplicationScreens)).toEqual([])
})
