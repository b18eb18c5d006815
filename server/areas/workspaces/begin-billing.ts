import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { isPaidFor } from './standing.ts'
import { forgetBillingSince, noteBillingSince, prolongTrials } from './trial-store.ts'
import { trial } from './workspace.ts'

/** Starts a trial for existing workspaces when billing is turned on. */
export async function beginBilling(ctx: Context): Promise<void> {
  if (!isPaidFor(ctx.config)) {
    await forgetBillingSince(ctx.db)
    return
  }
  await transaction(ctx.db, async (trx) => {
    const now = ctx.now()
    if (await noteBillingSince(trx, now)) await prolongTrials(trx, new Date(now.getTime() + trial))
  })
}
