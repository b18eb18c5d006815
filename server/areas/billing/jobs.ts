import { z } from 'zod'
import { id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob, finishQueuedDuplicates } from '../../platform/jobs.ts'
import { isBillingOn } from '../workspaces/plan-access.ts'
import { endSubscriptionsOfDeletedWorkspace } from './deleted-workspaces.ts'
import { reconcileBilling } from './reconcile.ts'
import { stripeInitiator } from './stripe.ts'
import { isUnknownCustomer, syncBilling } from './sync-billing.ts'
import { withBillingMutex } from './billing-mutex.ts'
import { sendBillingNotices } from './billing-notices.ts'

const workspace = z.object({ workspace_id: id('workspace') })
const customer = z.object({ customer_id: z.string() })
const noPayload = z.object({})

export const jobs = [
  defineJob<Context, typeof workspace>('sync-billing', workspace, async (ctx, { workspace_id }, run) => {
    if (!isBillingOn(ctx.config)) return
    await finishQueuedDuplicates(ctx.db, run)
    try {
      await withBillingMutex(ctx, workspace_id, () => syncBilling(ctx, workspace_id, stripeInitiator))
    } catch (error) {
      if (!isUnknownCustomer(error)) throw error
    }
  }),
  defineJob<Context, typeof customer>('end-subscription', customer, async (ctx, { customer_id }, run) => {
    // Without Stripe keys the job ends; deleted workspaces are processed once the keys are set again.
    if (!isBillingOn(ctx.config)) return
    await finishQueuedDuplicates(ctx.db, run)
    await endSubscriptionsOfDeletedWorkspace(ctx, customer_id)
  }),
  defineJob<Context, typeof noPayload>('reconcile-billing', noPayload, (ctx, _given, { signal }) =>
    reconcileBilling(ctx, signal),
  ),
  defineJob<Context, typeof noPayload>('watch-billing', noPayload, (ctx, _given, { signal }) =>
    sendBillingNotices(ctx, signal),
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
