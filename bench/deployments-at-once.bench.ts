import { test } from 'vitest'
import { loadApp } from '../test/support/rig/load-app.ts'
import { takeSetUpHost } from '../test/support/stages/setups.ts'
import { median, report } from './results.ts'
import { openShops } from './shops.ts'

const APPLICATIONS = 20

const hosts = [await takeSetUpHost(), await takeSetUpHost()]
for (const host of hosts) await loadApp(host)

test(`deploys ${APPLICATIONS} applications concurrently on ${hosts.length} servers`, async () => {
  const shops = await openShops(4964, ...hosts)
  try {
    const all = await Promise.all(
      Array.from({ length: APPLICATIONS }, (_, nth) => shops.makeShop(nth % hosts.length)),
    )
    const began = performance.now()
    const times = await Promise.all(
      all.map(async ({ id }) => {
        await shops.untilDone((await shops.deploy(id)).id)
        return (performance.now() - began) / 1_000
      }),
    )
    const [middle, worst] = [median(times), Math.max(...times)]
    report({
      what: `${APPLICATIONS} applications deployed at once on ${hosts.length} servers`,
      bar: 'all complete, the last within 4 × the median',
      measured: `${times.length} completed, median ${middle.toFixed(1)} s, worst ${worst.toFixed(1)} s`,
      met: times.length === APPLICATIONS && worst <= middle * 4,
    })
  } finally {
    await shops.close()
  }
})
