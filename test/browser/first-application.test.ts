import { request } from 'node:http'
import { createInterface } from 'node:readline'
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { startRegistry } from '../support/programs/registry.ts'
import { serverProgram } from '../support/programs/slipway-process.ts'
import { loadApp } from '../support/rig/load-app.ts'
import type { RigServer } from '../support/rig/server.ts'
import { takeBareServer } from '../support/rig/take.ts'
import { longTest } from '../support/run/campaign.ts'
import { record } from '../support/run/recorded.ts'
import { takeProvidedHost } from '../support/stages/setups.ts'
import { button, field, heading, isAt, misses, sees, toast } from '../support/browser/see.ts'
import { openVisitors } from '../support/browser/visitors.ts'

/** With Docker, but without a proxy. Slipway runs on it, as after `npm start`. */
const machine = await takeProvidedHost()
await loadApp(machine)
const registry = await startRegistry(machine)
const proxyImage = await push('rig/proxy:latest')
const url = `http://${machine.address}:4000`
await startSlipwayOn(machine)
const visitors = await openVisitors(url)

/** Setup and deployment take seconds; a busy machine gets more. */
const soon = { timeout: 120_000 }
/** Installs Docker from packages. */
const slow = { timeout: 600_000 }
const password = 'correct horse battery'

/** For machines without images. */
async function push(image: string): Promise<string> {
  const name = `${registry.address}/${image}`
  await machine.exec('docker', 'tag', image, name)
  await machine.exec('docker', 'push', '--quiet', name)
  return name
}

async function startSlipwayOn(server: typeof machine): Promise<void> {
  await server.showProject()
  const settings = { HOST: '0.0.0.0', PORT: '4000', PUBLIC_URL: url, DATA_DIR: '/var/lib/slipway-data' }
  const slipway = server.start(
    { ...settings, SIGNUP: 'open', PRIVATE_SERVERS: 'allow', PROXY_IMAGE: proxyImage },
    process.execPath,
    serverProgram,
  )
  afterAll(() => void slipway.kill('SIGKILL'))
  for (const output of [slipway.stdout, slipway.stderr]) createInterface({ input: output }).on('line', record)
  await vi.waitFor(
    async () => {
      if (!(await fetch(`${url}/v1/health`)).ok) throw new Error('Slipway is not ready.')
    },
    { timeout: 120_000, interval: 100 },
  )
}

/** Counts the clicks of a walk. */
function countClicks() {
  let clicks = 0
  const click = async (target: Locator) => {
    clicks++
    await target.click(soon)
  }
  return { click, clicks: () => clicks }
}

type Click = ReturnType<typeof countClicks>['click']

async function signUp(page: Page, click: Click, email: string) {
  // Docker Hub is out of reach.
  const found = { repositories: [], page: { next: null, total: 0 }, stale_since: null }
  await page.route('**/v1/docker/search?**', (route) => route.fulfill({ json: found }))
  await page.goto('/signup')
  await field(page, 'Organisation').fill('Harbour Works')
  await field(page, 'Email').fill(email)
  await field(page, 'Password').fill(password)
  await click(button(page, 'Sign up'))
  await sees(toast(page, 'Signup successful! Please log in.'))
  await isAt(page, '/login')
  await expect.poll(() => field(page, 'Email').inputValue()).toBe(email)
  await click(button(page, 'Log in'))
  await sees(heading(page, 'Add your first server'))
}

/** The deployment waits for the setup, and ends with the address. */
async function deployImage(
  page: Page,
  click: Click,
  server: string,
  on: RigServer,
  { image = 'rig/app', limit = soon } = {},
) {
  await field(page, 'Image').fill(image)
  await sees(page.getByRole('combobox', { name: 'Server' }).getByText(server))
  await click(button(page, 'Deploy'))
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('list', { name: 'Steps' }).waitFor(soon)
  const open = dialog.getByRole('link', { name: /^Open app/ })
  await open.waitFor(limit)
  await sees(dialog.locator('[data-tone=green]').getByText('Completed').first())
  const address = new URL((await open.getAttribute('href')) ?? '')
  // A machine may have the address of an earlier one, whose application has the name.
  const [name, ...rest] = address.hostname.split('.')
  expect(name).toMatch(/^app(-2)?$/)
  expect(rest.join('.')).toBe(`${on.address.replaceAll('.', '-')}.sslip.io`)
  expect(await visit(on, address.hostname)).toBe(200)
}

/** Without a lookup of the name, which needs the internet. */
const visit = ({ address: host }: RigServer, name: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request({ host, headers: { host: name } }, (answer) => resolve(answer.resume().statusCode))
      .once('error', reject)
      .end()
  })

test('leads from sign-up to an application on this machine in six clicks and one typed image', async () => {
  const page = await visitors.visitor()
  const { click, clicks } = countClicks()
  await signUp(page, click, 'ada@harbour.example')
  await click(button(page, 'Use this machine'))
  const dialog = page.getByRole('dialog', { name: 'Use this machine as a server?' })
  const changes = dialog.getByRole('region', { name: 'Changes during setup' })
  for (const change of ['Package Docker', 'Ports 80 and 443', 'Container slipway-proxy'])
    await sees(changes.getByText(change, { exact: true }))
  await click(button(dialog, 'Set up this machine'))
  await sees(page.getByRole('list', { name: 'Steps' }))
  await click(page.getByRole('link', { name: 'Deploy an application' }))
  await deployImage(page, click, 'This machine', machine)
  expect(clicks()).toBe(6)
})

/** Returns the name of the server. */
async function importByPastedLine(page: Page, click: Click, server: RigServer): Promise<string> {
  await click(page.getByRole('main').getByRole('link', { name: 'Import server' }))
  const line = page.getByText(/^printf 'url/)
  await sees(
    page.getByRole('region', { name: 'Changes during setup' }).getByText('File .ssh/authorized_keys'),
  )
  const command = (await line.textContent()) ?? ''
  await click(button(page, 'Copy the command'))
  await server.exec('sh', '-c', command)
  return (await server.exec('uname', '-n')).trim()
}

test('leads to an application on a server that is imported by the pasted line in as many', async () => {
  const server = await takeProvidedHost(onTestFinished)
  await loadApp(server)
  const page = await visitors.visitor()
  const { click, clicks } = countClicks()
  await signUp(page, click, 'grace@harbour.example')
  const name = await importByPastedLine(page, click, server)
  await click(page.getByRole('link', { name: 'Deploy an application' }))
  await deployImage(page, click, name, server)
  expect(clicks()).toBe(6)
})

longTest(
  'leads to an application on a bare Debian without Docker, once it reaches its mirrors',
  async () => {
    const server = await takeBareServer(onTestFinished)
    await server.exec('mkdir', '/etc/docker')
    const trusted = JSON.stringify({ 'insecure-registries': [registry.address] })
    await server.exec('sh', '-c', 'printf %s "$1" > /etc/docker/daemon.json', 'sh', trusted)
    await server.outside(false)
    const page = await visitors.visitor()
    const { click, clicks } = countClicks()
    await signUp(page, click, 'edith@harbour.example')
    const name = await importByPastedLine(page, click, server)
    const failed = page.getByText(
      'Docker could not be installed: the server cannot reach its package mirrors. Check its network and DNS, then set up again.',
    )
    await failed.first().waitFor(slow)
    await server.outside(true)
    await click(button(page, 'Retry'))
    await misses(failed.first())
    await click(page.getByRole('link', { name: 'Deploy an application' }))
    await deployImage(page, click, name, server, { image: await push('rig/app:latest'), limit: slow })
    // Six, and the retry.
    expect(clicks()).toBe(7)

    expect(await server.exec('docker', 'version', '--format', '{{.Server.Version}}')).toMatch(/^\d+\./)
    expect(await server.exec('git', '--version')).toMatch(/^git version/)
    expect(JSON.parse(await server.exec('cat', '/etc/docker/daemon.json'))).toMatchObject({
      'insecure-registries': [registry.address],
      'live-restore': true,
    })
    // The distribution has Compose version 1, and Docker's repository is unreachable here.
    expect(await server.exec('sh', '-c', 'command -v docker-compose || true')).toBe('')
    expect(await server.exec('sh', '-c', 'ls /etc/apt/*/slipway-* 2> /dev/null || true')).toBe('')
  },
  900_000,
)
