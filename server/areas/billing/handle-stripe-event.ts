import { z } from 'zod'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { requestSubscriptionEnd } from '../workspaces/workspace.ts'
import {
  findDepartedCustomer,
  findWorkspaceByCustomer,
  recordStripeEvent,
  requestBillingSync,
} from './store.ts'
import { stripeId } from './stripe.ts'

const customer = z.union([z.string(), z.object({ id: z.string() })]).nullish()
const about = z.object({ object: z.string().optional(), id: z.string().optional(), customer })

export const stripeEvent = z.object({ id: z.string().min(1).max(255), data: z.object({ object: about }) })
type StripeEvent = z.output<typeof stripeEvent>

/**
 * Requests a sync for a Stripe webhook, whose signature `webhooks/receive-webhook.ts` verified. The event data is not
 * used, since it may be outdated.
 */
export async function handleStripeEvent(ctx: Context, event: StripeEvent): Promise<void> {
  const whom = customerOf(event)
  if (!whom) return
  await transaction(ctx.db, async (trx) => {
    const workspace = await findWorkspaceByCustomer(trx, whom)
    const departed = !workspace && (await findDepartedCustomer(trx, whom)) !== undefined
    // Other products may share the Stripe account.
    if (!workspace && !departed) return
    if (!(await recordStripeEvent(trx, event.id))) return
    await (workspace ? requestBillingSync(ctx, trx, workspace) : requestSubscriptionEnd(ctx, trx, whom))
  })
}

const customerOf = ({ data: { object } }: StripeEvent) =>
  object.object === 'customer' ? object.id : stripeId(object.customer)
