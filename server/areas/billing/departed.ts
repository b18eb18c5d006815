import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import { expire, listOpen } from './checkout.ts'
import { listSubscriptions } from './customer.ts'
import { oweBack } from './duplicates.ts'
import { endAtOnce } from './end-at-once.ts'
import { pick, statusOf } from './pick.ts'
import { refund } from './refund.ts'
import { isLive } from './status.ts'
import { findDeparted, noteEnded } from './store.ts'
import { isMissing, StripeRefused } from './stripe-errors.ts'
import { timeOf } from './stripe.ts'

/** How long to wait for the right key before an unknown customer is given up, in milliseconds. */
const patience = 90 * 86_400_000

/**
 * Ends all subscriptions of customers whose workspace was deleted. Payments made after the deletion, at a checkout that was still open, are refunded. Failures are retried the next day.
 */
export async function endDeparted(ctx: Context, customer: string): Promise<void> {
  const departed = await findDeparted(ctx.db, customer)
  if (!departed) return
  const { left_at } = departed
  const failures: unknown[] = []
  const each = (work: () => Promise<unknown>) => work().catch((error: unknown) => failures.push(error))

  for (const page of await listPages(ctx, customer)) await each(() => expire(ctx, page))
  const all = await listSubscriptions(ctx, customer)
  if (!all && ctx.now().getTime() - left_at.getTime() < patience) {
    ctx.log.warn(
      { customer },
      'Unknown Stripe customer: the subscription of a deleted workspace cannot be ended',
    )
    return
  }
  await oweDuplicates(ctx, all ?? [])
  for (const one of all ?? [])
    if (isLive(statusOf(one)))
      await each(async () => {
        await endAtOnce(ctx, one.id)
        ctx.log.info({ customer, subscription: one.id }, 'Ended the subscription of a deleted workspace')
      })
  for (const one of all ?? []) {
    const ended = timeOf(one.ended_at)
    if (!ended || ended >= left_at) await each(() => refund(ctx, one.id, 'requested_by_customer', left_at))
  }
  if (failures.length === 0) await noteEnded(ctx.db, customer)
  else tellOf(ctx, customer, failures)
}

/** A duplicate subscription is refunded by the daily job, also after the workspace was deleted. */
async function oweDuplicates(ctx: Context, all: Stripe.Subscription[]): Promise<void> {
  const workspace = all.find(({ metadata }) => metadata['workspace_id'])?.metadata['workspace_id']
  const { subscription: kept, duplicates } = pick(ctx.config, workspace ?? '', all)
  if (kept) for (const one of duplicates) await oweBack(ctx, null, kept, one)
}

/** A rejection by Stripe is permanent for now; other errors are retried by the caller. */
function tellOf(ctx: Context, customer: string, failures: unknown[]): void {
  for (const failure of failures) if (!(failure instanceof StripeRefused)) throw failure
  ctx.log.error(
    { customer, why: failures.map(String) },
    'Stripe rejected a cancellation or refund. It is retried daily; check it at Stripe.',
  )
}

async function listPages(ctx: Context, customer: string) {
  try {
    return await listOpen(ctx, customer)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}
