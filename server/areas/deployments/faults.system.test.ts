import { expect, test, vi } from 'vitest'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { runDeployment } from './run-deployment.ts'
import { findDeployment } from './run/deployment.ts'
import { removeOrphans } from './cleanup/remove-orphans.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

// No worker runs here: the tests run the jobs themselves.
const stage = await openShopStage('1')
const { host, ctx, db, workspace } = stage
const { request, look, instancesOf, untilAt, makeShop, setEnv, containersOf, visit } = stage

type Deployment = Awaited<ReturnType<typeof request>>

async function work({ id }: Deployment, timeoutMs?: number): Promise<void> {
  for (let row = await findDeployment(db, workspace, id); row?.finished_at === null;) {
    await runDeployment(ctx, workspace, id, runOf(row.job_id ?? 'job_none'), timeoutMs)
    row = await findDeployment(db, workspace, id)
  }
}

const runOf = (id: JobRun['id']): JobRun => ({
  id,
  attempt: 1,
  fence: 1,
  signal: new AbortController().signal,
  assertLease: async () => {},
})

/** Lets the health check of a deployment with UNHEALTHY pass. */
async function heal({ id }: Deployment): Promise<void> {
  const made = (await instancesOf(shop)).find(({ deployment_id }) => deployment_id === id)
  // The application may not listen yet.
  await vi.waitFor(() => host.exec('curl', '-sSf', `http://${made?.address}:3000/heal`))
}

/** Version that the live containers respond with. */
let serving = 'after the cut'

const shop = await makeShop('shop.test')
await work(await request(shop))

test('waits for a server that is briefly unreachable', async () => {
  await setEnv(shop, { UNHEALTHY: '1', VERSION: 'after the cut' })
  const deployment = await request(shop)
  const working = work(deployment)
  await untilAt(deployment.id, 'wait')
  await host.cut()
  await vi.waitFor(
    async () => expect((await look(deployment.id)).data.logs.join('\n')).toContain('Retrying…'),
    { timeout: 120_000 },
  )
  await host.plug()
  await heal(deployment)
  await working
  expect(await look(deployment.id)).toMatchObject({ status: 'completed', errors: [] })
  expect(await visit('shop.test')).toContain('after the cut')
  expect(await containersOf(shop)).toHaveLength(1)
})

longTest('waits for a restarted Docker and starts the containers again', async () => {
  await setEnv(shop, { HEALTHY_AFTER_MS: '2500', VERSION: 'after Docker' })
  const deployment = await request(shop)
  const working = work(deployment)
  await untilAt(deployment.id, 'wait')
  await host.killDockerd()
  await working
  expect(await look(deployment.id)).toMatchObject({ status: 'completed', errors: [] })
  await vi.waitFor(async () => expect(await visit('shop.test')).toContain('after Docker'))
  expect(await containersOf(shop)).toHaveLength(1)
  serving = 'after Docker'
})

test('fails when Docker stays unreachable, and cleans up when it is back', async () => {
  const before = await instancesOf(shop)
  await setEnv(shop, { UNHEALTHY: '1', VERSION: 'never' })
  const deployment = await request(shop)
  const working = work(deployment, 1_000)
  await untilAt(deployment.id, 'wait')
  await host.exec('sh', '-c', 'touch /run/rig/no-dockerd; pkill -KILL -x dockerd')
  await working
  const failed = await look(deployment.id)
  expect(failed.status).toBe('failed')
  expect(failed.errors[0]).toMatch(/^The server web-\w+ returned an error: Docker is not responding/)
  await host.startDockerd()
  expect(await containersOf(shop)).toHaveLength(2)
  await vi.waitFor(() => removeOrphans(ctx, workspace, shop, runOf('job_tidy')))
  expect(await instancesOf(shop)).toEqual(before)
  expect(await containersOf(shop)).toHaveLength(1)
  await vi.waitFor(async () => expect(await visit('shop.test')).toContain(serving))
})

test('keeps the previous release live when the proxy cannot be updated', async () => {
  const before = await instancesOf(shop)
  await setEnv(shop, { UNHEALTHY: '1', VERSION: 'refused' })
  const deployment = await request(shop)
  const working = work(deployment, 1_000)
  await untilAt(deployment.id, 'wait')
  const proxy = ['slipway-proxy', host.image.name]
  await host.exec('sh', '-c', 'docker rm --force "$1" && docker image rm --force "$2"', 'sh', ...proxy)
  await heal(deployment)
  await working
  const failed = await look(deployment.id)
  expect(failed).toMatchObject({ status: 'failed', cancellable: false })
  expect(failed.steps.find(({ name }) => name === 'switch')?.status).toBe('failed')
  expect((await instancesOf(shop)).filter(({ state }) => state === 'serving')).toEqual(before)
  await host.loadImage(host.image)
  // The proxy takes a moment to come up.
  await vi.waitFor(() => removeOrphans(ctx, workspace, shop, runOf('job_tidy')))
  expect(await instancesOf(shop)).toEqual(before)
  expect(await containersOf(shop)).toHaveLength(1)
  expect(await visit('shop.test')).toContain(serving)
})
