import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { requestEnd } from '../workspaces/end-subscription.ts'
import { isPaidFor } from '../workspaces/standing.ts'
import { endDeparted } from './departed.ts'
import { oneByOne } from './one-by-one.ts'
import { giveBack } from './owed-refunds.ts'
import { requestSync } from './request-sync.ts'
import { byStripe } from './status.ts'
import { listDeparted, listOwedRefunds, listSubscribed } from './store.ts'
import { sync } from './sync.ts'
import { underBillingLock } from './under-lock.ts'

const together = 100

/** Syncs all workspaces with Stripe, since webhooks can be lost. */
export async function reconcile(ctx: Context, signal: AbortSignal): Promise<void> {
  if (!isPaidFor(ctx.config)) return
  const each = oneByOne(ctx, signal)
  for await (const workspace of subscribed(ctx))
    await each(
      { workspace },
      () => underBillingLock(ctx, workspace, () => sync(ctx, workspace, byStripe)),
      () => requestSync(ctx, ctx.db, workspace),
    )
  for (const { customer_id: customer } of await listDeparted(ctx.db))
    await each(
      { customer },
      () => endDeparted(ctx, customer),
      () => requestEnd(ctx, ctx.db, customer),
    )
  for (const owed of await listOwedRefunds(ctx.db))
    await each({ subscription: owed.subscription_id }, () => giveBack(ctx, owed))
}

async function* subscribed(ctx: Context): AsyncIterable<Id<'workspace'>> {
  let last = ''
  for (;;) {
    const some = await listSubscribed(ctx.db, last, together)
    yield* some
    last = some.at(-1) ?? ''
    if (some.length < together) return
  }
}
