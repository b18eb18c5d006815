import { afterAll, expect, test, vi } from 'vitest'
import { cancelDeployment } from '../../../contract/deployments.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { startDeployer, startShops } from '../../../test/support/stages/deployments.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { loadApp } from '../../../test/support/rig/load-app.ts'
import { takeProvidedHost } from '../../../test/support/stages/setups.ts'
import { changeServer } from '../servers/server.ts'

/** A server with Docker but without a proxy, because no setup has run yet. */
const host = await takeProvidedHost()
await loadApp(host, '1')
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name })
afterAll(() => slipway.close())
slipway.work()
const { workspace, member } = await makeTeam(slipway.db)
const server = await makeServer(slipway.ctx, workspace, host, { name: 'web-1', machine: null })
const { deploy, ended, request, untilAt } = startDeployer(slipway, member.token)
const { makeShop, visit } = startShops(slipway, { workspace, server, host })
const stepsOf = ({ steps }: Awaited<ReturnType<typeof deploy>>) =>
  steps.map(({ name, status }) => `${name} ${status}`)
const serverRow = () =>
  slipway.db.selectFrom('servers').selectAll().where('id', '=', server).executeTakeFirstOrThrow()

const inUse =
  'web-1 could not be set up. Port 80 is in use by python3. Stop it or choose other ports in the server settings, then set up again.'

const passPause = () =>
  slipway.db
    .updateTable('setups')
    .set({ finished_at: new Date(Date.now() - 600_000) })
    .where('server_id', '=', server)
    .execute()

/** The tests run in this order, because each one continues with the server of the test before. */
test('fails with the reason of the setup, which a deployment repeats after 10 minutes', async () => {
  await host.exec('sh', '-c', 'cd /tmp && setsid python3 -m http.server 80 > /dev/null 2>&1 &')
  await vi.waitFor(() => host.exec('curl', '--silent', '--fail', 'http://127.0.0.1/'))
  const shop = await makeShop('shop.test')
  const paused = `${inUse} Deployments retry a failed setup after 10 minutes. A workspace admin can run setup earlier on the server page.`
  for (const error of [inUse, paused, inUse]) {
    if (error === inUse) await passPause()
    const failed = await deploy(shop)
    expect(failed).toMatchObject({ status: 'failed', errors: [error], release: null })
    expect(stepsOf(failed).slice(0, 3)).toEqual(['setup failed', 'check skipped', 'fetch skipped'])
    expect(await serverRow()).toMatchObject({ status: 'failed' })
  }
  await host.exec('pkill', '-f', 'http.server')
  await passPause()
})

test('sets up a server that lacks the proxy, as a step with its log', async () => {
  const done = await deploy(await makeShop('first.test'))
  expect(done).toMatchObject({ status: 'completed', errors: [] })
  expect(stepsOf(done).slice(0, 2)).toEqual(['setup completed', 'check completed'])
  const { logs } = done.data
  for (const line of ['Setting up web-1', 'Checking Docker']) expect(logs).toContain(line)
  // Only step titles and errors of the setup are copied.
  expect(logs).not.toContain('The server is ready.')
  expect(logs.indexOf('Checking Docker')).toBeLessThan(logs.indexOf('Version 1 listens on port 3000.'))
  expect(await visit('first.test')).toContain('1 ')
  expect(await serverRow()).toMatchObject({ status: 'ready', reason: null, http_port_used: 80 })
  const setups = await slipway.db.selectFrom('setups').selectAll().where('server_id', '=', server).execute()
  expect(setups).toMatchObject([{ status: 'completed', actor_name: 'Slipway' }])
})

test('is canceled while it waits for a setup', async () => {
  await changeServer(slipway.db, workspace, server, { status: 'setting_up' })
  const { id } = await request(await makeShop('third.test'))
  await untilAt(id, 'setup')
  await slipway.ok(cancelDeployment, { token: member.token, params: { id } })
  const canceled = await ended(id)
  expect(canceled).toMatchObject({ status: 'cancelled', errors: [] })
  await changeServer(slipway.db, workspace, server, { status: 'ready' })
})
