import type { Page } from 'playwright-core'
import { test, vi } from 'vitest'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { loadApp } from '../support/rig/load-app.ts'
import { takeSetUpHost } from '../support/stages/setups.ts'
import { button, heading, misses, sees, toast } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'

const host = await takeSetUpHost()
await loadApp(host, '1')
const stage = await openStage({ PROXY_IMAGE: host.image.name })
const { db } = stage.database
const { workspace, member, viewer } = await makeTeam(db)
await makeServer(stage.ctx, workspace, host, { name: 'web-1' })

/** A busy machine needs time to start containers. */
const soon = { timeout: 120_000 }
vi.setConfig({ testTimeout: 300_000 })

const template = `name: Harbour
description: Tells the tide.
category: other
http: { service: web, port: 3000 }
inputs:
  - { name: MARK, label: Mark, help: Seen by visitors. }
  - { name: PASSWORD, label: Password, generate: password }
notes: Look for \${MARK} and log in with \${PASSWORD}.
`
const compose = `services:
  web:
    image: rig/app:1
    environment: { VERSION: "\${MARK} \${PASSWORD}" }
`

/** The editor is not an input, so text is pasted. */
async function write(page: Page, label: string, text: string) {
  const editor = page.getByRole('textbox', { name: label })
  await editor.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText(text)
}

test('creates a template with its errors shown, deploys it and shows the next steps', async () => {
  const page = await stage.page({ token: member.token })
  await page.goto('/dashboard/templates/new')
  await write(page, 'Compose file', compose)
  await write(page, 'Template file', template.replace('category: other', 'category: boats'))
  await sees(page.getByRole('list', { name: 'Problems in the template file' }).getByText('Line 3'))
  await write(page, 'Template file', template)
  await sees(page.getByText('Tells the tide.'))
  await button(page, 'Create template').click()
  await sees(toast(page, 'Template created'))
  await sees(heading(page, 'Harbour'))
  // The toast covers the next button, and stays while the pointer is over it.
  await page.mouse.move(0, 0)
  await misses(toast(page, 'Template created'))

  await page.getByLabel('Mark').fill('low water')
  await sees(page.getByRole('combobox', { name: 'Server' }).getByText('web-1'))
  await button(page, 'Review').click()
  await page.getByRole('table', { name: 'Plan' }).getByText('Added').waitFor(soon)
  await button(page, 'Deploy').click()
  const details = page.getByRole('dialog', { name: 'Deployment of Harbour' })
  await details.locator('[data-tone]').filter({ hasText: 'Completed' }).first().waitFor(soon)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  const next = page.getByText(/^Look for low water and log in with \w{24}\.$/)
  await sees(next)
  await button(page, 'Dismiss').click()
  await misses(next)

  await page.getByRole('button', { name: 'Actions for Harbour' }).click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  await sees(heading(page, 'New template'))
  await sees(page.getByText('No problems found').nth(1))
})

test('lets viewers see templates, but not deploy or change them', async () => {
  const page = await stage.page({ token: viewer.token })
  await page.goto('/dashboard/templates')
  await page.getByRole('link', { name: 'Harbour' }).click()
  await sees(page.getByText('Tells the tide.'))
  await misses(button(page, 'Deploy'))
  await misses(button(page, 'Actions for Harbour'))
})
