import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { getApplicationMetrics } from '../../../contract/metrics.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { startDeployer, startShops } from '../../../test/support/stages/deployments.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { loadApp } from '../../../test/support/rig/load-app.ts'
import { takeSetUpHost } from '../../../test/support/stages/setups.ts'
import { deleteOldMetrics, rollUpMetrics } from './rollup.ts'
import { insertApplicationSamples } from './sample-writer.ts'

const host = await takeSetUpHost()
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name })
afterAll(() => slipway.close())
const { ctx, db } = slipway
const { workspace, viewer, member } = await makeTeam(db)

const MINUTE = 60_000
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds)

const sample = (application_id: Id<'application'>, at: Date, requests: number, latency_ms: number) => ({
  workspace_id: workspace,
  application_id,
  at,
  requests,
  status_2xx: requests,
  status_3xx: 0,
  status_4xx: 0,
  status_5xx: 0,
  bytes_in: 0,
  bytes_out: 0,
  latency_ms,
  sessions: 1,
  cpu: 0.5,
  memory_used: 3_000_000_000,
})

async function read(id: Id<'application'>, since?: Date) {
  const query = since ? { since: since.toISOString() } : {}
  return (await slipway.ok(getApplicationMetrics, { token: viewer.token, params: { id }, query })).metrics
}

describe('stored metrics', () => {
  test('are returned, rolled up weighted by requests, and deleted', async () => {
    const server = await makeServer(ctx, workspace, nowhere(), { status: 'unreachable' })
    const id = await makeApplication(db, workspace, server)
    const five = Math.floor(ago(20 * MINUTE).getTime() / (5 * MINUTE)) * 5 * MINUTE
    await insertApplicationSamples(db, [
      { ...sample(id, new Date(five), 30, 10), slower_0: 30, slower_5: 30, slower_10: 15, slower_20: 0 },
      sample(id, new Date(five + 10_000), 10, 50),
      sample(id, new Date(five + 20_000), 0, 0),
      sample('app_gone', new Date(five), 1, 1),
    ])
    expect((await read(id)).points[0]).toMatchObject({
      requests: 20,
      latency_ms: 20,
      latency_p50_ms: 10,
      memory_used: 3_000_000_000,
    })
    await rollUpMetrics(db)
    const { points, step_seconds } = await read(id, ago(30 * 24 * 60 * MINUTE))
    expect(step_seconds).toBeGreaterThanOrEqual(300)
    expect(points).toHaveLength(1)
    expect(points[0]?.requests).toBeCloseTo(40 / 3, 3)
    expect(points[0]?.latency_ms).toBeCloseTo(20, 3)

    await insertApplicationSamples(db, [sample(id, ago(25 * 60 * MINUTE), 1, 1)])
    await deleteOldMetrics(db, new AbortController().signal)
    expect(await db.selectFrom('application_samples').select('at').execute()).toHaveLength(3)
  })
})

test('counts traffic through the proxy and usage of containers', async () => {
  const server = await makeServer(ctx, workspace, host)
  slipway.work()
  await loadApp(host, '1')
  const shops = startShops(slipway, { workspace, server, host })
  const id = await shops.makeShop('traffic.example.com')
  expect(await startDeployer(slipway, member.token).deploy(id)).toMatchObject({ status: 'completed' })
  const ask = (path: string) =>
    host.exec(
      ...(['curl', '--silent', '--output', '/dev/null', '--header', 'Host: traffic.example.com'] as const),
      `http://127.0.0.1${path}`,
    )
  await vi.waitFor(
    async () => {
      for (let n = 0; n < 5; n++) await ask('/')
      await ask('/no-such-page')
      const { points } = await read(id)
      const busy = points.find(({ requests, memory_used }) => requests > 0 && memory_used > 0)
      expect(busy).toBeDefined()
      expect(busy?.status_2xx).toBeGreaterThan(0)
      expect(busy?.bytes_out).toBeGreaterThan(0)
    },
    { interval: 500 },
  )
})
