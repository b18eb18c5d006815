import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { deleteBillingStart, extendAllTrials, extendTrialsOfUser, recordBillingStart } from './trial-store.ts'
import { isBillingOn } from './plan-access.ts'
import { trialMs } from './workspace.ts'

interface ExtendedTrial {
  until: Date
  workspaces: string[]
}

export async function extendTrial(
  ctx: Context,
  user: { id: Id<'user'> },
  days: number,
): Promise<ExtendedTrial> {
  const until = new Date(ctx.now().getTime() + days * 86_400_000)
  return transaction(ctx.db, async (trx) => {
    const extended = await extendTrialsOfUser(trx, user.id, until)
    for (const { id, name } of extended)
      await emit(
        trx,
        'slipway',
        id,
        'billing.trial_extended',
        { kind: 'workspace', id, name },
        `until ${until.toISOString().slice(0, 10)} at the request of the operator`,
      )
    return { until, workspaces: extended.map(({ name }) => name) }
  })
}

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
