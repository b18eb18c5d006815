import type { Stripe } from 'stripe'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { billingUrl, workspaceUrl } from '../workspaces/plan.ts'
import { stripeIdempotencyKey } from './customer.ts'
import { noSubscription } from './billing-errors.ts'
import { findSubscription, findBilledWorkspace, type SubscriptionRow } from './store.ts'
import { isMissingAtStripe } from './stripe-errors.ts'
import { callStripe, assertBillingOn } from './stripe.ts'

/** Version of the portal configuration; change it to create a new one. */
const version = '1'

/** Opens the Stripe customer portal for card, address and invoices. Plan changes are made in Slipway. */
export async function openPortal(ctx: Context, actor: Actor) {
  assertBillingOn(ctx)
  const { id: workspaceId } = actor.workspace
  const row = await findSubscription(ctx.db, workspaceId)
  if (!row) throw noSubscription()
  const { url } = await createPortalSession(ctx, row)
  await transaction(ctx.db, async (trx) => {
    const workspace = await findBilledWorkspace(trx, workspaceId)
    const target = { kind: 'workspace', id: workspaceId, name: workspace?.name ?? '' }
    await emit(trx, actor, workspaceId, 'billing.portal_opened', target)
  })
  return { url }
}

async function createPortalSession(
  ctx: Context,
  { customer_id: customer, workspace_id }: SubscriptionRow,
): Promise<Stripe.BillingPortal.Session> {
  const configuration = await findConfiguration(ctx)
  const return_url = workspaceUrl(billingUrl(ctx.config), workspace_id)
  try {
    return await callStripe(ctx, (stripe) =>
      stripe.billingPortal.sessions.create({ customer, configuration, return_url }),
    )
  } catch (error) {
    if (isMissingAtStripe(error, /customer/)) throw noSubscription()
    throw error
  }
}

/** Finds the configuration of Slipway; others may belong to other products. */
async function findConfiguration(ctx: Context): Promise<string> {
  const all = await callStripe(ctx, (stripe) =>
    stripe.billingPortal.configurations
      .list({ active: true, limit: 100 })
      .autoPagingToArray({ limit: 1_000 }),
  )
  const configuration = all.find(({ metadata }) => metadata?.['slipway'] === version)
  if (configuration) return configuration.id
  const idempotencyKey = stripeIdempotencyKey(ctx, 'portal', features)
  const created = await callStripe(ctx, (stripe) =>
    stripe.billingPortal.configurations.create(
      { features, metadata: { slipway: version } },
      { idempotencyKey },
    ),
  )
  return created.id
}

const features: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  payment_method_update: { enabled: true },
  invoice_history: { enabled: true },
  customer_update: { enabled: true, allowed_updates: ['address', 'name', 'email', 'tax_id'] },
  subscription_cancel: { enabled: false },
  subscription_update: { enabled: false },
}
