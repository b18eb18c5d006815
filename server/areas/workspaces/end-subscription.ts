import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { Db, Trx } from '../../tables.ts'

/** Ends the subscription of a deleted workspace. A job retries while Stripe is unreachable. */
export async function endSubscription(ctx: Context, trx: Trx, workspaceId: Id<'workspace'>): Promise<void> {
  const { rows } = await sql<{ customer_id: string }>`
    insert into departed_customers (customer_id, left_at)
    select customer_id, ${ctx.now()}::timestamptz from subscriptions where workspace_id = ${workspaceId}
    returning customer_id`.execute(trx)
  for (const { customer_id } of rows) await requestSubscriptionEnd(ctx, trx, customer_id)
}

export const requestSubscriptionEnd = (ctx: Context, db: Db, customer: string) =>
  enqueue(ctx.secrets, db, {
    kind: 'end-subscription',
    payload: { customer_id: customer },
    key: `billing:${customer}`,
    attempts: 200,
  })
