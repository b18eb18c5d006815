import type { Stripe } from 'stripe'
import type { ConfiguredPlan } from '../../config-values.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { billingUrl, choosePlanUrl, workspaceUrl } from '../workspaces/plan.ts'
import { ensureCustomer, stripeIdempotencyKey } from './customer.ts'
import { isStillSold } from './plans.ts'
import { planUnavailable } from './billing-errors.ts'
import { findBilledWorkspace, setSubscription, type SubscriptionRow } from './store.ts'
import { isMissingAtStripe, StripeRequestFailed } from './stripe-errors.ts'
import { callStripe, fromStripeTime } from './stripe.ts'

/** Stripe requires 48 hours by its own clock, which may be ahead. */
const minTrialMs = 49 * 3_600_000

/** Returns the URL of the only open checkout, or undefined if a checkout was paid meanwhile. */
export async function openCheckout(
  ctx: Context,
  actor: Actor,
  before: SubscriptionRow | undefined,
  plan: ConfiguredPlan,
): Promise<string | undefined> {
  const row = await ensureCustomer(ctx, actor, before)
  const trialEnds = await findTrialEnd(ctx, row)
  let session: Stripe.Checkout.Session | undefined
  for (const open of await listOpenCheckouts(ctx, row.customer_id)) {
    if (!session && open.url && matchesCheckout(open, plan, trialEnds)) session = open
    else if (!(await expireCheckout(ctx, open))) return undefined
  }
  session ??= await createCheckout(ctx, row, plan, trialEnds)
  await saveCheckout(ctx, actor, row, plan, session)
  return session.url ?? undefined
}

export async function listOpenCheckouts(ctx: Context, customer: string) {
  try {
    return await callStripe(ctx, (stripe) =>
      stripe.checkout.sessions
        .list({ customer, status: 'open', limit: 100 })
        .autoPagingToArray({ limit: 1_000 }),
    )
  } catch (error) {
    if (isMissingAtStripe(error)) return []
    throw error
  }
}

const matchesCheckout = (
  { metadata }: Stripe.Checkout.Session,
  plan: ConfiguredPlan,
  trialEnds: Date | undefined,
) =>
  metadata?.['plan_id'] === plan.id &&
  metadata['price'] === plan.price &&
  metadata['trial_end'] === toTrialEndSeconds(trialEnds)

const toTrialEndSeconds = (at: Date | undefined) => (at ? String(Math.floor(at.getTime() / 1_000)) : 'none')

/** Expires a checkout. Returns false if it was paid already. */
export async function expireCheckout(ctx: Context, { id }: Stripe.Checkout.Session): Promise<boolean> {
  try {
    await callStripe(ctx, (stripe) => stripe.checkout.sessions.expire(id))
    return true
  } catch (error) {
    if (!(error instanceof StripeRequestFailed)) throw error
    const { status } = await callStripe(ctx, (stripe) => stripe.checkout.sessions.retrieve(id))
    if (status === 'open') throw error
    return status === 'expired'
  }
}

async function createCheckout(
  ctx: Context,
  row: SubscriptionRow,
  plan: ConfiguredPlan,
  trialEnds: Date | undefined,
): Promise<Stripe.Checkout.Session> {
  const params = checkoutParams(ctx, row, plan, trialEnds)
  const idempotencyKey = stripeIdempotencyKey(ctx, 'checkout', { ...params, before: row.checkout_id })
  try {
    return await callStripe(ctx, (stripe) => stripe.checkout.sessions.create(params, { idempotencyKey }))
  } catch (error) {
    if (await isStillSold(ctx, error, plan)) throw error
    throw planUnavailable(plan)
  }
}

/** Returns undefined if the rest of the trial is too short for Stripe. */
async function findTrialEnd(ctx: Context, row: SubscriptionRow): Promise<Date | undefined> {
  const ends = (await findBilledWorkspace(ctx.db, row.workspace_id))?.trial_ends_at
  return ends && ends.getTime() - ctx.now().getTime() > minTrialMs ? ends : undefined
}

function checkoutParams(
  { config }: Context,
  row: SubscriptionRow,
  plan: ConfiguredPlan,
  trialEnds: Date | undefined,
) {
  const metadata = {
    workspace_id: row.workspace_id,
    plan_id: plan.id,
    price: plan.price,
    trial_end: toTrialEndSeconds(trialEnds),
  }
  return {
    mode: 'subscription',
    customer: row.customer_id,
    client_reference_id: row.workspace_id,
    line_items: [{ price: plan.price, quantity: 1 }],
    metadata,
    subscription_data: {
      metadata: { workspace_id: row.workspace_id },
      ...(trialEnds && { trial_end: Number(toTrialEndSeconds(trialEnds)) }),
    },
    automatic_tax: { enabled: config.STRIPE_TAX === 'on' },
    tax_id_collection: { enabled: true },
    billing_address_collection: 'required',
    customer_update: { address: 'auto', name: 'auto' },
    // Stripe fills in the placeholder in braces; do not encode it.
    success_url: `${workspaceUrl(`${billingUrl(config)}/success`, row.workspace_id)}&session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: choosePlanUrl(config, row.workspace_id),
  } as const satisfies Stripe.Checkout.SessionCreateParams
}

/** Emits no event if an open checkout is reused. Expires the checkout if the workspace was deleted meanwhile. */
async function saveCheckout(
  ctx: Context,
  actor: Actor,
  row: SubscriptionRow,
  plan: ConfiguredPlan,
  session: Stripe.Checkout.Session,
): Promise<void> {
  const { id, expires_at } = session
  if (row.checkout_id === id) return
  const isKept = await transaction(ctx.db, async (trx) => {
    const until = fromStripeTime(expires_at)
    const values = { checkout_id: id, checkout_until: until }
    if (!(await setSubscription(trx, row.workspace_id, values))) return false
    const target = { kind: 'plan', id: plan.id, name: plan.name, about: id }
    const detail = `(expires at ${until?.toISOString().slice(0, 16).replace('T', ' ')} UTC)`
    await emit(trx, actor, row.workspace_id, 'billing.checkout_started', target, detail)
    return true
  })
  if (isKept) return
  await expireCheckout(ctx, session)
  throw notFound('This workspace')
}
