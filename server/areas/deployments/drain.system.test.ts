import { expect, test, vi } from 'vitest'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'
import { endSlowRequests } from '../../../test/support/rig/load-app.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const stage = await openShopStage('1')
const { slipway, host } = stage
const { deploy, request, ended, look, untilAt, instancesOf, makeShop, setEnv, containersOf, visit } = stage
slipway.work()

const shop = await makeShop('shop.test', { drain_seconds: 60 })
await setEnv(shop, { VERSION: 'first' })
await deploy(shop)

/** Sends a request that stays open until `endSlowRequests`, and waits until it is connected. */
async function visitSlowly() {
  const url = 'http://127.0.0.1/slow'
  const answer = host.exec('curl', '-sS', '--header', 'Host: shop.test', url)
  // Prevents an unhandled rejection while the test waits for something else.
  answer.catch(() => {})
  await vi.waitFor(
    async () => {
      const open = await host.exec(
        'sh',
        '-c',
        'ls -l /proc/$(pgrep -n curl)/fd 2> /dev/null | grep -c socket',
      )
      expect(Number(open)).toBeGreaterThan(0)
    },
    { timeout: 120_000 },
  )
  return { answer }
}

test('lets the old container answer a request that is open during the switch', async () => {
  const { answer } = await visitSlowly()
  await setEnv(shop, { VERSION: 'second' })
  const { id } = await request(shop)
  await untilAt(id, 'drain')
  await vi.waitFor(async () =>
    expect((await look(id)).data.logs.join('\n')).toMatch(/Waiting up to \d+ s for 1 open request/),
  )
  expect(await visit('shop.test')).toContain('second ')
  expect(await containersOf(shop)).toHaveLength(2)
  await endSlowRequests(host)
  expect(await answer).toBe('first slow\n')
  expect(await ended(id)).toMatchObject({ status: 'completed' })
  expect(await containersOf(shop)).toHaveLength(1)
})

longTest(
  'does not wait for open requests when a newer deployment is queued, which removes the old containers',
  async () => {
    const { answer } = await visitSlowly()
    await setEnv(shop, { VERSION: 'third' })
    const third = await request(shop)
    await untilAt(third.id, 'drain')
    await setEnv(shop, { VERSION: 'fourth' })
    const fourth = await request(shop)
    expect(await ended(third.id)).toMatchObject({ status: 'completed' })
    await untilAt(fourth.id, 'drain')
    expect(await visit('shop.test')).toContain('fourth ')
    expect((await instancesOf(shop)).map(({ state }) => state)).toContain('draining')
    await endSlowRequests(host)
    expect(await answer).toBe('second slow\n')
    expect(await ended(fourth.id)).toMatchObject({ status: 'completed' })
    expect(await instancesOf(shop)).toMatchObject([{ state: 'serving' }])
    expect(await containersOf(shop)).toHaveLength(1)
  },
)
