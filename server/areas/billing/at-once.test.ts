import { afterAll, afterEach, expect, test } from 'vitest'
import { deleteWorkspace } from '../../../contract/workspaces.ts'
import { openBillingStage } from '../../../test/support/stages/billing-stage.ts'
import { makeChannel } from '../../../test/support/factories/channels.ts'
import type { Context } from '../../context.ts'
import { connectDatabase } from '../../platform/db.ts'
import { createLocks } from '../../platform/locks.ts'
import type { Actor } from '../../route.ts'
import type { Tables } from '../../tables.ts'
import { subscribe } from './subscribe.ts'
import { openContent } from '../notifications/store.ts'

const stage = await openBillingStage()
const { stripe, slipway, db, ctx, newYard, settled, pass } = stage
/** Simulates another process with its own locks. */
const other = connectDatabase<Tables>(slipway.database.connection, ctx.log)
const beside: Context = { ...ctx, db: other.db, pool: other.pool, locks: createLocks(other.pool) }
afterAll(async () => {
  beside.locks.close()
  await other.pool.end()
  await stage.close()
})
afterEach(() => stripe.heal())

const actorOf = ({ owner, workspace }: Awaited<ReturnType<typeof newYard>>): Actor => ({
  user: owner,
  via: { kind: 'session', id: owner.session },
  tokenHash: '',
  isInstanceOwner: false,
  workspace: { id: workspace, role: 'owner', shell_access: 'members' },
  address: '192.0.2.1',
  agent: '',
  cookie: () => undefined,
})

test('opens one checkout session for concurrent requests in two processes', async () => {
  const yard = await newYard()
  const [one, two] = await Promise.all([
    subscribe(ctx, actorOf(yard), { plan_id: 'pro' }),
    subscribe(beside, actorOf(yard), { plan_id: 'pro' }),
  ])
  expect(one.url).toBe(two.url)
  expect(stripe.customers.filter(({ metadata }) => metadata['workspace_id'] === yard.workspace)).toHaveLength(
    1,
  )
  const customer = await yard.customer()
  expect(stripe.sessions.filter((page) => page.customer === customer)).toHaveLength(1)
})

test('leaves one payable session when two processes choose different plans', async () => {
  const yard = await newYard()
  await Promise.all([
    subscribe(ctx, actorOf(yard), { plan_id: 'pro' }),
    subscribe(beside, actorOf(yard), { plan_id: 'team' }),
  ])
  const customer = await yard.customer()
  const open = stripe.sessions.filter((page) => page.customer === customer && page.status === 'open')
  expect(open).toHaveLength(1)
})

test('leaves no payable session when the workspace is deleted during checkout', async () => {
  const yard = await newYard()
  const { name } = await yard.shown()
  await yard.subscribe('pro')
  const customer = await yard.customer()
  stripe.slow('POST /v1/checkout/sessions', Infinity, { times: 1 })
  const opening = yard.refused('team', 404, 'not_found')
  await stripe.waits('POST /v1/checkout/sessions')
  await slipway.ok(deleteWorkspace, { token: yard.token, body: { name } })
  stripe.heal()
  await opening
  await settled()
  const pages = stripe.sessions.filter((page) => page.customer === customer)
  expect(pages.map(({ status }) => status)).toEqual(['expired', 'expired'])
})

test('ends an unpaid plan without a report when a new plan replaces it', async () => {
  stripe.settings.afterRetries = 'unpaid'
  const yard = await newYard()
  await yard.buy('pro', '4000 0000 0000 0341')
  await pass({ days: 31, hours: 2 })
  await pass({ days: 20 })
  const customer = await yard.customer()
  // The operator voids the open invoices.
  for (const invoice of stripe.invoices)
    if (invoice.customer === customer && invoice.status === 'open') invoice.status = 'void'
  await yard.buy('team')
  expect(await yard.row()).toMatchObject({ plan_id: 'team', stripe_status: 'active' })
  expect(await yard.live()).toHaveLength(1)
  expect(await yard.auditEvents()).not.toContain('duplicate_ended by Slipway')
})

test('notifies a subscribed channel of a plan change', async () => {
  const yard = await newYard()
  const events = ['plan_changed' as const]
  const channel = await makeChannel(ctx, yard.workspace, 'https://hooks.example.com', {
    events,
    paused_at: new Date(),
  })
  await yard.buy('team')
  await expect
    .poll(() =>
      db.selectFrom('messages').selectAll().where('notification_id', '=', channel).executeTakeFirst(),
    )
    .toBeDefined()
  const row = await db
    .selectFrom('messages')
    .selectAll()
    .where('notification_id', '=', channel)
    .executeTakeFirstOrThrow()
  expect(openContent(ctx, row)).toMatchObject({
    event: 'plan_changed',
    title: `${yard.owner.name} subscribed to plan Team`,
    link: { url: expect.stringContaining('/dashboard/billing') },
  })
})
