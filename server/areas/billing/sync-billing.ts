import type { Stripe } from 'stripe'
import type { EventType } from '../../../contract/shared/events.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { serviceFailed } from '../../errors.ts'
import { type Initiator, emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import { listSubscriptions } from './customer.ts'
import { keepOneSubscription, pickSubscription } from './duplicate-subscriptions.ts'
import { paymentFailedMail, planEndedMail, mailOwners } from './mails.ts'
import { planTarget } from './plans.ts'
import { toSubscriptionValues } from './subscription-values.ts'
import { isLiveSubscription } from '../workspaces/subscription-status.ts'
import { findSubscription, setSubscription, type SubscriptionRow } from './store.ts'
import { StripeRequestFailed } from './stripe-errors.ts'
import { type BillingEvent, diffSubscription } from './billing-events.ts'

export interface SyncedSubscription {
  row: SubscriptionRow
  subscription: Stripe.Subscription | undefined
}

/** Call under the billing lock. Returns nothing if the workspace never had a customer. */
export async function syncBilling(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  initiator: Initiator,
): Promise<SyncedSubscription | undefined> {
  const before = await findSubscription(ctx.db, workspaceId)
  if (!before) return undefined
  const all = await listSubscriptions(ctx, before.customer_id)
  if (!all && isAssumedActive(ctx, before)) throw customerUnknown(ctx, before)
  const { subscription, duplicates } = pickSubscription(workspaceId, all ?? [])
  const values = await toSubscriptionValues(ctx, before, subscription)
  const row = await transaction(ctx.db, async (trx) => {
    const after = await setSubscription(trx, workspaceId, values)
    if (after)
      for (const event of diffSubscription(before, after)) await emitChange(ctx, trx, initiator, after, event)
    return after
  })
  if (row) await keepOneSubscription(ctx, row, duplicates)
  return row && { row, subscription }
}

/** Milliseconds that the operator has to restore the right key. */
const wrongKeyGraceMs = 7 * 86_400_000

/** Assumes that a subscription that was not canceled continues under the original key, until the grace period ends. */
function isAssumedActive(ctx: Context, row: SubscriptionRow): boolean {
  const until = row.period_ends_at ?? row.seen_at ?? row.created_at
  return isLiveSubscription(row) && until.getTime() + wrongKeyGraceMs > ctx.now().getTime()
}

function customerUnknown(ctx: Context, { workspace_id, customer_id }: SubscriptionRow): StripeRequestFailed {
  ctx.log.error(
    { workspace: workspace_id, customer: customer_id },
    'Failed to sync billing: Stripe does not know the customer. Check the account and mode of STRIPE_SECRET_KEY',
  )
  const reason = 'it does not know the customer of this workspace. Contact the operator of this instance.'
  return new StripeRequestFailed(serviceFailed('Stripe', reason), { code: unknownCustomer })
}

const unknownCustomer = 'unknown_customer'

/** Retrying is useless until the operator has fixed the key. */
export const isUnknownCustomer = (error: unknown): boolean =>
  error instanceof StripeRequestFailed && error.stripeCode === unknownCustomer

const mails: Partial<Record<EventType, typeof paymentFailedMail>> = {
  'billing.payment_failed': paymentFailedMail,
  'billing.ended': planEndedMail,
}

async function emitChange(
  ctx: Context,
  trx: Trx,
  initiator: Initiator,
  row: SubscriptionRow,
  { type, detail, plan_id = row.plan_id }: BillingEvent,
) {
  await emit(trx, initiator, row.workspace_id, type, planTarget(ctx, { plan_id }), detail)
  const mail = mails[type]
  if (mail) await mailOwners(ctx, trx, row.workspace_id, (to, workspace) => mail(ctx, to, workspace, row))
}
