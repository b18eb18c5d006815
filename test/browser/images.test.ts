import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { runContainer } from '../support/stages/containers.ts'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { makeImage, publish, startRegistry } from '../support/programs/registry.ts'
import { startGate } from '../support/fakes/registry-gate.ts'
import { busyboxImage } from '../support/rig/images.ts'
import { takeHost } from '../support/stages/take-host.ts'
import { button, field, misses, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'

const host = await takeHost()
const registry = await startRegistry(host)
const image = await publish(host, registry, 'shop/web:1.0', { a: 3_000_000, b: 2_500_000 })
const stage = await openStage()

/** Creates a team with a server and opens its images. */
async function fresh() {
  const team = await makeTeam(stage.database.db)
  const server = await makeServer(stage.ctx, team.workspace, host, { name: 'web-1' })
  return { ...team, server, path: `/dashboard/servers/${server}/images` }
}

const row = (page: Page, words: string) =>
  page.getByRole('table', { name: 'Images' }).getByRole('row').filter({ hasText: words })
const dialog = (page: Page) => page.getByRole('dialog')
const bar = (page: Page, name: string) => page.getByRole('progressbar', { name: `Pulling ${name}` })

async function ask(page: Page, name: string) {
  await field(page, 'Image').fill(name)
  await dialog(page).getByRole('button', { name: 'Pull image' }).click()
}

async function removeByMenu(page: Page, name: string) {
  await button(page, `Actions for ${name}`).click()
  await page.getByRole('menuitem', { name: 'Remove image' }).click()
}

test('shows a pull layer by layer to all members', async () => {
  const { admin, viewer, path } = await fresh()
  const gate = await startGate(registry)
  gate.close()
  const slow = image.replace(registry.address, gate.address)
  const [page, other] = [
    await stage.page({ token: admin.token }),
    await stage.visitor({ token: viewer.token }),
  ]
  await other.goto(path)
  await sees(row(other, 'rig/busybox:latest'))
  await page.goto(path)
  await button(page, 'Pull image').click()
  await ask(page, 'Not a name')
  await sees(dialog(page).getByText('Must be an image name, such as nginx:1.27'))
  await ask(page, slow)
  // The address of the registry is hidden.
  await sees(
    dialog(page)
      .getByText(/^Pulling .*\/shop\/web:1\.0/)
      .first(),
  )
  await sees(dialog(page).getByText('Downloading').first())
  await expect
    .poll(() => dialog(page).getByRole('list', { name: 'Layers' }).getByRole('listitem').count())
    .toBe(3)

  // The pull continues after closing; a viewer cannot cancel it.
  await button(page, 'Close').first().click()
  await misses(dialog(page))
  await sees(bar(page, slow))
  await sees(button(page, `Cancel the pull of ${slow}`))
  await sees(bar(other, slow))
  await sees(other.getByText(/of 3 layers/))
  await misses(button(other, `Cancel the pull of ${slow}`))
  gate.open()
  await sees(row(page, slow))
  await sees(row(other, slow))
  await misses(bar(page, slow))
})

longTest('cancels a pull, and explains and retries a failed one', async () => {
  const { admin, path } = await fresh()
  const gate = await startGate(registry)
  gate.close()
  await host.exec('docker', 'image', 'prune', '--all', '--force')
  const slow = image.replace(registry.address, gate.address)
  const page = await stage.page({ token: admin.token })
  await page.goto(`${path}?dialog=pull-image`)
  await ask(page, slow)
  await button(page, `Cancel the pull of ${slow}`).first().click()
  await sees(dialog(page).getByText(`Canceled pull of ${slow}`))
  await page.keyboard.press('Escape')
  await misses(dialog(page))
  await misses(bar(page, slow))

  await button(page, 'Pull image').first().click()
  await ask(page, `${registry.address}/shop/none`)
  await sees(dialog(page).getByText('has no image').first())
  await button(page, 'Close').first().click()
  await sees(page.getByRole('main').getByText('has no image'))
  await button(page, `Retry the pull of ${registry.address}/shop/none:latest`).click()
  await sees(page.getByText('just now').first())
  await sees(page.getByRole('main').getByText('has no image'))
  // The input is kept for correction; a dismissed failure stays hidden after a reload.
  await button(page, `Edit name ${registry.address}/shop/none:latest and pull`).click()
  await vi.waitFor(async () =>
    expect(await field(page, 'Image').inputValue()).toBe(`${registry.address}/shop/none:latest`),
  )
  await ask(page, 'UPPER/case')
  await sees(dialog(page).getByText('Must be an image name, such as nginx:1.27'))
  await ask(page, `${registry.address}/shop/nobody`)
  await sees(dialog(page).getByText('has no image').first())
  await sees(dialog(page).getByRole('button', { name: /^Edit name/ }))
  await button(page, 'Close').first().click()
  for (const name of ['none', 'nobody'])
    await button(page, `Hide the failed pull of ${registry.address}/shop/${name}:latest`).click()
  await misses(page.getByRole('main').getByText('has no image'))
  await page.reload()
  await sees(page.getByRole('button', { name: 'Pull image' }).first())
  await misses(page.getByRole('main').getByText('has no image'))
})

test('searches, sorts and removes images, and names users of an image', async () => {
  const { admin, path } = await fresh()
  await host.loadImage(await busyboxImage())
  await makeImage(host, 'shop/old:1', { c: 1_000 })
  await host.exec('docker', 'tag', 'shop/old:1', 'shop/old:2')
  const cid = await runContainer(host, { options: ['--name', 'counter'] })
  const page = await stage.page({ token: admin.token })
  await page.goto(path)
  await sees(row(page, 'shop/old:1'))
  await sees(row(page, 'rig/busybox:latest').getByRole('link', { name: 'counter' }))
  await expect
    .poll(() => row(page, 'rig/busybox').getByRole('link').getAttribute('href'))
    .toMatch(new RegExp(`/containers/${cid}$`))
  await page.getByRole('searchbox', { name: 'Search images' }).fill('OLD')
  await misses(row(page, 'rig/busybox'))
  await removeByMenu(page, 'shop/old:1')
  await sees(page.getByRole('alertdialog').getByText('shop/old:1, shop/old:2'))
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove image' }).click()
  await sees(page.getByText('Image removed'))
  await sees(page.getByText('No images match “OLD”'))
  await button(page, 'Clear search').click()
  await removeByMenu(page, 'rig/busybox:latest')
  await sees(dialog(page).getByText('rig/busybox:latest is in use'))
  await sees(dialog(page).getByRole('link', { name: 'counter' }))
  await host.exec('docker', 'rm', '--force', 'counter')
})

test('previews pruning, and hides it from viewers', async () => {
  const { admin, viewer, path } = await fresh()
  await host.exec('docker', 'image', 'prune', '--all', '--force')
  await host.loadImage(await busyboxImage())
  await makeImage(host, 'shop/moved', { d: 900_000 })
  await makeImage(host, 'shop/moved', { d: 50_000 })
  await host.exec('docker', 'tag', 'shop/moved', 'shop/also:1')
  await host.exec('docker', 'builder', 'prune', '--all', '--force')
  const page = await stage.page({ token: admin.token })
  await page.goto(path)
  await sees(row(page, 'Untagged'))
  await button(page, 'Prune').click()
  await sees(dialog(page).getByText('Removing 1 image frees up to 879 KiB.'))
  await dialog(page).getByRole('radio', { name: 'All unused' }).check()
  await sees(dialog(page).getByText('shop/moved:latest'))
  await sees(dialog(page).getByText('shop/also:1'))
  await sees(dialog(page).getByText('Images built on this server cannot be pulled again.'))
  await dialog(page).getByRole('radio', { name: 'Untagged only' }).check()
  await button(page, 'Remove 1 image').click()
  await sees(page.getByText('1 image removed, up to 879 KiB freed'))
  await misses(row(page, 'Untagged'))
  const other = await stage.visitor({ token: viewer.token })
  await other.goto(`${path}?dialog=prune`)
  await sees(row(other, 'shop/moved:latest'))
  for (const name of ['Prune', 'Pull image', 'Actions for shop/also:1']) await misses(button(other, name))
  await misses(dialog(other))
})
