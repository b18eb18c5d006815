import { expect, test } from 'vitest'
import type { Id } from '../../contract/shared/ids.ts'
import { madeCertificate } from '../support/factories/certificates.ts'
import { makeApplication } from '../support/factories/application-factories.ts'
import { makeTeam } from '../support/factories/factories.ts'
import { button, field, isAt, misses, sees, toast } from '../support/console/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import type { ConsolePage } from '../support/console/page.ts'
import { openConsole } from '../support/console/open-console.ts'
import { toTxtRecord } from '../../server/areas/applications/hosts/host-names.ts'
import { makeSettings, makeVariables, variables } from '../worlds/world-settings.ts'

// No worker runs, so that everything stays as the tests leave it.
const stage = await openConsole()
const { db } = stage.slipway
const { workspace, viewer, member, admin } = await makeTeam(db)

const server = await makeShownServer(db, workspace)

const application = () => makeApplication(db, workspace, server, { name: 'shop' })
/** An application with entries of every kind, which no test changes. */
const busy = await application()
await makeSettings(stage.slipway.ctx, workspace, busy)
const pathOf = (id: string) => `/dashboard/applications/${id}`

async function open(
  tab: string,
  { id, token = member.token }: { id?: Id<'application'>; token?: string } = {},
) {
  const opened = id ?? (await application())
  const page = stage.page({ token })
  await page.goto(`${pathOf(opened)}/${tab}`)
  return { page, id: opened, path: `${pathOf(opened)}/${tab}` }
}

const choose = async (page: ConsolePage, of: string, item: string) => {
  await button(page, `Actions for ${of}`).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const row = (page: ConsolePage, text: string) => page.getByRole('row').filter({ hasText: text })

test('adds, reveals, replaces and removes variables', async () => {
  const { page, path } = await open('environment')
  await button(page, 'Add variable').click()
  await field(page, 'Name').fill('9LIVES')
  await field(page, 'Value').fill('s3cret')
  await button(page.getByRole('dialog'), 'Add variable').click()
  await sees(page.getByRole('dialog').getByText(/^Must start with a letter/))
  await expect.poll(() => field(page, 'Name').isFocused()).toBe(true)
  expect(await field(page, 'Value').inputValue()).toBe('s3cret')
  await field(page, 'Name').fill('PASSWORD')
  await page.keyboard.press('Enter')
  await isAt(page, path)
  await sees(row(page, 'PASSWORD').getByText('Hidden'))
  expect(await page.content()).not.toContain('s3cret')

  await button(page, 'Show the value of PASSWORD').click()
  await sees(row(page, 'PASSWORD').getByText('s3cret'))
  await button(page, 'Copy the value of PASSWORD').click()
  await sees(toast(page, 'Copied to clipboard'))
  await expect.poll(() => page.copied()).toBe('s3cret')

  await choose(page, 'PASSWORD', 'Edit…')
  await expect.poll(() => field(page, 'New value').inputValue()).toBe('')
  await field(page, 'New value').fill('two\nlines')
  await button(page.getByRole('dialog'), 'Save').click()
  await isAt(page, path)
  // The value has changed since it was read.
  await misses(page.getByText('s3cret'))
  await choose(page, 'PASSWORD', 'Remove…')
  await button(page.getByRole('alertdialog', { name: 'Remove PASSWORD?' }), 'Remove variable').click()
  await sees(toast(page, 'PASSWORD removed'))
  await sees(page.getByText('No variables yet'))
  await isAt(page, path)
})

test('edits all variables as text with a preview of changes and errors', async () => {
  const id = await application()
  await makeVariables(stage.slipway.ctx, { workspace_id: workspace, application_id: id }, variables)
  const { page, path } = await open('environment', { id })
  await button(page, 'Edit as text').click()
  const text = page.getByLabel('Variables', { exact: true })
  const key = String.raw`PRIVATE_KEY="-----BEGIN KEY-----\nabc\n-----END KEY-----"`
  const before = `DATABASE_URL=postgres://shop:s3cret@db/shop\nMODE=production\n${key}`
  await expect.poll(() => text.inputValue()).toBe(before)
  expect(await button(page, 'No changes').isDisabled()).toBe(true)
  await text.fill(`MODE = staging \n\nNO WAY=1\n=x\nMODE=testing\n${key}`)
  const changes = page.getByRole('region', { name: 'Changes' }).getByRole('listitem')
  await sees(button(page, 'Save 3 changes'))
  const differences = ['ChangedMODE', 'AddedNO WAY', 'RemovedDATABASE_URL']
  await expect.poll(() => changes.allTextContents()).toEqual(differences)
  await sees(page.getByText('Line 3: The name is invalid.'))
  await sees(page.getByText('Line 4: The name before the equals sign is missing. The line is ignored.'))
  await sees(page.getByText('MODE is set twice. The last value is used.'))
  await button(page, 'Save 3 changes').click()
  await sees(page.locator('form').getByText(/^“NO WAY”: Must start with a letter/))
  await expect.poll(() => text.isFocused()).toBe(true)
  await text.fill('MODE=testing\nNEW="1')
  await button(page, 'Save 4 changes').click()
  await sees(page.locator('form').getByText('Line 2: The closing quote is missing.').first())
  await text.fill(`# copied\nexport MODE='testing' # new\nNEW="1"\n${key}`)
  await sees(page.getByText('Comments are not saved.'))
  await text.focus()
  await page.keyboard.press('Control+Enter')
  await isAt(page, path)
  await row(page, 'NEW').waitFor()
  expect(await page.getByRole('row').count()).toBe(4)
  await button(page, 'Show values').click()
  await sees(row(page, 'PRIVATE_KEY').getByText('-----END KEY-----'))
  await sees(row(page, 'MODE').getByText('testing'))
})

test('shows viewers variable names without values and actions', async () => {
  const id = busy
  const { page } = await open('environment?dialog=text', { id, token: viewer.token })
  await sees(row(page, 'DATABASE_URL').getByText('Hidden'))
  const buttons = ['Show values', 'Add variable', 'Edit as text', 'Actions for MODE']
  for (const name of buttons) await expect.poll(() => button(page, name).count()).toBe(0)
  await page.goto(`${pathOf(id)}/networking?dialog=add-domain`)
  await sees(page.getByText('shop.example.com').first())
  // Without HTTPS the domain is not reachable either, until DNS knows it.
  const plain = page.getByRole('listitem').filter({ hasText: 'HTTP only' })
  await sees(plain.getByText(/has no DNS record yet|DNS lookup of/))
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await expect.poll(() => button(page, 'Add domain').count()).toBe(0)
  await page.goto(`${pathOf(id)}/settings`)
  await sees(page.getByRole('heading', { name: 'Labels' }))
  await misses(button(page, 'Add storage'))
  await misses(button(page, 'Delete application'))
})

test('adds a domain, shows its DNS record and its certificate status', async () => {
  const { page, id, path } = await open('networking')
  await button(page, 'Add domain').click()
  await field(page, 'Domain').fill('not a domain')
  await button(page.getByRole('dialog'), 'Add domain').click()
  await sees(page.getByRole('dialog').getByText('Must be a domain, such as app.example.com.'))
  await field(page, 'Domain').fill('Shop.harbour.example')
  await field(page, 'Port (optional)').fill('eighty')
  await page.keyboard.press('Enter')
  await sees(page.getByRole('dialog').getByText('Must be a number.'))
  await field(page, 'Port (optional)').fill('8080')
  await page.keyboard.press('Enter')
  await isAt(page, path)
  const item = page.getByRole('list', { name: 'Domains' }).getByRole('listitem')
  await sees(item.getByText('Waiting for DNS'))
  await sees(item.getByText('Routes to port 8080'))
  await sees(item.getByRole('link', { name: 'http://shop.harbour.example' }))
  await sees(item.getByText('A', { exact: true }))
  await button(item, 'Copy value of the record for shop.harbour.example').click()
  await expect.poll(() => page.copied()).toBe('203.0.113.10')
  // The address is the instruction here, so it is not hidden.
  await sees(item.getByText('203.0.113.10'))

  const named = (changes: object) =>
    db.updateTable('host_names').set(changes).where('host', '=', 'shop.harbour.example').execute()
  await named({ needs_txt: true, problem: 'It points to a load balancer.' })
  await page.reload()
  await sees(item.getByText('Needs TXT record'))
  await sees(item.getByText('It points to a load balancer.'))
  await button(item, 'Copy value of the record for _slipway.shop.harbour.example').click()
  await expect.poll(() => page.copied()).toBe(toTxtRecord(workspace, 'shop.harbour.example').value)
  await button(item, 'Re-check').click()
  await sees(toast(page, 'shop.harbour.example is not verified yet'))
  await named({ proof: 'dns_txt', verified_at: new Date() })
  await page.reload()
  await sees(item.getByText('Verified', { exact: true }))
  await sees(item.getByText('Waiting for certificate'))
  await named({ failing_since: new Date() })
  await page.reload()
  await sees(item.getByText('The TXT record _slipway.shop.harbour.example is missing.'))
  await sees(item.getByText('Verification failing'))
  await button(item, 'Re-check').click()
  await sees(toast(page, 'shop.harbour.example is not verified yet'))
  await named({ failing_since: null })

  const refused = {
    status: 'failed',
    error: 'The CA says: no such name.',
    next_try_at: new Date(Date.now() + 7_200_000),
  } as const
  await db
    .updateTable('certificates')
    .set(refused)
    .where('workspace_id', '=', workspace)
    .where('host', '=', 'shop.harbour.example')
    .execute()
  await page.reload()
  await sees(item.getByText('No certificate'))
  await sees(item.getByText('The CA says: no such name.'))
  await sees(item.getByText('Next attempt in 2 hours.'))
  await button(item, 'Retry now').click()
  await sees(toast(page, 'Certificate for shop.harbour.example requested'))

  const { certificate, key } = await madeCertificate('shop.harbour.example')
  const other = await madeCertificate('shop.harbour.example')
  await choose(page, 'shop.harbour.example/', 'Upload certificate…')
  await field(page, 'Certificate').fill(certificate)
  await field(page, 'Private key').fill(other.key)
  await button(page, 'Upload certificate').click()
  await sees(page.getByRole('dialog').locator('[id$=-error]'))
  await expect.poll(() => field(page, 'Certificate').inputValue()).toBe(certificate)
  await field(page, 'Private key').fill(key)
  await button(page, 'Upload certificate').click()
  await sees(item.getByText('Uploaded certificate'))
  await sees(item.getByText('HTTPS', { exact: true }))
  await isAt(page, path)
  await choose(page, 'shop.harbour.example/', 'Remove certificate…')
  await button(page, 'Remove certificate').click()
  await sees(item.getByText('Waiting for certificate'))
  await choose(page, 'shop.harbour.example/', 'Remove…')
  await button(page, 'Remove domain').click()
  await sees(page.getByText('No domains yet'))
  await isAt(page, path)
  expect(await db.selectFrom('domains').select('id').where('application_id', '=', id).execute()).toEqual([])
  await button(page, 'Generate a URL').click()
  await sees(item.getByText('Generated URL, no DNS setup needed'))
  await misses(button(page, 'Generate a URL'))
})

test('publishes ports and reports ports in use', async () => {
  const first = await open('networking')
  await button(first.page, 'Publish ports').click()
  await field(first.page, 'Ports').fill('25432:5432\n\n26379 : 6379')
  await button(first.page.getByRole('dialog'), 'Publish').click()
  await sees(row(first.page, '26379').getByText('6379', { exact: true }))
  await isAt(first.page, first.path)
  const { page, path } = await open('networking')
  await button(page, 'Publish ports').click()
  await field(page, 'Ports').fill('25431:80\n25432:80')
  await button(page.getByRole('dialog'), 'Publish').click()
  await sees(page.getByRole('dialog').getByText(/^“25432:80”: .*shop/))
  await field(page, 'Ports').fill('25431:80')
  await button(page.getByRole('dialog'), 'Publish').click()
  await choose(page, 'port 25431', 'Remove…')
  await button(page, 'Remove port').click()
  await sees(page.getByText('No published ports'))
  await isAt(page, path)
})

test('adds, changes and removes storage; server folders are for admins', async () => {
  const { page, id, path } = await open('settings')
  await button(page, 'Add storage').click()
  await expect.poll(() => page.getByRole('radio', { name: 'Server folder' }).isDisabled()).toBe(true)
  await sees(page.getByText(/^Admins only/))
  await field(page.getByRole('dialog'), 'Name').fill('data')
  await field(page, 'Container path').fill('/var/data')
  await page.keyboard.press('Enter')
  await sees(row(page, '/var/data').getByText('Volume'))
  await choose(page, 'data', 'Edit…')
  await field(page, 'Container path').fill('relative')
  await page.keyboard.press('Enter')
  await sees(page.getByRole('dialog').getByText(/^Must be an absolute path in the container/))
  await field(page, 'Container path').fill('/data')
  await page.keyboard.press('Enter')
  await sees(row(page, '/data'))
  await button(page, 'Edit as text').click()
  const text = field(page.getByRole('dialog'), 'Storage')
  await expect.poll(() => text.inputValue()).toBe('data:/data')
  await text.fill('data:/data\ncache:relative')
  await button(page.getByRole('dialog'), 'Save').click()
  await sees(page.getByRole('dialog').getByText(/Must be an absolute path in the container/))
  await text.fill('data:/data\ncache:/cache')
  await button(page.getByRole('dialog'), 'Save').click()
  await sees(row(page, '/cache'))
  await choose(page, 'cache', 'Remove…')
  await button(page, 'Remove storage').click()
  await choose(page, 'data', 'Remove…')
  await sees(page.getByRole('alertdialog').getByText(/Its data stays on the server/))
  await button(page, 'Remove storage').click()
  await sees(page.getByText('No storage yet'))
  await isAt(page, path)

  const boss = await open('settings', { id, token: admin.token })
  await button(boss.page, 'Add storage').click()
  await boss.page.getByRole('radio', { name: 'Server folder' }).check()
  await field(boss.page.getByRole('dialog'), 'Folder').fill('/srv/uploads')
  await field(boss.page, 'Container path').fill('/uploads')
  await boss.page.keyboard.press('Enter')
  await sees(row(boss.page, '/srv/uploads').getByText('Server folder'))
  await isAt(boss.page, boss.path)

  await button(boss.page, 'Deploy').click()
  const review = boss.page.getByRole('dialog', { name: 'Deploy shop' })
  await sees(
    review.getByRole('region', { name: 'Host access' }).getByText(/mounts server folder \/srv\/uploads/),
  )
  await button(review, 'Deploy').click()
  await expect.poll(() => boss.page.url()).toContain('deploymentId=')
})

test('adds labels as tags and edits them one by one', async () => {
  const { page, path } = await open('settings')
  await button(page, 'Add labels').click()
  await field(page, 'Labels').fill('team=web,slipway.own=1,')
  await button(page.getByRole('dialog'), 'Add labels').click()
  await sees(page.getByRole('dialog').getByText(/^“slipway.own=1”: Must not start with slipway/))
  await button(page, 'Remove slipway.own=1').click()
  await button(page.getByRole('dialog'), 'Add labels').click()
  await choose(page, 'team', 'Edit…')
  await field(page, 'Value (optional)').fill('harbour, inner')
  await page.keyboard.press('Enter')
  await sees(row(page, 'team').getByText('harbour, inner'))
  await isAt(page, path)
})

test('lists the sections of the settings, which the links lead to', async () => {
  const { page, path } = await open('settings', { id: busy })
  const sections = page.getByRole('navigation', { name: 'Application settings' })
  await sees(page.getByRole('heading', { name: 'Delete application' }))
  const titles = await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()
  expect(titles).toContain('Port and health check')
  await expect.poll(() => sections.getByRole('link').allTextContents()).toEqual(titles)
  await sections.getByRole('link', { name: 'Port and health check', exact: true }).click()
  expect(new URL(page.url()).hash).toBe('#port-and-health-check')
  expect(await page.locator('#port-and-health-check').count()).toBe(1)
  await isAt(page, path)
})
