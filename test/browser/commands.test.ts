import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { holdOn } from '../support/stages/commands.ts'
import { takeHost } from '../support/stages/take-host.ts'
import { button, field, heading, misses, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { longTest } from '../support/run/campaign.ts'

const host = await takeHost()
const stage = await openStage()
const { db } = stage.database

/** Creates a team with a server and opens its commands. */
async function fresh() {
  const team = await makeTeam(db)
  const server = await makeServer(stage.ctx, team.workspace, host, { name: 'web-1' })
  return { ...team, path: `/dashboard/servers/${server}/commands` }
}

const prompt = (page: Page) => field(page, 'Command')
const output = (page: Page) => page.getByRole('log', { name: 'Output' })
const badge = (page: Page, word: string) => page.getByRole('main').getByText(word, { exact: true })
const row = (page: Page, words: string) =>
  page.getByRole('table', { name: 'Command history' }).getByRole('row').filter({ hasText: words })

async function run(page: Page, command: string) {
  await prompt(page).fill(command)
  await prompt(page).press('Enter')
}

test('runs a command and shows it to all members', async () => {
  const { admin, owner, path } = await fresh()
  const [page, other] = [
    await stage.page({ token: admin.token }),
    await stage.visitor({ token: owner.token }),
  ]
  await other.goto(path)
  await sees(other.getByText('No commands yet'))
  await page.goto(path)
  await run(page, 'echo hello; echo trouble >&2; exit 3')
  await sees(output(page).getByText('hello'))
  await sees(output(page).getByText('Error output: trouble'))
  await sees(badge(page, 'Exit code 3').first())
  await expect.poll(() => prompt(page).inputValue()).toBe('')

  // Appears without a reload, with its user, and opens by URL.
  await sees(row(other, admin.name))
  await sees(row(other, 'Exit code 3'))
  await row(other, admin.name).getByRole('link').click()
  await sees(output(other).getByText('hello'))
  const colleague = await stage.visitor({ token: owner.token })
  await colleague.goto(other.url())
  await sees(output(colleague).getByText('hello'))
  await button(colleague, 'Copy output').click()
  await expect
    .poll(() => colleague.evaluate(() => navigator.clipboard.readText()))
    .toBe('hello\n--- stderr ---\ntrouble\n')
  await button(colleague, 'Close command').click()
  await misses(output(colleague))
})

test('follows and cancels a running command', async () => {
  const { admin, owner, path } = await fresh()
  const [page, other] = [
    await stage.page({ token: admin.token }),
    await stage.visitor({ token: owner.token }),
  ]
  await page.goto(path)
  const { wait, release } = holdOn(host)
  await run(page, `echo first; ${wait}; echo second; sleep 300`)
  await sees(output(page).getByText('first'))
  await misses(output(page).getByText('second'))
  await release()
  await sees(badge(page, 'Running').first())
  await other.goto(page.url())
  await sees(output(other).getByText('second'))
  await button(page, 'Cancel').click()
  await sees(badge(page, 'Canceled').first())
  await sees(badge(other, 'Canceled').first())
  await misses(button(other, 'Cancel'))
})

test('explains empty output and failures', async () => {
  const { admin, path, workspace } = await fresh()
  const page = await stage.page({ token: admin.token })
  await page.goto(path)
  await run(page, 'true')
  await sees(output(page).getByText('No output.'))
  await sees(badge(page, 'Exit code 0').first())

  const away = await makeServer(stage.ctx, workspace, host, { name: 'web-9', port: 1 })
  await page.goto(`/dashboard/servers/${away}/commands`)
  await run(page, 'true')
  await sees(
    page
      .getByRole('main')
      .getByText(/^Could not reach web-9: connection refused on port 1\./)
      .last(),
  )
  // The server notice has the same text; the prompt accepts the next command after the failure.
  await sees(badge(page, 'Failed').first())
  await page.route('**/command', (route) => route.fulfill({ status: 500, body: '{}' }))
  stage.expectError(/500/)
  await run(page, 'echo kept')
  await sees(page.getByText('An unknown error occurred.'))
  await expect.poll(() => prompt(page).inputValue()).toBe('echo kept')
})

longTest('supports the keyboard for lines, history, time limit and repetition', async () => {
  const { admin, path } = await fresh()
  const page = await stage.page({ token: admin.token })
  await page.goto(path)
  await run(page, 'echo one')
  await sees(output(page).getByText('one'))
  await sees(row(page, 'echo one'))
  await prompt(page).pressSequentially('echo two')
  await prompt(page).press('Shift+Enter')
  await prompt(page).pressSequentially('echo three')
  await prompt(page).press('Enter')
  await sees(output(page).getByText('three'))
  await sees(row(page, 'echo two'))

  await prompt(page).pressSequentially('draft')
  await prompt(page).press('ArrowUp')
  await expect.poll(() => prompt(page).inputValue()).toBe('echo two\necho three')
  await page.keyboard.press('Control+Home')
  await prompt(page).press('ArrowUp')
  await expect.poll(() => prompt(page).inputValue()).toBe('echo one')
  await prompt(page).press('ArrowDown')
  await page.keyboard.press('Control+End')
  await prompt(page).press('ArrowDown')
  await expect.poll(() => prompt(page).inputValue()).toBe('draft')

  await prompt(page).fill(' ')
  await expect.poll(() => button(page, 'Run').isDisabled()).toBe(true)
  await prompt(page).fill('sleep 1; echo limit')
  await expect.poll(() => button(page, 'Run').isDisabled()).toBe(false)
  await page.getByRole('combobox', { name: 'Time limit' }).click()
  await page.getByRole('option', { name: '5 minutes', exact: true }).click()
  await button(page, 'Run').click()
  await sees(output(page).getByText('limit', { exact: true }))
  await button(page, 'Run again').click()
  await expect.poll(() => row(page, 'echo limit').count()).toBe(2)
  const limits = await db
    .selectFrom('commands')
    .select('timeout_seconds')
    .orderBy('id', 'desc')
    .limit(3)
    .execute()
  expect(limits.map((found) => found.timeout_seconds)).toEqual([300, 300, 60])
})

longTest('keeps long output readable, on a phone too', async () => {
  const { admin, path } = await fresh()
  const page = await stage.visitor({ token: admin.token, width: 390, height: 844 })
  await page.goto(path)
  await run(page, 'seq 5000; echo end')
  await sees(output(page).getByText('end', { exact: true }))
  await sees(page.getByText('Showing the last 2,000 of 5,001 lines.'))
  expect(await page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
})

test('hides commands from viewers', async () => {
  const { viewer, path } = await fresh()
  const page = await stage.page({ token: viewer.token })
  await page.goto(path)
  await sees(heading(page, 'web-1'))
  const tabs = page.getByRole('navigation', { name: 'Server' })
  await sees(tabs.getByRole('link', { name: 'Overview' }))
  await expect.poll(() => tabs.getByRole('link', { name: 'Commands' }).count()).toBe(0)
  await misses(prompt(page))
})
