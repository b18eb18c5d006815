import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { extendTrialsOfUser } from './trial-store.ts'

interface ExtendedTrial {
  until: Date
  /** Workspaces whose trial was extended; paid ones are not included. */
  workspaces: string[]
}

/** Extends the trial of a user and of the unpaid workspaces they own. */
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
        `until ${until.toISOString().slice(0, 10)}, by the operator`,
      )
    return { until, workspaces: extended.map(({ name }) => name) }
  })
}
