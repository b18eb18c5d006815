import { expect, test, vi } from 'vitest'
import { planDeployment } from '../../../contract/compose.ts'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'

const stage = await openShopStage('1')
const { slipway, host, member } = stage
const { deploy, instancesOf, makeShop, setEnv, containersOf, visit } = stage
slipway.work()
const shop = await makeShop('shop.test', { stop_first: true })

/** Lists the starts and stops of the containers of the application, in order. */
async function eventsOf(since: string): Promise<string[]> {
  const span = ['--since', since, '--until', await now()]
  const kinds = [`label=slipway.application=${shop}`, 'event=start', 'event=die']
  const filters = kinds.flatMap((kind) => ['--filter', kind])
  const format = '{{.Action}} {{.Actor.Attributes.name}}'
  const lines = await host.exec('docker', 'events', ...span, ...filters, '--format', format)
  // The deployment renames the old container before it exits, so remove the suffix.
  return lines.split('\n').flatMap((line) => line.replace(/-held-\w+$/, '') || [])
}

const now = async () => (await host.exec('date', '+%s.%N')).trim()

test('stops the old container before the new one starts', async () => {
  await setEnv(shop, { VERSION: 'one' })
  expect(await deploy(shop)).toMatchObject({ status: 'completed', errors: [] })
  const [old = ''] = await containersOf(shop)
  const since = await now()
  await setEnv(shop, { VERSION: 'two' })
  const { plan } = await slipway.ok(planDeployment, { token: member.token, params: { id: shop } })
  expect(plan.warnings).toEqual(['The old container is stopped first: expect a few seconds of downtime.'])
  const done = await deploy(shop)
  expect(done).toMatchObject({ status: 'completed', errors: [] })
  expect(done.data.logs).toContain('Stopping the old container before the new one starts')
  const [young = ''] = await containersOf(shop)
  expect(await eventsOf(since)).toEqual([`die ${old}`, `start ${young}`])
  expect(await visit('shop.test')).toContain('two ')
  expect(await instancesOf(shop)).toMatchObject([{ state: 'serving' }])
})

test('restarts the old container when the new one fails', async () => {
  const [name = ''] = await containersOf(shop)
  const before = await instancesOf(shop)
  const since = await now()
  await setEnv(shop, { VERSION: 'three', EXIT_AFTER_MS: '1', HEALTHY_AFTER_MS: '60000' })
  const failed = await deploy(shop)
  expect(failed.status).toBe('failed')
  expect(failed.data.logs).toContain('The previous containers are running again.')
  const [stopped, , , again, ...more] = await eventsOf(since)
  expect([stopped, again, more]).toEqual([`die ${name}`, `start ${name}`, []])
  await vi.waitFor(async () => expect(await visit('shop.test')).toContain('two '))
  expect(await instancesOf(shop)).toEqual(before)
  expect(await containersOf(shop)).toEqual([name])
  const policy = await host.exec('docker', 'inspect', '--format', '{{.HostConfig.RestartPolicy.Name}}', name)
  expect(policy.trim()).toBe('always')
})
