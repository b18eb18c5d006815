import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { endTrial, makeSubscription, paidEnv } from '../../../test/support/factories/billing-factories.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeWorkspace, nowhere } from '../../../test/support/factories/factories.ts'
import { deleteMetricsByPlan } from './rollup.ts'
import { applicationSeries, containerSeries, serverSeries } from './series.ts'

const day = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * day)
const never = new AbortController().signal
const days = [1, 6, 8, 20, 29]
const weekly = JSON.stringify([
  { id: 'small', name: 'Small', price: 'price_small', retention_days: 7 },
  { id: 'large', name: 'Large', price: 'price_large', retention_days: 21 },
  { id: 'endless', name: 'Endless', price: 'price_endless' },
])

let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway({ ...paidEnv(), PLANS: weekly })
  await paidSince(ago(40))
})
afterAll(() => slipway.close())

/** Sets when billing was turned on. */
const paidSince = (since: Date) =>
  slipway.db
    .updateTable('instance')
    .set({ value: since.toISOString() })
    .where('name', '=', 'billing_since')
    .execute()

const zeros = (names: string[]) => Object.fromEntries(names.map((name) => [name, 0]))

/** Creates a workspace with a month of metrics of all kinds. */
async function makeMonth() {
  const { ctx, db } = slipway
  const workspace_id = await makeWorkspace(db)
  await db
    .updateTable('workspaces')
    .set({ created_at: ago(40) })
    .where('id', '=', workspace_id)
    .execute()
  const server_id = await makeServer(ctx, workspace_id, nowhere())
  const application_id = await makeApplication(db, workspace_id, server_id)
  for (const back of days) {
    const at = ago(back)
    const rows = [
      [serverSeries, { server_id }],
      [containerSeries, { server_id, container_id: 'c1' }],
      [applicationSeries, { application_id }],
    ] as const
    for (const [{ rollups, figures }, whose] of rows) {
      const row = { workspace_id, at, ...whose, ...zeros(Object.keys(figures)) }
      await ctx.pool.query(
        `insert into ${rollups} (${Object.keys(row).join()}) values (${Object.keys(row)
          .map((_, n) => `$${n + 1}`)
          .join()})`,
        Object.values(row),
      )
    }
  }
  return workspace_id
}

/** Ages of the remaining metrics in days, equal for all kinds. */
async function left(workspace: Id<'workspace'>): Promise<number[]> {
  const kinds = await Promise.all(
    [serverSeries, containerSeries, applicationSeries].map(async ({ rollups }) => {
      const rows = slipway.db.selectFrom(rollups).select('at').where('workspace_id', '=', workspace)
      const found = await rows.orderBy('at', 'desc').execute()
      return found.map(({ at }) => Math.round((Date.now() - at.getTime()) / day))
    }),
  )
  const [first = []] = kinds
  for (const kind of kinds) expect(kind).toEqual(first)
  return first
}

test('keeps metrics of a trial as long as the first plan', async () => {
  const workspace = await makeMonth()
  await deleteMetricsByPlan(slipway.ctx, never)
  expect(await left(workspace)).toEqual([1, 6])
})

test('keeps metrics from before billing was turned on', async () => {
  await paidSince(ago(10))
  const workspace = await makeMonth()
  await deleteMetricsByPlan(slipway.ctx, never)
  await paidSince(ago(40))
  expect(await left(workspace)).toEqual([1, 6, 20, 29])
})

test('keeps metrics as long as the plan says', async () => {
  const [large, endless, foreign] = [await makeMonth(), await makeMonth(), await makeMonth()]
  await makeSubscription(slipway.db, large, { plan: 'large', plan_since: ago(40) })
  await makeSubscription(slipway.db, endless, { plan: 'endless', plan_since: ago(40) })
  await makeSubscription(slipway.db, foreign, { plan: null, plan_since: ago(40) })
  await deleteMetricsByPlan(slipway.ctx, never)
  expect(await left(large)).toEqual([1, 6, 8, 20])
  expect(await left(endless)).toEqual(days)
  expect(await left(foreign)).toEqual(days)
})

test('keeps metrics of a larger plan after a downgrade', async () => {
  const workspace = await makeMonth()
  await makeSubscription(slipway.db, workspace, { plan: 'small', plan_since: ago(15) })
  await deleteMetricsByPlan(slipway.ctx, never)
  expect(await left(workspace)).toEqual([1, 6, 20, 29])
})

test('keeps what an ended plan promised', async () => {
  const workspace = await makeMonth()
  await endTrial(slipway.db, workspace)
  await makeSubscription(slipway.db, workspace, { plan: 'large', plan_since: ago(40), status: 'canceled' })
  await deleteMetricsByPlan(slipway.ctx, never)
  expect(await left(workspace)).toEqual([1, 6, 8, 20])
})

test('deletes nothing by plan without Stripe keys', async () => {
  const workspace = await makeMonth()
  const config = { ...slipway.ctx.config, STRIPE_SECRET_KEY: undefined }
  await deleteMetricsByPlan({ ...slipway.ctx, config }, never)
  expect(await left(workspace)).toEqual(days)
})
