import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { setTrials } from './trial-store.ts'

/** By the operator: for this person and all that they own. */
export async function extendTrial(ctx: Context, user: { id: Id<'user'> }, days: number): Promise<Date> {
  const until = new Date(ctx.now().getTime() + days * 86_400_000)
  await transaction(ctx.db, async (trx) => {
    for (const { id, name } of await setTrials(trx, user.id, until))
      await emit(
        trx,
        'slipway',
        id,
        'billing.trial_extended',
        { kind: 'workspace', id, name },
        `until ${until.toISOString().slice(0, 10)}, by the operator`,
      )
  })
  return until
}
