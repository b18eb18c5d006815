import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import { planOf } from '../workspaces/standing.ts'
import { letGo } from './held-change.ts'
import { listOpenInvoices } from './open-invoices.ts'
import { type Given, refund } from './refund.ts'
import { holdWorkspace, noteRefunded, noteRefused, noteTold, type OwedRefund } from './store.ts'
import { StripeRefused } from './stripe-errors.ts'

/** Refunds a duplicate subscription. If Stripe rejects the refund, it stays recorded as owed. */
export async function giveBack(ctx: Context, owed: OwedRefund): Promise<void> {
  const { workspace_id: workspace, subscription_id: subscription } = owed
  try {
    // Wait for pending payments, such as bank transfers, before refunding.
    for (const invoice of await listOpenInvoices(ctx, subscription)) await letGo(ctx, invoice)
    const given = await refund(ctx, subscription, 'duplicate', owed.since)
    await transaction(ctx.db, async (trx) => {
      await tellOnce(ctx, trx, owed, 'billing.duplicate_refunded', inWords[given])
      await noteRefunded(trx, subscription)
    })
    ctx.log.warn({ workspace, subscription, given }, 'Refunded a duplicate subscription')
  } catch (error) {
    if (!(error instanceof StripeRefused)) throw error
    await transaction(ctx.db, async (trx) => {
      await tellOnce(ctx, trx, owed, 'billing.refund_owed', isOwed)
      await noteRefused(trx, subscription, ctx.now())
    })
    ctx.log.error(
      { workspace, subscription, why: error.message },
      'Stripe rejected the refund of a duplicate subscription. It is retried daily; check it at Stripe.',
    )
  }
}

const inWords: Record<Given, string> = {
  money: 'The payment is refunded.',
  credit: 'It was paid with credit, which the operator must restore.',
  nothing: 'Nothing had been paid for it.',
}
const isOwed = 'The refund failed and is retried daily.'

async function tellOnce(
  ctx: Context,
  trx: Trx,
  { workspace_id: workspaceId, subscription_id, plan_id }: OwedRefund,
  type: 'billing.duplicate_refunded' | 'billing.refund_owed',
  detail: string,
): Promise<void> {
  if (!workspaceId || !(await holdWorkspace(trx, workspaceId))) return
  if (!(await noteTold(trx, workspaceId, type, subscription_id))) return
  const name = planOf(ctx.config, plan_id)?.name ?? ''
  const target = { kind: 'plan', id: plan_id ?? '', name, about: subscription_id }
  await emit(trx, 'slipway', workspaceId, type, target, detail)
}
