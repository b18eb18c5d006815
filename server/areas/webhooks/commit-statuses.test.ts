import { afterAll, expect, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { areas } from '../../areas.ts'
import { startEventRelay } from '../../work/event-relay.ts'
import { makeDeployment } from '../../../test/support/factories/application-factories.ts'
import { makeServer, nowhere, unique } from '../../../test/support/factories/factories.ts'
import { openWebhookStage } from '../../../test/support/stages/webhooks.ts'
import { sealErrors } from '../deployments/run/deployment.ts'

const stage = await openWebhookStage()
const { github, db, ctx, workspace, server, work, connectRepository } = stage
const relay = startEventRelay(
  ctx,
  areas.flatMap((area) => area.listeners ?? []),
)
afterAll(async () => {
  await relay.stop()
  await stage.close()
})

type Shop = Id<'application'>

async function openShop() {
  const { name, makeShop, ...rest } = await connectRepository()
  const shop = await makeShop()
  const sha = await github.commit(name)
  const commit = JSON.stringify({ sha, message: 'Better', author: null, branch: 'main', url: '' })
  const make = (given: Partial<Parameters<typeof makeDeployment>[3]> = {}) =>
    makeDeployment(db, workspace, { id: shop, server }, { type: 'build_application', commit, ...given })
  return { ...rest, name, shop, sha, make, makeShop }
}

const tell = (shop: Shop, type: 'deployment.queued' | 'deployment.failed' | 'deployment.commit_found') =>
  transaction(db, (trx) =>
    emit(trx, 'slipway', workspace, type, { kind: 'application', id: shop, name: 'shop' }),
  )

const change = (
  id: Id<'deployment'>,
  changes: { status: 'running' | 'failed' | 'completed'; errors_sealed?: string | null },
) => db.updateTable('deployments').set(changes).where('id', '=', id).execute()

const toldOf = (sha: string) =>
  github.state.statuses
    .filter((one) => one.sha === sha)
    .map(({ state, description }) => `${state}: ${description}`)

const until = (sha: string, expected: string[]) => vi.waitFor(() => expect(toldOf(sha)).toEqual(expected))

test('reports each status change of a deployment to GitHub', async () => {
  const { shop, sha, make } = await openShop()
  work()
  const id = await make({ status: 'queued' })
  await tell(shop, 'deployment.queued')
  await until(sha, ['pending: Queued.'])
  const [{ context, target_url } = {}] = github.state.statuses.filter((one) => one.sha === sha)
  const row = await db.selectFrom('applications').select('slug').where('id', '=', shop).executeTakeFirst()
  expect(context).toBe(`slipway/${row?.slug}`)
  expect(target_url).toBe(`http://slipway.test/dashboard/applications/${shop}/deployments?deploymentId=${id}`)
  // Errors can quote output, which must not be visible to all readers of the repository.
  await change(id, { status: 'failed', errors_sealed: sealErrors(ctx, id, ['The token is tok-1234.']) })
  await tell(shop, 'deployment.failed')
  const failure = 'failure: Deployment failed. See the log in Slipway.'
  await until(sha, ['pending: Queued.', failure])
  const next = await make({ status: 'completed' })
  await tell(shop, 'deployment.queued')
  await until(sha, [...toldOf(sha).slice(0, 2), 'success: Deployed and live.'])
  expect(next).not.toBe(id)
})

test('retries while GitHub is unreachable or rate-limited, and stops when it rejects the status', async () => {
  const { shop, sha, make } = await openShop()
  work()
  const asked = () => github.asked.filter((one) => one.includes(`/statuses/${sha}`)).length
  const untilAsked = (times: number) => vi.waitFor(() => expect(asked()).toBeGreaterThanOrEqual(times))
  github.fail('/repositories/*', 'bad gateway')
  await make({ status: 'completed' })
  await tell(shop, 'deployment.queued')
  await untilAsked(2)
  expect(toldOf(sha)).toEqual([])
  github.fail('/repositories/*', undefined)
  await until(sha, ['success: Deployed and live.'])
  const before = asked()
  github.limitRate({ seconds: 3 })
  await make({ status: 'queued' })
  await tell(shop, 'deployment.queued')
  await untilAsked(before + 1)
  expect(toldOf(sha)).toHaveLength(1)
  github.liftRate()
  await until(sha, ['success: Deployed and live.', 'pending: Queued.'])
  const gone = await make({
    status: 'completed',
    commit: JSON.stringify({ sha: 'f'.repeat(40), message: '', author: null, branch: 'main', url: '' }),
  })
  await tell(shop, 'deployment.queued')
  await vi.waitFor(
    async () =>
      expect(
        (
          await db
            .selectFrom('deployments')
            .select('reported_status')
            .where('id', '=', gone)
            .executeTakeFirst()
        )?.reported_status,
      ).toMatch(/^f{40} success/),
    { timeout: 120_000 },
  )
  expect(toldOf('f'.repeat(40))).toEqual([])
})

test('reports a replaced commit and follows the newer one of the branch', async () => {
  const { name, shop, sha, make } = await openShop()
  work()
  const id = await make({ status: 'queued' })
  await tell(shop, 'deployment.queued')
  await until(sha, ['pending: Queued.'])
  const newer = await github.commit(name)
  const commit = JSON.stringify({ sha: newer, message: 'Best', author: null, branch: 'main', url: '' })
  await db.updateTable('deployments').set({ commit }).where('id', '=', id).execute()
  await tell(shop, 'deployment.commit_found')
  await until(sha, ['pending: Queued.', `error: Replaced by newer commit ${newer.slice(0, 7)}.`])
  await until(newer, ['pending: Queued.'])
})

test('separates the statuses of two applications with the same name and repository', async () => {
  const { shop, sha, make, makeShop } = await openShop()
  const second = await makeShop()
  const other = await makeServer(ctx, workspace, nowhere())
  const slug = unique('shop')
  for (const [id, server_id] of [
    [shop, server],
    [second, other],
  ] as const)
    await db.updateTable('applications').set({ slug, server_id }).where('id', '=', id).execute()
  work()
  await make({ status: 'completed' })
  const commit = JSON.stringify({ sha, message: 'Better', author: null, branch: 'main', url: '' })
  const given = { type: 'build_application', status: 'failed', commit } as const
  await makeDeployment(db, workspace, { id: second, server: other }, given)
  for (const one of [shop, second]) await tell(one, 'deployment.queued')
  await vi.waitFor(() => expect(toldOf(sha)).toHaveLength(2))
  const contexts = github.state.statuses.filter((one) => one.sha === sha).map(({ context }) => context)
  expect(contexts.toSorted()).toEqual([`slipway/${slug}`, `slipway/${slug}/${second}`])
})
