import { afterAll, beforeAll, expect, test } from 'vitest'
import { rollBackApplication } from '../contract/deployments.ts'
import { startLoad } from '../test/support/clients/load.ts'
import { loadApp } from '../test/support/rig/load-app.ts'
import { takeSetUpHost } from '../test/support/stages/setups.ts'
import { median, report } from './results.ts'
import { openShops, type Shops, timeUntilServed, visitor } from './shops.ts'

const ROUNDS = 15

const host = await takeSetUpHost()
await loadApp(host)
let shops: Shops
beforeAll(async () => {
  shops = await openShops(4961, host)
})
afterAll(() => shops.close())

/** The manual equivalent on the server: run and wait until healthy. */
const byHand = `docker run --detach --name by-hand --env VERSION="$1" --restart always \\
  --network by-hand --ip 10.77.0.9 --network-alias shop rig/app:latest > /dev/null
until curl --silent --fail --output /dev/null http://10.77.0.9:3000/healthz; do sleep 0.01; done`

test('switches traffic to the new version after the trigger', async () => {
  const shop = await shops.makeShop()
  const at = { address: host.address, host: shop.address }
  const deployAs = async (version: string) => {
    await shops.setEnv(shop.id, { VERSION: version })
    let id = ''
    const took = await timeUntilServed(at, version, async () => {
      ;({ id } = await shops.deploy(shop.id))
    })
    return { took, done: await shops.untilDone(id) }
  }
  await shops.setEnv(shop.id, { VERSION: 'first' })
  await shops.untilDone((await shops.deploy(shop.id)).id)
  await host.exec('docker', 'network', 'create', '--subnet', '10.77.0.0/24', 'by-hand')
  const [ours, hand]: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const { took, done } = await deployAs(`v${round}`)
    const manual = await timeByHand(at, `v${round}`)
    await host.exec('docker', 'rm', '--force', 'by-hand')
    process.stdout.write(`${took.toFixed(0)} ms (${stepTimes(done)}), by hand ${manual.toFixed(0)} ms\n`)
    // The first run is a warm-up.
    if (round === 0) continue
    ours.push(took)
    hand.push(manual)
  }
  const [mine, theirs] = [median(ours), median(hand)]
  report({
    what: `trigger → new version taking traffic, against docker run for the same result (own network, fixed address, restart policy, a visitor meanwhile) and a probe by hand, medians of ${ROUNDS}`,
    bar: '≤ 1.3 ×, ≤ 2.5 s',
    measured: `${(mine / theirs).toFixed(2)} × (${(mine / 1_000).toFixed(2)} s, by hand ${(theirs / 1_000).toFixed(2)} s)`,
    met: mine / theirs <= 1.3 && mine <= 2_500,
  })
})

test('switches traffic to the previous version after a rollback', async () => {
  const shop = await shops.makeShop()
  const at = { address: host.address, host: shop.address }
  for (const version of ['one', 'two']) {
    await shops.setEnv(shop.id, { VERSION: version })
    await shops.untilDone((await shops.deploy(shop.id)).id)
  }
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    let id = ''
    const took = await timeUntilServed(at, round % 2 === 0 ? 'one' : 'two', async () => {
      id = (await shops.ok(rollBackApplication, { id: shop.id })).deployment.id
    })
    const done = await shops.untilDone(id)
    process.stdout.write(`rollback ${took.toFixed(0)} ms (${stepTimes(done)})\n`)
    times.push(took)
  }
  const took = median(times) / 1_000
  report({
    what: `rollback, POST → old version taking traffic, median of ${ROUNDS}`,
    bar: '≤ 1.5 s',
    measured: `${took.toFixed(2)} s (worst ${(Math.max(...times) / 1_000).toFixed(2)} s)`,
    met: took <= 1.5,
  })
  expect(times).toHaveLength(ROUNDS)
})

/** Measured while the same client requests the live version. */
async function timeByHand(at: { address: string; host: string }, version: string): Promise<number> {
  const load = startLoad({ ...at, ...visitor })
  const began = performance.now()
  await host.exec('sh', '-euc', byHand, 'sh', version)
  const took = performance.now() - began
  await load.stop()
  return took
}

const stepTimes = ({ created_at, steps }: Awaited<ReturnType<Shops['look']>>) =>
  steps
    .map(({ name, started_at, finished_at }, at) => {
      const begun = Date.parse(started_at ?? created_at)
      const queued = at === 0 ? `queued ${begun - Date.parse(created_at)}, ` : ''
      return `${queued}${name} ${Date.parse(finished_at ?? '') - begun}`
    })
    .join(', ')
