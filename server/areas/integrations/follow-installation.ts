import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'

const says = {
  active: 'to active again, at GitHub',
  suspended: 'to suspended, at GitHub',
  removed: 'to removed, at GitHub',
}

/** Records the installation status reported by GitHub. */
export const followInstallation = (
  ctx: Context,
  workspaceId: Id<'workspace'>,
  installation: number,
  status: keyof typeof says,
): Promise<void> =>
  transaction(ctx.db, async (trx) => {
    const changed = await trx
      .updateTable('integrations')
      .set({ status })
      .where('workspace_id', '=', workspaceId)
      .where('provider', '=', 'github')
      .where('installation_id', '=', installation)
      .where('status', '<>', status)
      .returning(['id', 'account'])
      .execute()
    for (const { id, account } of changed)
      await emit(
        trx,
        'slipway',
        workspaceId,
        'integration.changed',
        { kind: 'integration', id, name: account },
        says[status],
      )
  })
