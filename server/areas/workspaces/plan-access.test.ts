import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasPlan } from '../../../contract/shared/has-plan.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { createWorkspace, listWorkspaces } from '../../../contract/workspaces.ts'
import {
  endTrial,
  makeSubscription,
  paidEnv,
  plans,
  setTrial,
} from '../../../test/support/factories/billing-factories.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { makeSomeone, makeWorkspace } from '../../../test/support/factories/factories.ts'
import { readConfig } from '../../config.ts'
import { extendTrial, startBilling } from './trial.ts'
import { readPlanAccess, toPlanAccess, type PlanAccessRow } from './plan-access.ts'

const day = 86_400_000
const now = new Date('2026-03-10T12:00:00Z')
const daysOn = (days: number) => new Date(now.getTime() + days * day)
const config = readConfig({ ...paidEnv(), PUBLIC_URL: 'http://slipway.test' })
const [pro, , hobby] = plans

const none = { plan_id: null, plan_since: null, stripe_status: null, cancel_at: null, past_due_since: null }
const row = (input: Partial<PlanAccessRow> = {}): PlanAccessRow => ({
  ...none,
  trial_ends_at: daysOn(-1),
  ...input,
})
const stands = (input?: Partial<PlanAccessRow>) => toPlanAccess(config, row(input), now)

describe('plan of a workspace with billing', () => {
  test('is on trial until the exact end of the trial', () => {
    expect(stands({ trial_ends_at: daysOn(3) })).toMatchObject({
      billing: true,
      onTrial: true,
      trialEndsAt: daysOn(3),
      subscription: null,
      allowed: true,
    })
    expect(stands({ trial_ends_at: new Date(now.getTime() + 1) })).toMatchObject({ onTrial: true })
    expect(stands({ trial_ends_at: now })).toMatchObject({ onTrial: false, allowed: false })
  })

  test('applies the limits of the first plan during the trial and without a plan', () => {
    const limits = { servers: pro.servers, members: pro.members, retention_days: pro.retention_days }
    expect(stands({ trial_ends_at: daysOn(3) })).toMatchObject({ plan: undefined, limits })
    expect(stands()).toMatchObject({ plan: undefined, limits })
    expect(stands({ plan_id: 'hobby', stripe_status: 'canceled' })).toMatchObject({ plan: undefined, limits })
  })

  test.each([
    ['active', 'active', 'active', true],
    ['trialing', 'active', 'trialing', true],
    ['past_due', 'active', 'active', true],
    ['unpaid', 'unpaid', 'unpaid', false],
    ['incomplete', 'incomplete', 'incomplete', false],
    ['incomplete_expired', 'incomplete_expired', 'incomplete_expired', false],
    ['paused', 'paused', 'paused', false],
    ['canceled', 'canceled', 'canceled', false],
    ['something_new', 'something_new', 'something_new', false],
  ])('maps Stripe status %s to %s and %s, allowed: %s', (said, stripe_status, status, allowed) => {
    const access = stands({ plan_id: 'hobby', stripe_status: said, past_due_since: daysOn(-2) })
    expect(access).toMatchObject({ onTrial: false, allowed })
    expect(access.subscription).toMatchObject({ stripe_status, status, plan_name: 'Hobby' })
    expect(access.plan?.id).toBe(allowed ? hobby.id : undefined)
  })

  test('keeps the plan for seven days after a failed payment', () => {
    const owing = { plan_id: 'hobby', stripe_status: 'past_due' }
    const within = stands({ ...owing, past_due_since: new Date(daysOn(-7).getTime() + 1) })
    expect(within).toMatchObject({ allowed: true, plan: { id: 'hobby' } })
    expect(within.subscription?.grace_ends_at).toBe(new Date(now.getTime() + 1).toISOString())
    const over = stands({ ...owing, past_due_since: daysOn(-7) })
    expect(over).toMatchObject({
      allowed: false,
      subscription: { stripe_status: 'past_due', status: 'past_due' },
    })
    expect(stands({ ...owing, past_due_since: null })).toMatchObject({ allowed: true })
  })

  test('ends the trial when the workspace pays during it', () => {
    const paid = stands({ trial_ends_at: daysOn(5), plan_id: 'hobby', stripe_status: 'trialing' })
    expect(paid).toMatchObject({ onTrial: false, allowed: true, limits: { servers: 1 } })
  })

  test('keeps the rest of the trial after a cancellation during it', () => {
    const left = stands({ trial_ends_at: daysOn(5), plan_id: 'hobby', stripe_status: 'canceled' })
    expect(left).toMatchObject({ onTrial: true, allowed: true })
  })

  test('has no limits and no plan name for an unknown price', () => {
    const limits = { servers: null, members: null, retention_days: null }
    for (const plan_id of [null, 'of-last-year']) {
      const access = stands({ plan_id, stripe_status: 'active' })
      expect(access).toMatchObject({
        allowed: true,
        plan: undefined,
        limits,
        subscription: { plan_name: null },
      })
    }
  })

  test('returns when a canceled plan ends', () => {
    const access = stands({ plan_id: 'pro', stripe_status: 'active', cancel_at: daysOn(9) })
    expect(access).toMatchObject({ allowed: true, subscription: { cancel_at: daysOn(9).toISOString() } })
  })
})

describe('plan in the API', () => {
  let slipway: TestSlipway
  beforeAll(async () => {
    slipway = await startSlipway(paidEnv())
  })
  afterAll(() => slipway.close())

  const owned = async () => {
    const workspace = await makeWorkspace(slipway.db)
    const { token } = await makeSomeone(slipway.db, workspace, 'owner')
    const read = async () => {
      const { workspaces } = await slipway.ok(listWorkspaces, { token })
      const [shown] = workspaces
      if (!shown) throw new Error('There is one workspace.')
      return shown
    }
    return { workspace, read }
  }

  test('shows the trial, then the plan, then that there is none', async () => {
    const { workspace, read } = await owned()
    const ends = new Date(Date.now() + 5 * day)
    await setTrial(slipway.db, workspace, ends)
    expect(await read()).toMatchObject({
      billing: true,
      on_trial: true,
      trial_ends_at: ends.toISOString(),
      subscription: null,
    })
    await endTrial(slipway.db, workspace)
    expect(hasPlan(await read())).toBe(false)
    await makeSubscription(slipway.db, workspace, { plan: 'hobby' })
    const paid = await read()
    expect(paid).toMatchObject({ on_trial: false, subscription: { plan_name: 'Hobby', status: 'active' } })
    expect(hasPlan(paid)).toBe(true)
    await makeSubscription(slipway.db, workspace, { plan: 'hobby', status: 'canceled' })
    expect(hasPlan(await read())).toBe(false)
  })

  test('shows no subscription for a customer without payments', async () => {
    const { workspace, read } = await owned()
    const nothing = { subscription_id: null, plan: null, plan_since: null }
    await makeSubscription(slipway.db, workspace, nothing)
    await slipway.db
      .updateTable('subscriptions')
      .set({ stripe_status: null })
      .where('workspace_id', '=', workspace)
      .execute()
    expect(await read()).toMatchObject({ on_trial: true, subscription: null })
  })

  test('evaluates the plan alike on the server and in the console', async () => {
    for (const status of ['active', 'trialing', 'past_due', 'unpaid', 'canceled']) {
      const { workspace, read } = await owned()
      await endTrial(slipway.db, workspace)
      await makeSubscription(slipway.db, workspace, { status })
      const { allowed } = await readPlanAccess(slipway.ctx, slipway.db, workspace)
      expect(hasPlan(await read())).toBe(allowed)
    }
  })
})

test('puts every workspace on the Pro plan without Stripe keys, regardless of stored data', async () => {
  const slipway = await startSlipway()
  try {
    const workspace = await makeWorkspace(slipway.db)
    const { token } = await makeSomeone(slipway.db, workspace, 'owner')
    await endTrial(slipway.db, workspace)
    await makeSubscription(slipway.db, workspace, { plan: 'hobby', status: 'canceled' })
    const { workspaces } = await slipway.ok(listWorkspaces, { token })
    expect(workspaces[0]).toMatchObject({
      billing: false,
      on_trial: false,
      trial_ends_at: null,
      subscription: { stripe_status: 'active', status: 'active', plan_name: 'Pro', grace_ends_at: null },
    })
    expect(await readPlanAccess(slipway.ctx, slipway.db, workspace)).toMatchObject({ allowed: true })
  } finally {
    await slipway.close()
  }
})

test('grants no second trial for a second workspace', async () => {
  const slipway = await startSlipway(paidEnv())
  try {
    const { ctx } = slipway
    const { token, ...user } = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'viewer')
    const created = async (name: string) =>
      (await slipway.ok(createWorkspace, { token, body: { name } })).workspace
    const first = await created('Yard')
    expect(first.on_trial).toBe(true)
    expect((await created('Dock')).trial_ends_at).toBe(first.trial_ends_at)
    ctx.now = () => new Date(Date.now() + 15 * day)
    expect(await created('Pier')).toMatchObject({ on_trial: false, trial_ends_at: first.trial_ends_at })
    // The operator can extend the trial.
    const { until } = await extendTrial(ctx, user, 30)
    const { workspaces } = await slipway.ok(listWorkspaces, { token })
    const owned = workspaces.filter(({ role }) => role === 'owner').map((one) => one.trial_ends_at)
    expect(owned).toEqual(Array.from({ length: 3 }, () => until.toISOString()))
    expect(await created('Quay')).toMatchObject({ on_trial: true, trial_ends_at: until.toISOString() })
    // A subscription keeps the start date on which it was agreed.
    await makeSubscription(slipway.db, first.id, { status: 'trialing' })
    expect((await extendTrial(ctx, user, 60)).workspaces.toSorted()).toEqual(['Dock', 'Pier', 'Quay'])
  } finally {
    await slipway.close()
  }
})

describe('when billing is first enabled', () => {
  const trialOf = async ({ db }: TestSlipway, id: Id<'workspace'>) => {
    const found = db.selectFrom('workspaces').select('trial_ends_at').where('id', '=', id)
    return (await found.executeTakeFirstOrThrow()).trial_ends_at
  }

  test('starts one trial for existing workspaces and keeps a longer one', async () => {
    const slipway = await startSlipway()
    try {
      const { ctx, db } = slipway
      const [ended, soon, late] = [await makeWorkspace(db), await makeWorkspace(db), await makeWorkspace(db)]
      await setTrial(db, ended, daysOn(-30))
      await setTrial(db, soon, daysOn(1))
      await setTrial(db, late, daysOn(60))
      await startBilling(ctx)
      expect(await trialOf(slipway, ended)).toEqual(daysOn(-30))
      const paid = { ...ctx, config, now: () => now }
      // Two processes start concurrently.
      await Promise.all([startBilling(paid), startBilling(paid)])
      expect(await trialOf(slipway, ended)).toEqual(daysOn(14))
      expect(await trialOf(slipway, soon)).toEqual(daysOn(14))
      expect(await trialOf(slipway, late)).toEqual(daysOn(60))
      await startBilling({ ...paid, now: () => daysOn(20) })
      expect(await trialOf(slipway, ended)).toEqual(daysOn(14))
      // The trial starts again after a period without keys.
      await startBilling(ctx)
      await startBilling({ ...paid, now: () => daysOn(20) })
      expect(await trialOf(slipway, ended)).toEqual(daysOn(34))
    } finally {
      await slipway.close()
    }
  })
})
