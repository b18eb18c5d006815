import { createHash } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import {
  findSubscription,
  findBilledWorkspace,
  lockExistingWorkspace,
  insertDepartedCustomer,
  setCustomer,
  type SubscriptionRow,
} from './store.ts'
import { isMissingAtStripe } from './stripe-errors.ts'
import { callStripe } from './stripe.ts'

/**
 * Returns the Stripe customer of the workspace. Its ID is stored before any checkout, so that subscriptions can be
 * found.
 */
export async function ensureCustomer(
  ctx: Context,
  actor: Actor,
  row: SubscriptionRow | undefined,
): Promise<SubscriptionRow> {
  if (row && (await findCustomerState(ctx, row.customer_id)) === 'there') return row
  const { id: workspaceId } = actor.workspace
  const workspace = await findBilledWorkspace(ctx.db, workspaceId)
  if (!workspace) throw notFound('This workspace')
  const params = {
    name: workspace.name,
    email: actor.user.email,
    metadata: { workspace_id: workspaceId },
  }
  const idempotencyKey = stripeIdempotencyKey(ctx, 'customer', { ...params, before: row?.customer_id })
  const { id } = await callStripe(ctx, (stripe) => stripe.customers.create(params, { idempotencyKey }))
  return saveCustomer(ctx, workspaceId, id)
}

/** Keeps the replaced customer: it may have a subscription in another Stripe account or mode. */
const saveCustomer = (ctx: Context, workspaceId: Id<'workspace'>, customer: string) =>
  transaction(ctx.db, async (trx) => {
    if (!(await lockExistingWorkspace(trx, workspaceId))) throw notFound('This workspace')
    const before = await findSubscription(trx, workspaceId)
    if (before && before.customer_id !== customer)
      await insertDepartedCustomer(trx, before.customer_id, ctx.now())
    return setCustomer(trx, workspaceId, customer)
  })

/**
 * Lists all subscriptions of the customer. Returns undefined if Stripe does not know the customer, for example because
 * the key belongs to another account.
 */
export async function listSubscriptions(
  ctx: Context,
  customer: string,
): Promise<Stripe.Subscription[] | undefined> {
  try {
    return await callStripe(ctx, (stripe) =>
      stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray({ limit: 1_000 }),
    )
  } catch (error) {
    if (!isMissingAtStripe(error)) throw error
    // A customer deleted in Stripe has no subscriptions.
    return (await findCustomerState(ctx, customer)) === 'unknown' ? undefined : []
  }
}

/** Stripe still knows deleted customers. An unknown customer belongs to another account or mode, and so does the key. */
async function findCustomerState(ctx: Context, customer: string): Promise<'there' | 'deleted' | 'unknown'> {
  try {
    const stripeCustomer = await callStripe(ctx, (stripe) => stripe.customers.retrieve(customer))
    return stripeCustomer.deleted ? 'deleted' : 'there'
  } catch (error) {
    if (isMissingAtStripe(error)) return 'unknown'
    throw error
  }
}

/** Merges concurrent attempts. The key changes every minute, since Stripe also replays failures. */
export function stripeIdempotencyKey(ctx: Context, what: string, params: object): string {
  const minute = Math.floor(ctx.now().getTime() / 60_000)
  const hash = createHash('sha256')
    .update(JSON.stringify([params, minute]))
    .digest('hex')
  return `slipway:${what}:${hash}`
}
