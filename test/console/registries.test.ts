import { afterAll, expect, test } from 'vitest'
import { fillDockerHub } from '../support/factories/docker-hub-images.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeDockerHub } from '../support/fakes/docker-hub.ts'
import { button, field, misses, sees } from '../support/console/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import type { ConsolePage } from '../support/console/page.ts'
import { openConsole } from '../support/console/open-console.ts'

const hub = await startFakeDockerHub()
afterAll(() => hub.close())
const stage = await openConsole({ ...hub.env })
const { db } = stage.slipway
fillDockerHub(hub)

const create = '/dashboard/applications/create'
const found = (page: ConsolePage, place: string) => page.getByRole('region', { name: `Images of ${place}` })
const tags = (page: ConsolePage, of: string) => page.getByRole('region', { name: `Tags of ${of}` })
const chooseImage = (page: ConsolePage) => page.getByRole('radio', { name: 'Docker image' }).check()
const image = (page: ConsolePage) => field(page, 'Image')

test('finds an image on Docker Hub with a tag, or accepts typed input', async () => {
  const { workspace, member } = await makeTeam(db)
  await makeShownServer(db, workspace, { architecture: 'aarch64' })
  const page = stage.page({ token: member.token })
  await page.goto(create)
  await chooseImage(page)
  await image(page).pressSequentially('ngin')
  const official = found(page, 'Docker Hub').getByRole('button', { name: /^nginx Official/ })
  await sees(official.getByText('12.3B pulls'))
  await official.click()
  await expect.poll(() => image(page).inputValue()).toBe('nginx')
  await tags(page, 'nginx').getByLabel('Search tags').fill('1.27')
  await misses(tags(page, 'nginx').getByRole('button', { name: /^latest/ }))
  await tags(page, 'nginx')
    .getByRole('button', { name: /^1\.27 amd64/ })
    .click()
  await expect.poll(() => image(page).inputValue()).toBe('nginx:1.27')
  await misses(tags(page, 'nginx'))
  await button(page, 'Choose another tag').click()
  await sees(tags(page, 'nginx'))
  await image(page).fill('ghcr.io/acme/shop:2')
  await misses(found(page, 'Docker Hub'))
  hub.fail('/v2/search/repositories/', 'down')
  await image(page).fill('caddy')
  await sees(page.getByText('The request to Docker Hub failed: status 503.'))
  hub.fail('/v2/search/repositories/', undefined)
})
