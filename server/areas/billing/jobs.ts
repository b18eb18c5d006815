import { z } from 'zod'
import { id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob, finishQueuedDuplicates } from '../../platform/jobs.ts'
import { isPaidFor } from '../workspaces/standing.ts'
import { endDeparted } from './departed.ts'
import { reconcile } from './reconcile.ts'
import { byStripe } from './status.ts'
import { isOfUnknown, sync } from './sync.ts'
import { underBillingLock } from './under-lock.ts'
import { watchBilling } from './watch.ts'

const workspace = z.object({ workspace_id: id('workspace') })
const customer = z.object({ customer_id: z.string() })
const nothing = z.object({})

export const jobs = [
  defineJob<Context, typeof workspace>('sync-billing', workspace, async (ctx, { workspace_id }, run) => {
    if (!isPaidFor(ctx.config)) return
    await finishQueuedDuplicates(ctx.db, run)
    try {
      await underBillingLock(ctx, workspace_id, () => sync(ctx, workspace_id, byStripe))
    } catch (error) {
      if (!isOfUnknown(error)) throw error
    }
  }),
  defineJob<Context, typeof customer>('end-subscription', customer, async (ctx, { customer_id }, run) => {
    // Without Stripe keys the job ends; deleted workspaces are processed once the keys are set again.
    if (!isPaidFor(ctx.config)) return
    await finishQueuedDuplicates(ctx.db, run)
    await endDeparted(ctx, customer_id)
  }),
  defineJob<Context, typeof nothing>('reconcile-billing', nothing, (ctx, _given, { signal }) =>
    reconcile(ctx, signal),
  ),
  defineJob<Context, typeof nothing>('watch-billing', nothing, (ctx, _given, { signal }) =>
    watchBilling(ctx, signal),
  ),
]

export const schedules = [
  {
    name: 'reconcile-billing',
    everySeconds: 86_400,
    job: { kind: 'reconcile-billing', payload: {}, lane: 'poll' as const },
  },
  {
    name: 'watch-billing',
    everySeconds: 3_600,
    atStart: true,
    job: { kind: 'watch-billing', payload: {}, lane: 'poll' as const },
  },
]
