import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { isBillingOn } from './plan-access.ts'
import { deleteBillingStart, recordBillingStart, extendAllTrials } from './trial-store.ts'
import { trialMs } from './workspace.ts'

/** Starts a trial for existing workspaces when billing is turned on. */
export async function startBilling(ctx: Context): Promise<void> {
  if (!isBillingOn(ctx.config)) {
    await deleteBillingStart(ctx.db)
    return
  }
  await transaction(ctx.db, async (trx) => {
    const now = ctx.now()
    if (await recordBillingStart(trx, now)) await extendAllTrials(trx, new Date(now.getTime() + trialMs))
  })
}
