import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { proxyImage } from '../support/rig/images.ts'
import type { RigServer } from '../support/rig/server.ts'
import { takeServer } from '../support/rig/take.ts'
import { takeHost } from '../support/stages/take-host.ts'
import { button, field, heading, isAt, misses, sees } from '../support/browser/see.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeSetup } from '../worlds/world-servers.ts'
import { longTest } from '../support/run/campaign.ts'

const first = await takeHost()
const image = await proxyImage()
const stage = await openStage(async (url) => ({
  PROXY_IMAGE: image.name,
  // URL under which the servers reach Slipway.
  HOST: '0.0.0.0',
  PUBLIC_URL: url.replace('localhost', first.machine),
}))
const team = await makeTeam(stage.database.db)
const { token } = team.owner

/** Setup takes seconds with Docker installed; a busy machine gets more. */
const soon = { timeout: 120_000 }

/** The clipboard may still hold another command. */
async function copyCommand(page: Page): Promise<string> {
  const read = () => page.evaluate(() => navigator.clipboard.readText())
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await button(page, 'Copy the command').click()
  await expect.poll(read).not.toBe('')
  return read()
}

test('imports a server over SSH, confirms its host key and shows the setup', async () => {
  await first.loadImage(image)
  const page = await stage.page({ token })
  await page.goto('/dashboard/import/servers')
  await expect.poll(() => page.title()).toBe('Import server · Slipway')
  await page.getByRole('link', { name: /^Over SSH/ }).click()
  await isAt(page, '/dashboard/import/servers?way=ssh')
  await addByAddress(page, 'web-1', 'no address')
  await sees(
    page.getByRole('main').getByText('Must be a host name or an IP address, such as web-1.example.com.'),
  )
  await addByAddress(page, 'web-1', first.address)

  await sees(page.getByText(/authorized_keys/))
  // The URL keeps the current step.
  await page.reload()
  await button(page, 'Connect').click()
  await sees(page.getByText(await fingerprint(first)))
  await sees(page.getByRole('region', { name: 'Changes during setup' }).getByText('slipway-proxy'))
  await button(page, 'Confirm and set up').click()
  await sees(page.getByText('Connect web-1'))
  const line = await page.getByText(/^\( umask/).textContent()
  await first.exec('sh', '-c', line ?? '')
  await button(page, 'Connect and set up').click()

  await page.getByText('Ready', { exact: true }).waitFor(soon)
  for (const step of ['Docker', 'Proxy', 'Verify'])
    await sees(page.getByRole('list', { name: 'Steps' }).getByText(`${step}, done`))
  await expect.poll(() => page.getByRole('log').textContent()).toMatch(/docker/)
  await page.getByRole('link', { name: 'Open web-1' }).click()
  await sees(heading(page, 'web-1'))
  expect(await first.exec('docker', 'ps', '--format', '{{.Names}}')).toContain('slipway-proxy')
})

longTest('imports a server by a pasted command', async () => {
  const second = await takeServer(onTestFinished)
  await second.loadImage(image)
  const page = await stage.page({ token })
  await page.goto('/dashboard/import/servers')
  await sees(page.getByText('Waiting for your server to connect…'))
  await sees(page.getByText(/^Valid for one server, expires in (60|59) minutes\.$/))
  const line = await copyCommand(page)
  await second.exec('sh', '-c', line)
  await page.getByText('Ready', { exact: true }).waitFor(soon)
  await misses(page.getByText('Waiting for your server to connect…'))
  await sees(page.getByText('This command has been used.'))
  await misses(button(page, 'Copy the command'))
  await button(page, 'New command').click()
  await sees(page.getByText('Waiting for your server to connect…'))
  expect(await copyCommand(page)).not.toBe(line)
  await page.goto('/dashboard/servers')
  await sees(page.getByRole('row').filter({ hasText: 'Ready' }).nth(1))
})

longTest('explains a failed setup and retries it', async () => {
  const reason =
    'Port 80 is in use by nginx. Stop it or choose other ports in the server settings, then set up again.'
  // The first test connected this machine.
  await stage.database.db.deleteFrom('servers').where('address', '=', first.address).execute()
  const given = { name: 'web-3', status: 'failed', reason } as const
  const id = await makeServer(stage.ctx, team.workspace, first, given)
  await makeSetup(stage.ctx, team.workspace, id, given)
  const page = await stage.page({ token })
  await page.goto(`/dashboard/servers/${id}`)
  const notice = page.getByRole('region', { name: 'Setup of web-3 failed' })
  await sees(notice.getByText(reason))
  await sees(page.getByRole('list', { name: 'Steps' }).getByText('Proxy, failed'))
  await sees(page.getByRole('log').getByText('Setting up containerd'))
  await button(notice, 'Set up again').click()
  await misses(notice)
  await page.getByText('Ready', { exact: true }).waitFor(soon)
  await sees(heading(page, 'Setup completed'))
  await expect.poll(() => page.getByRole('log').getByText('Setting up containerd').count()).toBe(0)
})

longTest('shows setup warnings on the overview and at their step', async () => {
  const id = await makeServer(stage.ctx, team.workspace, first, { name: 'web-4', status: 'ready' })
  const lacking = 'Compose applications need Docker Compose 2.20 or newer, which is not installed.'
  await makeSetup(stage.ctx, team.workspace, id, { status: 'setting_up' })
  await stage.database.db
    .updateTable('setups')
    .set({ status: 'completed', step: 'verify', finished_at: new Date() })
    .set({ warnings: JSON.stringify([{ step: 'compose', text: lacking }]) })
    .where('server_id', '=', id)
    .execute()
  const page = await stage.page({ token })
  await page.goto(`/dashboard/servers/${id}`)
  const notice = page.getByRole('region', { name: 'Setup finished with a warning' })
  await sees(notice.getByText(lacking))
  await sees(button(notice, 'Set up again'))
  await page.goto(`/dashboard/servers/${id}/settings`)
  await button(page, 'View setup log').click()
  const steps = page.getByRole('list', { name: 'Steps' })
  await sees(steps.getByText('Compose, with a warning'))
  await sees(steps.getByText('Docker, done'))
  await sees(notice.getByText(lacking))
})

async function addByAddress(page: Page, name: string, address: string) {
  await field(page, 'Name').fill(name)
  await field(page, 'Address').fill(address)
  await field(page, 'Address').press('Control+Enter')
}

async function fingerprint(server: RigServer) {
  const said = await server.exec('ssh-keygen', '-lf', '/etc/ssh/ssh_host_ed25519_key.pub')
  return said.split(' ')[1] ?? ''
}
