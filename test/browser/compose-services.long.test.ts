import type { Locator, Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { composeSealContext } from '../../server/areas/applications/compose.ts'
import { changeApplication } from '../../server/areas/applications/application.ts'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { loadApp } from '../support/rig/load-app.ts'
import { takeSetUpHost } from '../support/stages/setups.ts'
import { faults } from '../support/browser/faults.ts'
import type { Screen } from '../support/browser/walk.ts'
import { button, field, isAt, misses, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'

const host = await takeSetUpHost()
await loadApp(host, '1', '2')
const stage = await openStage({ PROXY_IMAGE: host.image.name })
const { db } = stage.database
const { workspace, member, admin } = await makeTeam(db)
const server = await makeServer(stage.ctx, workspace, host, { name: 'web-1' })

const docker = (...args: string[]) => host.exec('docker', ...args)

/** A busy machine needs time to start containers. */
const soon = { timeout: 90_000 }
vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 })

const fileOf = ({ web = '1', more = '' } = {}) => `services:
  web:
    image: rig/app:${web}
    expose: ["3000"]${more}
  api:
    image: rig/app:1
  db:
    image: rig/app:1
    entrypoint: ["node", "-e", "setInterval(() => {}, 1000)"]
    stop_grace_period: 1s
    volumes: ["data:/data"]
volumes: { data: {} }
`

async function makeShop(name: string) {
  const given = { name, slug: name, image: null, source_type: 'compose', services: ['web', 'api', 'db'] }
  const id = await makeApplication(db, workspace, server, { ...given, drain_seconds: 1 })
  const write = (text: string) =>
    changeApplication(db, workspace, id, {
      compose_sealed: stage.ctx.secrets.seal(composeSealContext(id), text),
    })
  await write(fileOf())
  return { write, path: `/dashboard/applications/${id}` }
}

const details = (page: Page) => page.getByRole('dialog', { name: /^Deployment of / })
const planned = (within: Page | Locator, service: string) =>
  within.getByRole('table', { name: 'Plan' }).getByRole('row').filter({ hasText: service })
const shows = (within: Locator, word: string) =>
  within.locator('[data-tone]').filter({ hasText: word }).first().waitFor(soon)
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Application' }).getByRole('link', { name, exact: true })

test('shows the plan, lists services, adds a domain and rolls services one by one', async () => {
  const { path, write } = await makeShop('shop')
  const page = await stage.page({ token: member.token })
  await page.goto('/dashboard/applications')
  await sees(page.getByText('Compose · 3 services'))
  await page.goto(`${path}/services`)
  await isAt(page, path)

  await button(page, 'Deploy').click()
  const first = page.getByRole('dialog', { name: 'Deploy shop' })
  for (const name of ['web', 'api', 'db']) await planned(first, name).getByText('Added').waitFor(soon)
  await page.keyboard.press('Escape')
  await misses(first)
  await button(page, 'Deploy').click()
  await planned(first, 'web').waitFor(soon)
  await write(`# Saved by another member\n${fileOf()}`)
  await button(first, 'Deploy').click()
  await first.getByRole('region', { name: 'Configuration changed' }).waitFor(soon)
  await button(first, 'Deploy').click()
  await shows(details(page), 'Completed')
  await details(page).getByText('Plan: 3 added').click()
  await sees(planned(details(page), 'db').getByText('Added'))
  await page.keyboard.press('Escape')

  const web = page.getByRole('region', { name: 'web', exact: true })
  await shows(web, 'Running')
  await sees(web.getByText('1 of 1 running'))
  await sees(web.getByRole('table', { name: 'Containers of web' }).getByText(/^shop-web-1-/))
  await page.getByRole('link', { name: 'Logs of db', exact: true }).click()
  await page.waitForURL(/\/containers\/[0-9a-f]{64}\/logs$/)
  await sees(page.getByText('Service db of shop'))
  await page.getByRole('link', { name: 'shop', exact: true }).click()
  await isAt(page, path)

  await page.getByRole('link', { name: 'Add domain to web' }).click()
  const domain = page.getByRole('dialog', { name: 'Add domain' })
  await field(domain, 'Domain').fill('shop.test')
  await sees(domain.getByText('Container port. web listens on 3000.'))
  expect(await domain.getByRole('combobox', { name: 'Service' }).textContent()).toBe('web')
  expect(await field(domain, 'Port').inputValue()).toBe('3000')
  await domain.getByLabel('HTTPS').uncheck()
  await button(domain, 'Add domain').click()
  await sees(page.getByText('Routes to port 3000 of web'))

  await write(fileOf({ web: '2' }))
  await button(page, 'View changes').click()
  const difference = page.getByRole('dialog', { name: 'Undeployed changes' })
  await sees(difference.getByText('web.image'))
  await planned(difference, 'web').getByText('Rolling update').waitFor(soon)
  await sees(planned(difference, 'web').getByText(/Zero downtime/))
  await sees(planned(difference, 'api').getByText('Unchanged'))
  await sees(planned(difference, 'db').getByText('Unchanged'))
  await button(difference, 'Deploy').click()
  await shows(details(page), 'Completed')
  await sees(details(page).getByText('Plan: 1 rolling update, 2 unchanged'))
  await sees(details(page).getByText('Roll web, leave api and db alone'))
  await sees(details(page).getByText('Pull images'))
  await page.keyboard.press('Escape')

  await button(page, 'Actions for shop').click()
  await page.getByRole('menuitem', { name: 'Roll back…' }).click()
  const back = page.getByRole('dialog', { name: 'Roll back shop' })
  await planned(back, 'web').getByText('Rolling update').waitFor(soon)
  await sees(back.getByText(/web: rig\/app:1/))
  await button(back, 'Cancel').click()

  await tab(page, 'Settings').click()
  await sees(page.getByRole('row').filter({ hasText: 'data' }).getByText('db', { exact: true }))
  await page.goto(`${path}/logs`)
  await page.getByRole('combobox', { name: 'Container' }).click()
  await page.getByRole('option', { name: 'Service api' }).click()
  await isAt(page, `${path}/logs?container=service%3Aapi`)
  await sees(page.getByRole('log', { name: 'Log of api' }))

  const screens: Screen[] = [
    { name: 'services', path, shows: () => sees(web) },
    {
      name: 'plan',
      path: `${path}?dialog=deploy`,
      shows: () => planned(first, 'web').waitFor(soon),
    },
    { name: 'overview', path, shows: () => sees(page.getByText('3/3 running, 1 receiving traffic')) },
    {
      name: 'domain of a service',
      path: `${path}/networking?dialog=add-domain-api`,
      shows: () => sees(domain),
    },
  ]
  expect(await faults(page, path, screens)).toEqual([])

  const [api = ''] = (await docker('ps', '-q', '--filter', 'name=shop-api-')).split('\n')
  await docker('kill', api)
  await page.goto('/dashboard/applications')
  const row = page.getByRole('row').filter({ hasText: 'shop' })
  await shows(row, 'Degraded')
  await row.getByText('api exited with code 137.').waitFor(soon)
})

test('shows what gives containers host access, which requires an admin', async () => {
  const { path, write } = await makeShop('till')
  await write(fileOf({ more: '\n    privileged: true' }))
  const page = await stage.page({ token: member.token })
  await page.goto(`${path}?dialog=deploy`)
  const dialog = page.getByRole('dialog', { name: 'Deploy till' })
  await dialog.getByRole('region', { name: 'Host access' }).getByText(/web/).waitFor(soon)
  await sees(dialog.getByText('Containers get host access, which requires an admin'))
  expect(await button(dialog, 'Deploy').isDisabled()).toBe(true)
  await sees(dialog.getByText(/A workspace admin must review the plan and deploy it/))

  await write('services:\n  web:\n    image: rig/app:1\n    imgae: x\n')
  await page.reload()
  await dialog.getByText('This configuration cannot be deployed').waitFor(soon)
  expect(await button(dialog, 'Deploy').isDisabled()).toBe(true)

  await write(fileOf({ more: '\n    privileged: true' }))
  const other = await stage.visitor({ token: admin.token })
  await other.goto(`${path}?dialog=deploy`)
  await planned(other, 'web').getByText('Added').waitFor(soon)
  expect(await button(other.getByRole('dialog'), 'Deploy').isEnabled()).toBe(true)

  const deploy = async (text: string) => {
    await write(text)
    await other.goto(`${path}?dialog=deploy`)
    await planned(other, 'web').waitFor(soon)
    await button(other.getByRole('dialog'), 'Deploy').click()
    await shows(details(other), 'Completed')
  }
  const plain = 'services:\n  web:\n    image: rig/app:1\n    stop_grace_period: 1s\n'
  await deploy(`${plain}    volumes: ["/srv:/srv:ro"]\n`)
  await deploy(plain)
  await page.goto(`${path}?dialog=roll-back`)
  const back = page.getByRole('dialog', { name: 'Roll back till' })
  await back.getByText(/Ask a workspace admin to roll back to it/).waitFor(soon)
  expect(await button(back, 'Roll back to release 1').isDisabled()).toBe(true)
})
