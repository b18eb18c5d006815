import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'vitest'
import { loadApp } from '../test/support/rig/load-app.ts'
import { takeSetUpHost } from '../test/support/stages/setups.ts'
import { median, report } from './results.ts'
import { openShops } from './shops.ts'

const host = await takeSetUpHost()
await loadApp(host)

test('adds little latency in the proxy', async () => {
  const shops = await openShops(4962, host)
  try {
    const shop = await shops.makeShop()
    await shops.untilDone((await shops.deploy(shop.id)).id)
    const direct = `http://${await addressOf(shop.id)}:3000/`
    const proxied = `http://127.0.0.1/ ${shop.address}`
    const script = await readFile(join(import.meta.dirname, 'fixtures/latency.mjs'), 'utf8')
    const measure = async (): Promise<[number, number]> =>
      JSON.parse(
        await host.exec(
          process.execPath,
          '--input-type=module',
          '--eval',
          script,
          '--',
          '2200',
          direct,
          proxied,
        ),
      )
    const runs = [await measure(), await measure(), await measure()]
    const [without, through] = [median(runs.map(([one]) => one)), median(runs.map(([, other]) => other))]
    const added = median(runs.map(([one, other]) => other - one))
    report({
      what: 'added latency of the proxy, p50 of 2,000 requests, against direct, median of 3',
      bar: '≤ 1 ms',
      measured: `${added.toFixed(2)} ms (direct ${without.toFixed(2)} ms, through it ${through.toFixed(2)} ms)`,
      met: added <= 1,
    })
  } finally {
    await shops.close()
  }
})

/** Address of its container in Docker's network. */
async function addressOf(application: string): Promise<string> {
  const filter = `label=slipway.application=${application}`
  const id = (await host.exec('docker', 'ps', '--quiet', '--filter', filter)).trim()
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}'
  return (await host.exec('docker', 'inspect', '--format', format, id)).trim()
}
