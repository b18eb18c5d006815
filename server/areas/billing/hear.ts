import { z } from 'zod'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { requestEnd } from '../workspaces/end-subscription.ts'
import { requestSync } from './request-sync.ts'
import { findDeparted, findWorkspaceOf, noteHeard } from './store.ts'
import { idOf } from './stripe.ts'

const customer = z.union([z.string(), z.object({ id: z.string() })]).nullish()
const about = z.object({ object: z.string().optional(), id: z.string().optional(), customer })

/** Parsed part of a Stripe event: its ID and customer. */
export const stripeEvent = z.object({ id: z.string().min(1).max(255), data: z.object({ object: about }) })
type StripeEvent = z.output<typeof stripeEvent>

/** Requests a sync for a Stripe event. The event data is not used, since it may be outdated. */
export async function hear(ctx: Context, event: StripeEvent): Promise<void> {
  const whom = customerOf(event)
  if (!whom) return
  await transaction(ctx.db, async (trx) => {
    const workspace = await findWorkspaceOf(trx, whom)
    const departed = !workspace && (await findDeparted(trx, whom)) !== undefined
    // Other products may share the Stripe account.
    if (!workspace && !departed) return
    if (!(await noteHeard(trx, event.id))) return
    await (workspace ? requestSync(ctx, trx, workspace) : requestEnd(ctx, trx, whom))
  })
}

const customerOf = ({ data: { object } }: StripeEvent) =>
  object.object === 'customer' ? object.id : idOf(object.customer)
