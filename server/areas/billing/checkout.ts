import type { Stripe } from 'stripe'
import type { ConfiguredPlan } from '../../billing-variables.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { billingUrl, choosePlanUrl, inWorkspace } from '../workspaces/links.ts'
import { ensureCustomer, keyOf } from './customer.ts'
import { isSold } from './plans.ts'
import { planUnavailable } from './refusals.ts'
import { findWorkspace, setSubscription, type SubscriptionRow } from './store.ts'
import { StripeRefused } from './stripe-errors.ts'
import { askStripe, timeOf } from './stripe.ts'

/** Minimum trial at Stripe: 48 hours by its own clock. */
const shortestTrial = 49 * 3_600_000

/**
 * Returns the checkout URL; only one is open per workspace. Undefined if a checkout was paid meanwhile.
 */
export async function openCheckout(
  ctx: Context,
  actor: Actor,
  before: SubscriptionRow | undefined,
  plan: ConfiguredPlan,
): Promise<string | undefined> {
  const row = await ensureCustomer(ctx, actor, before)
  const trialEnds = await findTrialEnd(ctx, row)
  let session: Stripe.Checkout.Session | undefined
  for (const open of await listOpen(ctx, row.customer_id)) {
    if (!session && open.url && isFor(open, plan, trialEnds)) session = open
    else if (!(await expire(ctx, open))) return undefined
  }
  session ??= await create(ctx, row, plan, trialEnds)
  await keep(ctx, actor, row, plan, session)
  return session.url ?? undefined
}

export const listOpen = (ctx: Context, customer: string) =>
  askStripe(ctx, (stripe) =>
    stripe.checkout.sessions
      .list({ customer, status: 'open', limit: 100 })
      .autoPagingToArray({ limit: 1_000 }),
  )

/** Returns whether an open checkout matches the requested plan and trial end. */
const isFor = ({ metadata }: Stripe.Checkout.Session, plan: ConfiguredPlan, trialEnds: Date | undefined) =>
  metadata?.['plan_id'] === plan.id &&
  metadata['price'] === plan.price &&
  metadata['trial_end'] === secondsOf(trialEnds)

const secondsOf = (at: Date | undefined) => (at ? String(Math.floor(at.getTime() / 1_000)) : 'none')

/** Expires a checkout. Returns false if it was paid already. */
export async function expire(ctx: Context, { id }: Stripe.Checkout.Session): Promise<boolean> {
  try {
    await askStripe(ctx, (stripe) => stripe.checkout.sessions.expire(id))
    return true
  } catch (error) {
    if (!(error instanceof StripeRefused)) throw error
    const { status } = await askStripe(ctx, (stripe) => stripe.checkout.sessions.retrieve(id))
    if (status === 'open') throw error
    return status === 'expired'
  }
}

async function create(
  ctx: Context,
  row: SubscriptionRow,
  plan: ConfiguredPlan,
  trialEnds: Date | undefined,
): Promise<Stripe.Checkout.Session> {
  try {
    return await createUntil(ctx, row, plan, trialEnds)
  } catch (error) {
    // The clock of Stripe may be ahead of ours.
    if (trialEnds && isAbout(error, /trial_end/)) return createUntil(ctx, row, plan, undefined)
    if (await isSold(ctx, error, plan)) throw error
    throw planUnavailable(plan)
  }
}

const isAbout = (error: unknown, param: RegExp) =>
  error instanceof StripeRefused && param.test(error.param ?? '')

/** Undefined if the rest of the trial is too short for Stripe. */
async function findTrialEnd(ctx: Context, row: SubscriptionRow): Promise<Date | undefined> {
  const ends = (await findWorkspace(ctx.db, row.workspace_id))?.trial_ends_at
  return ends && ends.getTime() - ctx.now().getTime() > shortestTrial ? ends : undefined
}

function createUntil(ctx: Context, row: SubscriptionRow, plan: ConfiguredPlan, trialEnds: Date | undefined) {
  const params = paramsOf(ctx, row, plan, trialEnds)
  const idempotencyKey = keyOf(ctx, 'checkout', { ...params, before: row.checkout_id })
  return askStripe(ctx, (stripe) => stripe.checkout.sessions.create(params, { idempotencyKey }))
}

function paramsOf(
  { config }: Context,
  row: SubscriptionRow,
  plan: ConfiguredPlan,
  trialEnds: Date | undefined,
) {
  const metadata = {
    workspace_id: row.workspace_id,
    plan_id: plan.id,
    price: plan.price,
    trial_end: secondsOf(trialEnds),
  }
  return {
    mode: 'subscription',
    customer: row.customer_id,
    client_reference_id: row.workspace_id,
    line_items: [{ price: plan.price, quantity: 1 }],
    metadata,
    subscription_data: {
      metadata: { workspace_id: row.workspace_id },
      ...(trialEnds && { trial_end: Number(secondsOf(trialEnds)) }),
    },
    automatic_tax: { enabled: config.STRIPE_TAX === 'on' },
    tax_id_collection: { enabled: true },
    billing_address_collection: 'required',
    customer_update: { address: 'auto', name: 'auto' },
    // Stripe fills in the placeholder in braces; do not encode it.
    success_url: `${inWorkspace(`${billingUrl(config)}/success`, row.workspace_id)}&session_id={CHECKOUT_SESSION_ID}`,
    cancel_url: choosePlanUrl(config, row.workspace_id),
  } as const satisfies Stripe.Checkout.SessionCreateParams
}

/** Reusing an open checkout emits no event. Expires the checkout if the workspace was deleted meanwhile. */
async function keep(
  ctx: Context,
  actor: Actor,
  row: SubscriptionRow,
  plan: ConfiguredPlan,
  session: Stripe.Checkout.Session,
): Promise<void> {
  const { id, expires_at } = session
  if (row.checkout_id === id) return
  const isKept = await transaction(ctx.db, async (trx) => {
    const until = timeOf(expires_at)
    const values = { checkout_id: id, checkout_plan_id: plan.id, checkout_until: until }
    if (!(await setSubscription(trx, row.workspace_id, values))) return false
    const target = { kind: 'plan', id: plan.id, name: plan.name, about: id }
    const detail = `at a checkout that expires at ${until?.toISOString().slice(0, 16).replace('T', ' ')} UTC`
    await emit(trx, actor, row.workspace_id, 'billing.checkout_started', target, detail)
    return true
  })
  if (isKept) return
  await expire(ctx, session)
  throw notFound('This workspace')
}
