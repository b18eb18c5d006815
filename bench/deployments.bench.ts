import { expect, test } from 'vitest'
import { startLoad } from '../test/support/clients/load.ts'
import { loadApp } from '../test/support/rig/load-app.ts'
import { takeSetUpHost } from '../test/support/stages/setups.ts'
import { report } from './results.ts'
import { openShops, untilSeen } from './shops.ts'

const DEPLOYMENTS = 50
const TCP_PORT = 15_432

const host = await takeSetUpHost()
await loadApp(host)

test(`completes ${DEPLOYMENTS} sequential deployments under load`, async () => {
  const shops = await openShops(4960, host)
  try {
    const shop = await shops.makeShop(0, {
      ports: [{ source: TCP_PORT, target: 4_000 }],
      env: [
        { key: 'VERSION', value: '0' },
        { key: 'TCP_PORT', value: '4000' },
      ],
      // Longer than the slow requests take.
      drain_seconds: 10,
    })
    await shops.untilDone((await shops.deploy(shop.id)).id)
    const load = startLoad({
      address: host.address,
      host: shop.address,
      keepAlive: 64,
      fresh: 8,
      webSockets: 8,
      slow: 8,
      tcp: { port: TCP_PORT, clients: 8 },
      pauseMs: 50,
    })
    const began = performance.now()
    for (let nth = 1; nth <= DEPLOYMENTS; nth++) {
      await shops.setEnv(shop.id, { VERSION: String(nth), TCP_PORT: '4000' })
      const { id } = await shops.deploy(shop.id)
      await untilSeen(load, String(nth))
      // Others take over from one that still drains.
      if (nth % 5 === 0) await shops.untilDone(id)
    }
    const seconds = (performance.now() - began) / 1_000
    const { done, failures, versions } = await load.stop()
    expect(versions).toHaveLength(DEPLOYMENTS + 1)
    const { tcp = 0, ...web } = done
    const told = Object.entries(web).map(([kind, count]) => `${count} ${kind}`)
    const tcpFailures = failures.filter((one) => one.startsWith('tcp: '))
    const webFailures = failures.filter((one) => !one.startsWith('tcp: '))
    for (const failure of new Set(failures)) process.stdout.write(`${failure}\n`)
    report({
      what: `${DEPLOYMENTS} deployments in a row under 64 keep-alive clients, fresh connections, WebSockets and 5 s requests: failed requests`,
      bar: '0',
      measured: `${webFailures.length} (${told.join(', ')} in ${seconds.toFixed(0)} s)`,
      met: webFailures.length === 0,
    })
    report({
      what: 'the same for a published TCP port, new connections',
      bar: '0',
      measured: `${tcpFailures.length} of ${tcp}`,
      met: tcpFailures.length === 0,
    })
  } finally {
    await shops.close()
  }
}, 1_200_000)
