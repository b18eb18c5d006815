import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../../route.ts'
import { targetOf as alertTarget, withAlert } from './alert.ts'
import { targetOf } from './incident.ts'
import { deletePending, resolveAll } from './incidents-store.ts'
import { deleteAlertRow } from './store.ts'

const WHY = 'The alert was deleted.'

/** Whoever was told that something of it began is told that it is over. What it has seen stays as history. */
export const deleteAlert = (ctx: Context, actor: Actor, id: Id<'alert'>): Promise<void> =>
  withAlert(ctx, actor, id, async (trx, alert) => {
    const { id: workspaceId } = actor.workspace
    await deletePending(trx, workspaceId, id)
    for (const incident of await resolveAll(trx, workspaceId, id, WHY))
      if (incident.tellings > 0)
        await emit(trx, 'slipway', workspaceId, 'alert.over', targetOf(incident), WHY)
    await deleteAlertRow(trx, workspaceId, id)
    await emit(trx, actor, workspaceId, 'alert.deleted', alertTarget(alert))
  })
