import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { processesWith } from '../support/stages/commands.ts'
import { runContainer } from '../support/stages/containers.ts'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { takeHost } from '../support/stages/take-host.ts'
import { button, field, misses, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'

const host = await takeHost()
const stage = await openStage()
const team = await makeTeam(stage.database.db)
const { token } = team.admin

let made = 0
/** Creates a server and a container for each test. */
async function fresh() {
  made += 1
  const name = `web-${made}`
  const server = await makeServer(stage.ctx, team.workspace, host, { name: `server-${made}` })
  const cid = await runContainer(host, { options: ['--name', name] })
  const path = `/dashboard/servers/${server}`
  return { name, cid, server: path, container: `${path}/containers/${cid}` }
}

const prompt = (page: Page) => field(page, 'Command')
const output = (page: Page) => page.getByRole('log', { name: 'Output' })
const main = (page: Page) => page.getByRole('main')
const rows = (page: Page) => page.getByRole('table', { name: 'Command history' }).getByRole('row')

async function run(page: Page, command: string) {
  await prompt(page).fill(command)
  await prompt(page).press('Enter')
}

test('runs a command in a container and lists it there and at the server', async () => {
  const { name, cid, server, container } = await fresh()
  const page = await stage.page({ token })
  await page.goto(`${container}/commands`)
  await sees(page.getByText('No commands yet'))
  await run(page, 'echo trouble >&2; hostname; exit 3')
  await sees(main(page).getByText('Exit code 3', { exact: true }).first())
  await expect
    .poll(() => output(page).innerText(), { timeout: 60_000 })
    .toMatch(new RegExp(`^${cid.slice(0, 12)}\\s+--- stderr ---\\s+Error output:\\s*trouble\\s*$`))

  await run(page, 'true')
  await sees(output(page).getByText('No output.'))
  await sees(rows(page).filter({ hasText: 'hostname' }))

  // The server list shows where a command ran; commands of the server are not listed at the container.
  await page.goto(`${server}/commands`)
  await sees(
    rows(page)
      .filter({ hasText: `in ${name}` })
      .first(),
  )
  await run(page, 'echo on the server')
  await sees(output(page).getByText('on the server'))
  await page.goto(`${container}/commands`)
  await sees(rows(page).filter({ hasText: 'hostname' }))
  await misses(rows(page).filter({ hasText: 'on the server' }))
  await page.goto(`${server}/commands`)
  await rows(page).filter({ hasText: 'hostname' }).getByRole('link').click()
  await sees(main(page).getByRole('link', { name, exact: true }))
  await button(page, 'Run again').click()
  await sees(output(page).getByText(cid.slice(0, 12)))
})

test('cancels a container command, and explains one that cannot run', async () => {
  const { name, cid, container } = await fresh()
  const page = await stage.page({ token })
  await page.goto(`${container}/commands`)
  await run(page, 'echo first; sleep 67676')
  await sees(output(page).getByText('first'))
  await button(page, 'Cancel').click()
  await sees(main(page).getByText('Canceled', { exact: true }).first())
  await expect.poll(() => processesWith(host, 'sleep 67676'), { timeout: 60_000 }).toBe(0)
  await host.exec('docker', 'pause', cid)
  await run(page, 'true')
  await sees(page.getByText(`The container ${name} is paused. Unpause it and try again.`))
  await host.exec('docker', 'unpause', cid)
})

const pane = (page: Page) => page.getByRole('region', { name: 'Terminal' })
const state = (page: Page, words: string | RegExp) => pane(page).getByRole('status').getByText(words)
const shows = (page: Page, text: string | RegExp) =>
  sees(page.locator('.xterm-rows > div').filter({ hasText: text }).first())

test('opens a shell in a container, keeps it over a reload, and reports when the container stops', async () => {
  const { name, cid, container } = await fresh()
  const page = await stage.visitor({ token })
  await page.goto(`${container}/terminal`)
  await sees(state(page, 'Connected'))
  await page.keyboard.type('pearl=oyster; hostname\n')
  await shows(page, cid.slice(0, 12))
  await page.reload()
  await sees(state(page, 'Connected'))
  await page.keyboard.type('echo still-$pearl\n')
  await shows(page, 'still-oyster')
  await host.exec('docker', 'stop', '--time', '1', cid)
  await sees(state(page, 'Connection closed'))
  await sees(state(page, `The container ${name} stopped.`))
  await button(page, 'Open again').click()
  await sees(state(page, new RegExp(`The container ${name} is not running`)))
  await host.exec('docker', 'rm', cid)
  stage.expectError(/404/)
  await button(page, 'Open again').click()
  await sees(state(page, 'This container was not found.'))
})

test('refuses container commands and shells to viewers', async () => {
  const { container } = await fresh()
  const page = await stage.page({ token: team.viewer.token })
  for (const tab of ['commands', 'terminal']) {
    await page.goto(`${container}/${tab}`)
    await sees(page.getByText('You do not have access'))
  }
  await misses(page.getByRole('link', { name: 'Terminal' }))
})
