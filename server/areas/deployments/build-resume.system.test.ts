import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { longTest, someOf } from '../../../test/support/run/campaign.ts'
import { openBuildStage } from '../../../test/support/stages/build-stage.ts'
import { startDeploymentWorker } from '../../../test/support/stages/deployment-worker.ts'
import { removeOrphans, enqueueOrphanRemoval } from './cleanup/remove-orphans.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

// No worker runs here: the tests run the jobs themselves.
const stage = await openBuildStage()
const { host, github, slipway, workspace, look, request, makeBuilt, left, lines } = stage
const { work, workToTheEnd } = startDeploymentWorker(slipway, workspace)

const count = 120
const talking = `FROM rig/busybox
RUN for n in $(seq 1 ${count}); do echo "line $n of it"; sleep 0.1; done
CMD ["sleep", "3600"]
`
/** Every line must be logged exactly once and in order. */
const wanted = Array.from({ length: count }, (_, n) => `line ${n + 1} of it`)
const logLines = ({ data }: { data: { logs: string[] } }) =>
  data.logs.flatMap((line) => /^build: .*(line \d+ of it)$/.exec(line)?.[1] ?? [])
const builds = () => lines('pgrep -of "[s]leep 0.1; done" || true')

test.each(someOf(['build', 'fetch'] as const, 1, 0))(
  'continues the build of another worker, in the step %s',
  async (step) => {
    const { id: shop } = await makeBuilt({ Dockerfile: talking.replace('line', `after ${step}, line`) })
    const { id } = await request(shop)
    await expect(work(id, 1, { diesIn: step })).rejects.toThrow('lease_lost')
    await workToTheEnd(id, 2)
    const done = await look(id)
    expect(done).toMatchObject({ status: 'completed', errors: [] })
    expect(logLines(done)).toEqual(wanted)
    expect(await left(shop)).toEqual({ work: [], folders: ['git'], tags: ['1'], groups: [] })
  },
)

test('removes the leftovers of an abandoned build, even without output', async () => {
  const { id: shop } = await makeBuilt({ Dockerfile: talking.replace('line', 'left, line') })
  const { id } = await request(shop)
  await expect(work(id, 1, { diesIn: 'build' })).rejects.toThrow('lease_lost')
  await slipway.db.updateTable('deployments').set({ status: 'failed' }).where('id', '=', id).execute()
  await slipway.db.deleteFrom('jobs').execute()
  expect((await left(shop)).folders).not.toEqual(['git'])
  await enqueueOrphanRemoval(slipway.ctx)
  const found = await slipway.db.selectFrom('jobs').select('kind').execute()
  expect(found.map(({ kind }) => kind)).toEqual(['tidy-application'])
  const run = { id: 'job_tidy', attempt: 1, fence: 1, signal: new AbortController().signal } as const
  await removeOrphans(slipway.ctx, workspace, shop, { ...run, assertLease: async () => {} })
  expect(await left(shop)).toEqual({ work: [], folders: ['git'], tags: [], groups: [] })
  await slipway.db.deleteFrom('jobs').execute()
  await enqueueOrphanRemoval(slipway.ctx)
  expect(await slipway.db.selectFrom('jobs').selectAll().execute()).toEqual([])
})

/** Longer than Slipway takes to notice a lost connection. */
const cutFor = 8_000

longTest('survives a lost connection during fetch and build without losing lines', async () => {
  const { id: shop, repository } = await makeBuilt({ Dockerfile: talking.replace('line', 'cut off, line') })
  const pack = `/${repository}.git/git-upload-pack`
  // GitHub holds the first request of Git, so that the connection is lost during the fetch; Git then retries.
  github.fail(pack, 'slow', 1)
  const { id } = await request(shop)
  const working = workToTheEnd(id)
  await vi.waitFor(() => expect(github.asked).toContain(`POST ${pack}`))
  await host.cut()
  await sleep(cutFor)
  github.letGo()
  await host.plug()
  await vi.waitFor(async () => expect(logLines(await look(id)).length).toBeGreaterThan(3), {
    timeout: 120_000,
    interval: 100,
  })
  const before = await builds()
  expect(before).not.toEqual([])
  await host.cut()
  await sleep(cutFor)
  expect(await builds()).toEqual(before)
  await host.plug()
  await working
  const done = await look(id)
  expect(done).toMatchObject({ status: 'completed', errors: [] })
  expect(logLines(done)).toEqual(wanted)
  expect(done.data.logs.filter((line) => line.includes('Retrying…'))).toHaveLength(2)
})
