import { createHash } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import {
  findSubscription,
  findWorkspace,
  holdWorkspace,
  noteDeparted,
  setCustomer,
  type SubscriptionRow,
} from './store.ts'
import { isMissing } from './stripe-errors.ts'
import { askStripe } from './stripe.ts'

/** The workspace as Stripe knows it. Kept before anything is sold to it, so that whatever is sold can be found. */
export async function ensureCustomer(
  ctx: Context,
  actor: Actor,
  row: SubscriptionRow | undefined,
): Promise<SubscriptionRow> {
  if (row && (await lookUp(ctx, row.customer_id)) === 'there') return row
  const { id: workspaceId } = actor.workspace
  const workspace = await findWorkspace(ctx.db, workspaceId)
  if (!workspace) throw notFound('This workspace')
  const params = {
    name: workspace.name,
    email: actor.user.email,
    metadata: { workspace_id: workspaceId },
  }
  const idempotencyKey = keyOf(ctx, 'customer', { ...params, before: row?.customer_id })
  const { id } = await askStripe(ctx, (stripe) => stripe.customers.create(params, { idempotencyKey }))
  return keepCustomer(ctx, workspaceId, id)
}

/** One that it takes the place of is not forgotten: it may pay for something where Stripe knows it, with another key. */
const keepCustomer = (ctx: Context, workspaceId: Id<'workspace'>, customer: string) =>
  transaction(ctx.db, async (trx) => {
    if (!(await holdWorkspace(trx, workspaceId))) throw notFound('This workspace')
    const before = await findSubscription(trx, workspaceId)
    if (before && before.customer_id !== customer) await noteDeparted(trx, before.customer_id, ctx.now())
    return setCustomer(trx, workspaceId, customer)
  })

/** All that it ever had. Undefined where Stripe does not know it, which says nothing of what it pays for. */
export async function listSubscriptions(
  ctx: Context,
  customer: string,
): Promise<Stripe.Subscription[] | undefined> {
  try {
    return await askStripe(ctx, (stripe) =>
      stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray({ limit: 1_000 }),
    )
  } catch (error) {
    if (!isMissing(error)) throw error
    // Whoever is deleted there pays for nothing any more.
    return (await lookUp(ctx, customer)) === 'unknown' ? undefined : []
  }
}

/** One that was deleted is known still. One that is not is of another account, or of the other mode: so is the key. */
async function lookUp(ctx: Context, customer: string): Promise<'there' | 'deleted' | 'unknown'> {
  try {
    const found = await askStripe(ctx, (stripe) => stripe.customers.retrieve(customer))
    return found.deleted ? 'deleted' : 'there'
  } catch (error) {
    if (isMissing(error)) return 'unknown'
    throw error
  }
}

/**
 * Makes the same attempt of two processes one. For a minute: Stripe keeps what it answered under a key, and that may have been
 * that it failed.
 */
export function keyOf(ctx: Context, what: string, params: object): string {
  const minute = Math.floor(ctx.now().getTime() / 60_000)
  const hash = createHash('sha256')
    .update(JSON.stringify([params, minute]))
    .digest('hex')
  return `slipway:${what}:${hash}`
}
