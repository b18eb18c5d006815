import type { Stripe } from 'stripe'
import type { EventType } from '../../../contract/shared/events.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { serviceFailed } from '../../errors.ts'
import { type Initiator, emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import { planOf } from '../workspaces/standing.ts'
import { listSubscriptions } from './customer.ts'
import { takeBack } from './duplicates.ts'
import { paymentFailedMail, planEndedMail, tellOwners } from './mails.ts'
import { pick } from './pick.ts'
import { seen } from './seen.ts'
import { isLive } from './status.ts'
import { findSubscription, setSubscription, type SubscriptionRow } from './store.ts'
import { StripeRefused } from './stripe-errors.ts'
import { type Told, told } from './told.ts'

export interface Synced {
  row: SubscriptionRow
  subscription: Stripe.Subscription | undefined
}

/**
 * Syncs the subscription of a workspace from Stripe and emits events, under the billing lock. Returns nothing if it never had a customer.
 */
export async function sync(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  doer: Initiator,
): Promise<Synced | undefined> {
  const before = await findSubscription(ctx.db, workspaceId)
  if (!before) return undefined
  const all = await listSubscriptions(ctx, before.customer_id)
  if (!all && mayStillPay(ctx, before)) throw customerUnknown(ctx, before)
  const { subscription, duplicates } = pick(ctx.config, workspaceId, all ?? [])
  const values = await seen(ctx, before, subscription)
  const row = await transaction(ctx.db, async (trx) => {
    const after = await setSubscription(trx, workspaceId, values)
    if (after) for (const one of told(before, after)) await tell(ctx, trx, doer, after, one)
    return after
  })
  if (row && subscription) await takeBack(ctx, row, subscription, duplicates)
  return row && { row, subscription }
}

/** Tolerance after the end of a period for restoring the right key, in milliseconds. */
const patience = 7 * 86_400_000

/** Not canceled as far as known: the subscription continues with the original key. */
function mayStillPay(ctx: Context, row: SubscriptionRow): boolean {
  const until = row.period_ends_at ?? row.seen_at ?? row.created_at
  return isLive(row) && until.getTime() + patience > ctx.now().getTime()
}

function customerUnknown(ctx: Context, { workspace_id, customer_id }: SubscriptionRow): StripeRefused {
  ctx.log.error(
    { workspace: workspace_id, customer: customer_id },
    'Unknown Stripe customer with an active subscription. Check that STRIPE_SECRET_KEY belongs to the right account and mode',
  )
  const why = 'it does not know the customer of this workspace. Contact the operator of this instance.'
  return new StripeRefused(serviceFailed('Stripe', why), { code: unknownCustomer })
}

const unknownCustomer = 'unknown_customer'

/** Retrying is useless until the operator has fixed the key. */
export const isOfUnknown = (error: unknown): boolean =>
  error instanceof StripeRefused && error.said === unknownCustomer

const mails: Partial<Record<EventType, typeof paymentFailedMail>> = {
  'billing.payment_failed': paymentFailedMail,
  'billing.ended': planEndedMail,
}

async function tell(ctx: Context, trx: Trx, doer: Initiator, row: SubscriptionRow, one: Told) {
  const { type, detail, plan_id = row.plan_id } = one
  await emit(trx, doer, row.workspace_id, type, targetOf(ctx, { plan_id }), detail)
  const mail = mails[type]
  if (mail) await tellOwners(ctx, trx, row.workspace_id, (to, workspace) => mail(ctx, to, workspace, row))
}

export function targetOf({ config }: Context, { plan_id }: Pick<SubscriptionRow, 'plan_id'>) {
  const name = planOf(config, plan_id)?.name ?? 'created manually at Stripe'
  return { kind: 'plan', id: plan_id ?? '', name }
}
