import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test, vi } from 'vitest'
import { makeTeam } from '../support/factories/factories.ts'
import { button, field, heading, isAt, misses, sees, toast } from '../support/browser/see.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { openStage } from '../support/browser/stage.ts'

// No worker runs, so nothing is deployed.
const stage = await openStage({ ROLE: 'web' })
const { db } = stage.database
const { workspace, member } = await makeTeam(db)
await makeShownServer(db, workspace, { compose_version: '2.29.7' })

const axe = await readFile('node_modules/axe-core/axe.min.js', 'utf8')
const create = '/dashboard/applications/create'
const editor = (page: Page) => page.getByRole('textbox', { name: 'Compose file' })
const problems = (page: Page) => page.getByRole('list', { name: 'Problems in the compose file' })
const textOf = (page: Page) =>
  editor(page)
    .locator('.cm-line')
    .allTextContents()
    .then((lines) => lines.join('\n'))
/** Waits until the text contains this, or no longer does. */
const holds = (page: Page, words: string, held = true) =>
  vi.waitFor(async () => expect((await textOf(page)).includes(words)).toBe(held))
const isInEditor = (page: Page) =>
  editor(page).evaluate((element) => element.contains(document.activeElement))

async function openEditor(page: Page) {
  await page.goto(create)
  await page.getByRole('radio', { name: 'Compose file' }).check()
  await sees(editor(page))
}

test('shows an error at its line while typing, and does not deploy it', async () => {
  const page = await stage.page({ token: member.token })
  await openEditor(page)
  await button(page, 'Deploy').click()
  await sees(page.getByText('Paste or upload a compose file, or start from an example.'))
  await expect.poll(() => isInEditor(page)).toBe(true)

  await page.keyboard.insertText('name: shop\nservices:\n  web:\n    image: nginx:1.27\n    prots: ["80"]\n')
  await sees(problems(page).getByText('Line 5', { exact: true }))
  await sees(page.locator('.cm-lintRange-error', { hasText: 'prots' }))
  await sees(page.getByText('1 error', { exact: true }).first())
  await page.keyboard.press('Control+Home')
  await button(page, 'Deploy').click()
  await sees(page.getByText('Fix the error below first.'))
  await expect.poll(() => page.getByText(/Unknown key “prots”/).count()).toBe(1)
  // Deploying moves the cursor to the error.
  await vi.waitFor(async () => expect(await isInEditor(page)).toBe(true))
  await sees(page.locator('.cm-activeLine', { hasText: 'prots' }))
  await isAt(page, create)

  await misses(button(page, 'Start from an example'))
  await problems(page).getByRole('button').first().click()
  await page.keyboard.press('Shift+End')
  await page.keyboard.type('expo', { delay: 20 })
  await page.getByRole('option', { name: 'expose' }).click()
  await page.keyboard.insertText('["80"]')
  await sees(page.getByText('No problems found').first())
  await misses(problems(page))
})

test('creates a compose application with a domain for one of its services', async () => {
  const page = await stage.page({ token: member.token })
  await openEditor(page)
  await page.getByLabel('Upload compose file').setInputFiles({
    name: 'compose.yml',
    mimeType: 'text/yaml',
    buffer: Buffer.from(
      'name: shop\nservices:\n  web:\n    image: nginx:${TAG}\n    expose: ["80"]\n    ports: ["203.0.113.10:8080:80"]\n  db:\n    image: postgres:17\n  admin:\n    profiles: [tools]\n    image: pgadmin:9\n',
    ),
  })
  await holds(page, 'nginx:${TAG}')
  await page.locator('summary', { hasText: 'Environment variables' }).click()
  await field(page, 'Name of variable 1').fill('TAG')
  await field(page, 'Value of TAG').fill('1.27')
  await sees(problems(page).getByText('admin is disabled because none of its profiles is selected.'))
  await page.getByRole('checkbox', { name: 'tools' }).check()
  await sees(page.getByText('No problems found').first())
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('nginx')
  await expect.poll(() => field(page, 'Name').inputValue()).toBe('shop')
  const services = page.getByRole('definition').filter({ hasText: 'web, db and admin' })
  await sees(services)
  const domains = page.locator('summary', { hasText: 'Domains' })
  await domains.click()
  await button(page, 'Add domain').click()
  await domains.click()
  // The section opens again for its error.
  await button(page, 'Deploy').click()
  await sees(page.getByText('Enter a domain or remove the row.'))
  await field(page, 'Domain').fill('shop.example.com')
  await expect.poll(() => field(page, 'Port').inputValue()).toBe('80')
  await button(page, 'Deploy').click()
  await page.waitForURL(/\/applications\/app_\w+(\/deployments\?deploymentId=dep_\w+)?$/)

  const made = await db
    .selectFrom('applications')
    .selectAll()
    .where('name', '=', 'shop')
    .executeTakeFirstOrThrow()
  expect(made.services).toEqual(['web', 'db', 'admin'])
  const routes = await db.selectFrom('domains').selectAll().where('application_id', '=', made.id).execute()
  expect(routes.map(({ host, service, port }) => [host, service, port])).toContainEqual([
    'shop.example.com',
    'web',
    80,
  ])
  await changeFile(page, `/dashboard/applications/${made.id}`)
})

/** The settings keep, discard and save edits. */
async function changeFile(page: Page, path: string) {
  await page.goto(`${path}/settings`)
  await sees(heading(page, 'Compose file'))
  await misses(heading(page, 'Resources'))
  await holds(page, 'postgres:17')
  await misses(button(page, 'Save'))
  await editor(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText('    command: [postgres, -c, log_statement=all]\n')
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await sees(page.getByText('1 unsaved change restored'))
  await holds(page, 'log_statement')
  await button(page, 'Discard').click()
  await holds(page, 'log_statement', false)
  await editor(page).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText('  cache:\n    image: redis:7\n')
  await sees(page.getByText('No problems found').first())
  await page.keyboard.press('Control+Enter')
  await sees(toast(page, 'Changes saved. Redeploy to apply.'))
  const { services } = await db
    .selectFrom('applications')
    .select('services')
    .where('name', '=', 'shop')
    .executeTakeFirstOrThrow()
  expect(services).toEqual(['web', 'db', 'admin', 'cache'])
}

test('can be left with the keyboard, handles a large file, and is accessible on a phone', async () => {
  const page = await stage.page({ token: member.token })
  await openEditor(page)
  await button(page, 'Start from an example').click()
  await holds(page, 'services:')
  await editor(page).focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Tab')
  expect(await textOf(page)).toMatch(/^ {2}services:/)
  expect(await isInEditor(page)).toBe(true)
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  expect(await isInEditor(page)).toBe(false)
  await sees(page.getByText('No problems found').first())

  await page.evaluate(axe)
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await sees(page.locator(`html[data-theme=${colorScheme}]`))
    const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    )
    expect(found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  }

  await editor(page).focus()
  await page.keyboard.press('Control+End')
  const large = `# ${'a'.repeat(78)}\n`.repeat(2_400)
  await page.evaluate((text) => navigator.clipboard.writeText(text), large)
  await page.keyboard.press('Control+v')
  await page.keyboard.type('oops: 1')
  await sees(problems(page).getByText(/^Line 24\d\d$/))
})
