import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'

const eventDetails = {
  active: 'to active again, at GitHub',
  suspended: 'to suspended, at GitHub',
  removed: 'to removed, at GitHub',
}

/** Records the installation status reported by GitHub. */
export const updateInstallationStatus = (
  ctx: Context,
  workspaceId: Id<'workspace'>,
  installation: number,
  status: keyof typeof eventDetails,
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
        eventDetails[status],
      )
  })
