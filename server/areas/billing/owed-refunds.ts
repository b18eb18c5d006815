import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import { findConfiguredPlan } from '../workspaces/plan-access.ts'
import { voidInvoice } from './pending-change.ts'
import { listOpenInvoices } from './open-invoices.ts'
import { type RefundResult, refundPayments } from './refund.ts'
import {
  lockExistingWorkspace,
  deleteOwedRefund,
  markRefundRefused,
  recordNotice,
  type OwedRefund,
} from './store.ts'
import { StripeRequestFailed } from './stripe-errors.ts'

/** Refunds a duplicate subscription. If Stripe rejects the refund, it stays recorded as owed. */
export async function payOwedRefund(ctx: Context, owed: OwedRefund): Promise<void> {
  const { workspace_id: workspace, subscription_id: subscription } = owed
  try {
    // Wait for pending payments, such as bank transfers, before refunding.
    for (const invoice of await listOpenInvoices(ctx, subscription)) await voidInvoice(ctx, invoice)
    const input = await refundPayments(ctx, subscription, 'duplicate', owed.since)
    await transaction(ctx.db, async (trx) => {
      await emitRefundEventOnce(ctx, trx, owed, 'billing.duplicate_refunded', refundDetails[input])
      await deleteOwedRefund(trx, subscription)
    })
    ctx.log.warn({ workspace, subscription, given: input }, 'Refunded a duplicate subscription')
  } catch (error) {
    if (!(error instanceof StripeRequestFailed)) throw error
    await transaction(ctx.db, async (trx) => {
      await emitRefundEventOnce(ctx, trx, owed, 'billing.refund_owed', refundFailedDetail)
      await markRefundRefused(trx, subscription, ctx.now())
    })
    ctx.log.error(
      { workspace, subscription, why: error.message },
      'Stripe rejected the refund of a duplicate subscription. It is retried daily; check it at Stripe.',
    )
  }
}

const refundDetails: Record<RefundResult, string> = {
  money: 'The payment is refunded.',
  credit: 'It was paid with credit, which the operator must restore.',
  nothing: 'Nothing had been paid for it.',
}
const refundFailedDetail = 'The refund failed and is retried daily.'

async function emitRefundEventOnce(
  ctx: Context,
  trx: Trx,
  { workspace_id: workspaceId, subscription_id, plan_id }: OwedRefund,
  type: 'billing.duplicate_refunded' | 'billing.refund_owed',
  detail: string,
): Promise<void> {
  if (!workspaceId || !(await lockExistingWorkspace(trx, workspaceId))) return
  if (!(await recordNotice(trx, workspaceId, type, subscription_id))) return
  const name = findConfiguredPlan(ctx.config, plan_id)?.name ?? ''
  const target = { kind: 'plan', id: plan_id ?? '', name, about: subscription_id }
  await emit(trx, 'slipway', workspaceId, type, target, detail)
}
