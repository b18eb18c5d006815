import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { getApplication } from '../../../contract/applications.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeSomeone, makeWorkspace } from '../../../test/support/factories/factories.ts'
import { makeRouted, takeProxyHost, visit } from '../../../test/support/stages/proxies.ts'
import { start, untilOver } from '../../../test/support/stages/setups.ts'
import { readWorkers } from '../../remote/proxy/runtime-api.ts'
import { getServerHost } from '../servers/server-host.ts'
import { jobs } from './area.ts'
import { longTest } from '../../../test/support/run/campaign.ts'
import { changeServer } from '../servers/server.ts'

const host = await takeProxyHost()
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name })
afterAll(() => slipway.close())
const application = await makeRouted(slipway, host)
beforeAll(async () => {
  await application.addDomain('shop.example.com')
  await application.publish(15_432, 3_000)
  await application.serve('1')
  slipway.work()
})

const serves = async () => {
  expect(await visit(host, { host: 'shop.example.com' })).toMatchObject({ headers: { 'x-version': '1' } })
  expect(await visit(host, { port: 15_432 })).toMatchObject({ headers: { 'x-version': '1' } })
}
const untilItServes = () => vi.waitFor(serves, { interval: 100 })
const pid = async () =>
  (await host.exec('docker', 'inspect', '--format', '{{.State.Pid}}', 'slipway-proxy')).trim()

test.each([
  ['the process is killed', async () => host.exec('kill', '-9', await pid())],
  ['the container is killed', () => host.exec('docker', 'kill', 'slipway-proxy')],
  ['the container is removed', () => host.exec('docker', 'rm', '--force', 'slipway-proxy')],
  [
    'its files are gone as well',
    () => host.exec('sh', '-c', 'docker kill slipway-proxy; rm /var/lib/slipway/proxy/*'),
  ],
])('restores the proxy when %s', async (_, kill) => {
  await serves()
  const before = await pid()
  await kill()
  await vi.waitFor(async () => expect(await pid()).not.toBe(before), { interval: 100 })
  await untilItServes()
})

longTest('overwrites manual changes with the next sync', async () => {
  const config = '/var/lib/slipway/proxy/haproxy.cfg'
  await host.exec(
    'sh',
    '-c',
    `sed -i 's/server s1 .*/server s1 192.0.2.1:1/' ${config}; echo > /var/lib/slipway/proxy/routes.map`,
  )
  await application.sync()
  expect(await host.exec('cat', config)).not.toContain('192.0.2.1')
  await host.exec('docker', 'restart', 'slipway-proxy')
  await untilItServes()
})

test('skips a port in use and serves everything else', async () => {
  const program = await host.exec(
    'sh',
    '-c',
    'setsid python3 -m http.server 15999 > /dev/null 2>&1 & echo "$!"',
  )
  await vi.waitFor(() => visit(host, { port: 15_999 }))
  const other = await makeRouted(slipway, host, {}, application)
  await other.addDomain('other.example.com')
  await other.publish(15_999, 3_000)
  await other.serve('2')
  await serves()
  expect(await visit(host, { host: 'other.example.com' })).toMatchObject({ status: 200 })
  expect(slipway.lines.join('\n')).toContain('Skipped a port of the proxy: it is already in use')
  expect(await readProxyError(other.id)).toMatch(
    /^The proxy cannot listen on port 15999 \(used by .+\)\. Stop that program/,
  )
  // The change is noticed without an event once the program is gone.
  expect(program.trim()).toMatch(/^[1-9]\d+$/)
  await host.exec('kill', program.trim())
  await vi.waitFor(() => expect(visit(host, { port: 15_999 })).rejects.toThrow(/ECONNREFUSED/))
  const retry = jobs.find(({ kind }) => kind === 'retry-proxies')
  const signal = new AbortController().signal
  const run = { id: 'job_1', attempt: 1, fence: 1, signal, assertLease: async () => {} } as const
  await retry?.handle(slipway.ctx, {}, run)
  await vi.waitFor(async () => expect(await readProxyError(other.id)).toBeNull())
  expect(await visit(host, { port: 15_999 })).toMatchObject({ headers: { 'x-version': '2' } })
  await slipway.db.deleteFrom('published_ports').where('application_id', '=', other.id).execute()
})

/** Returns the proxy error that the API shows for the application. */
async function readProxyError(id: Id<'application'>): Promise<string | null> {
  const { token } = await makeSomeone(slipway.db, application.workspace, 'viewer')
  return (await slipway.ok(getApplication, { token, params: { id } })).application.proxy_error
}

test('reports why the proxy is out of sync', async () => {
  const { workspace } = application
  const server = await makeServer(slipway.ctx, workspace, host, { port: 1, name: 'shut' })
  const shut = await makeRouted(slipway, host, {}, { workspace, server })
  await shut.addDomain('shut.example.com')
  await expect(shut.sync()).rejects.toThrow('Connection refused on port 1')
  expect(await readProxyError(shut.id)).toMatch(/^Could not reach shut: /)
  expect(await readProxyError(application.id)).toBeNull()
})

longTest('does not count an earlier failed reload', async () => {
  const config = '/var/lib/slipway/proxy/haproxy.cfg'
  const master = async (what: string) =>
    host.exec(
      'python3',
      '-c',
      `import socket; s = socket.socket(socket.AF_UNIX); s.connect('/var/lib/slipway/proxy/master.sock'); s.sendall(b'${what}\\n'); s.shutdown(1); print(s.recv(65536).decode())`,
    )
  await host.exec('sh', '-c', `cp ${config} ${config}.good; echo nonsense >> ${config}`)
  // The proxy rejects commands while it reloads.
  const failed = async () => {
    await master('reload').catch(() => {})
    expect(await master('show proc')).toMatch(/\[failed: [1-9]/)
  }
  await vi.waitFor(failed, { interval: 1_000 })
  await host.exec('mv', `${config}.good`, config)
  const next = await makeRouted(slipway, host, {}, application)
  await next.addDomain('next.example.com')
  await next.serve('2')
  expect(await visit(host, { host: 'next.example.com' })).toMatchObject({ headers: { 'x-version': '2' } })
})

longTest('waits for the worker while the proxy starts', async () => {
  const machine = getServerHost(slipway.ctx, await application.row())
  for (let round = 0; round < 3; round++) {
    const restarted = host.exec('docker', 'restart', '--time', '0', 'slipway-proxy')
    const end = Date.now() + 1_500
    while (Date.now() < end) expect((await readWorkers(machine)).current).toBeGreaterThan(0)
    await restarted
  }
  await untilItServes()
})

longTest('keeps all routes when setup runs again with other ports', async () => {
  const { workspace, server } = application
  const admin = await makeSomeone(slipway.db, workspace, 'admin')
  const setting = { slipway, workspace, admin, server }
  await start(setting)
  expect((await untilOver(setting)).setup.error).toBeNull()
  await serves()
  await changeServer(slipway.db, workspace, server, { http_port: 8080, https_port: 8443 })
  onTestFinished(async () => {
    const [wanted, used] = [
      { http_port: 80, https_port: 443 },
      { http_port_used: 80, https_port_used: 443 },
    ]
    await changeServer(slipway.db, workspace, server, { ...wanted, ...used })
    await application.sync()
  })
  await start(setting)
  expect((await untilOver(setting)).setup.error).toBeNull()
  expect(await visit(host, { host: 'shop.example.com', port: 8080 })).toMatchObject({ status: 200 })
  await vi.waitFor(() => expect(visit(host, { host: 'shop.example.com' })).rejects.toThrow(/ECONNREFUSED/))
})

test('works for a Docker user without root', async () => {
  await host.addUser('deploy', { sudo: 'none' })
  await host.authorize(host.keys.publicKey, 'deploy')
  await host.exec('usermod', '-aG', 'docker', 'deploy')
  const workspace = await makeWorkspace(slipway.db)
  const server = await makeServer(slipway.ctx, workspace, host, { username: 'deploy' })
  const theirs = await makeRouted(slipway, host, {}, { workspace, server })
  await theirs.addDomain('theirs.example.com')
  await theirs.serve('2')
  expect(await visit(host, { host: 'theirs.example.com' })).toMatchObject({ headers: { 'x-version': '2' } })
  // The routes of that server replaced those of the application.
  await application.sync()
  await serves()
})
