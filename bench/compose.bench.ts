import { expect, test } from 'vitest'
import { planDeployment } from '../contract/compose.ts'
import { loadApp } from '../test/support/rig/load-app.ts'
import { rolledFile, rolledServices, rollServices } from '../test/support/stages/roll-services.ts'
import { takeSetUpHost } from '../test/support/stages/setups.ts'
import { median, report } from './results.ts'
import { openShops, untilSeen } from './shops.ts'

const DEPLOYMENTS = 30
const SERVICES = 20
const PLANS = 5

const host = await takeSetUpHost()
await loadApp(host, '1')

/** Options that only compose applications have. */
const composed = (compose: string, given: object = {}) => ({
  source: { type: 'compose', compose },
  health: { type: 'auto', path: '/', within_seconds: 60 },
  domains: [],
  ...given,
})

test(`completes ${DEPLOYMENTS} deployments of three services under load`, async () => {
  const shops = await openShops(4970, host)
  const addressOf = (service: string) => `${service}.compose.example.com`
  try {
    const { id } = await shops.makeShop(
      0,
      composed(rolledFile, {
        env: rolledServices.map((service) => ({ key: service.toUpperCase(), value: '0' })),
        domains: rolledServices.map((service) => ({
          service,
          host: addressOf(service),
          port: 3_000,
          https: false,
        })),
        drain_seconds: 10,
      }),
    )
    await shops.untilDone((await shops.deploy(id)).id)
    const began = performance.now()
    const clients = { keepAlive: 48, fresh: 16, pauseMs: 150 }
    const { failures, touched, versions, done } = await rollServices(
      {
        host,
        application: id,
        addressOf,
        async deploy({ web, api, docs }, loads) {
          await shops.setEnv(id, { WEB: web, API: api, DOCS: docs })
          const { id: deployment } = await shops.deploy(id)
          const newest = String(Math.max(Number(web), Number(api), Number(docs)))
          const changed = newest === web ? 'web' : newest === api ? 'api' : 'docs'
          await untilSeen(loads[changed], newest)
          await shops.untilDone(deployment)
        },
      },
      DEPLOYMENTS,
      clients,
    )
    const seconds = (performance.now() - began) / 1_000
    for (const failure of new Set(failures)) process.stdout.write(`${failure}\n`)
    expect(versions.reduce((sum, one) => sum + one, 0)).toBe(DEPLOYMENTS + rolledServices.length)
    report({
      what: `${DEPLOYMENTS} deployments of a three-service compose application, one service changing, under 64 clients on each of the three (48 keep-alive, 16 fresh): failed requests, containers of the others that were replaced`,
      bar: '0, 0',
      measured: `${failures.length}, ${touched.length} (${done('keep-alive')} keep-alive, ${done('fresh')} fresh in ${seconds.toFixed(0)} s)`,
      met: failures.length === 0 && touched.length === 0,
    })
  } finally {
    await shops.close()
  }
}, 1_800_000)

test(`plans ${SERVICES} services`, async () => {
  const shops = await openShops(4971, host)
  try {
    const lines = Array.from(
      { length: SERVICES },
      (_, nth) => `  s${nth}: { image: 'rig/app:1', environment: { VERSION: $VERSION } }`,
    )
    const { id } = await shops.makeShop(
      0,
      composed(`services:\n${lines.join('\n')}\n`, { env: [{ key: 'VERSION', value: '0' }] }),
    )
    await shops.untilDone((await shops.deploy(id)).id)
    await shops.setEnv(id, { VERSION: '1' })
    const took: number[] = []
    for (let nth = 0; nth < PLANS; nth++) {
      const began = performance.now()
      const { plan } = await shops.ok(planDeployment, { id })
      took.push(performance.now() - began)
      expect(plan.services.map(({ action }) => action)).toEqual(Array(SERVICES).fill('rolled'))
    }
    const inSeconds = (value: number) => `${(value / 1_000).toFixed(2)} s`
    report({
      what: `plan for ${SERVICES} services that are deployed and all changed, median of ${PLANS}`,
      bar: '≤ 1 s',
      measured: `${inSeconds(median(took))} (worst ${inSeconds(Math.max(...took))})`,
      met: median(took) <= 1_000,
    })
  } finally {
    await shops.close()
  }
}, 900_000)
