import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../../route.ts'
import { alertTarget, withLockedAlert } from './alert.ts'
import { incidentTarget } from './incident.ts'
import { deletePendingIncidents, resolveFiringIncidents } from './incidents-store.ts'
import { deleteAlertRow } from './store.ts'

const WHY = 'The alert was deleted.'

/** Whoever was told that something of it began is told that it is over. What it has seen stays as history. */
export const deleteAlert = (ctx: Context, actor: Actor, id: Id<'alert'>): Promise<void> =>
  withLockedAlert(ctx, actor, id, async (trx, alert) => {
    const { id: workspaceId } = actor.workspace
    await deletePendingIncidents(trx, workspaceId, id)
    for (const incident of await resolveFiringIncidents(trx, workspaceId, id, WHY))
      if (incident.tellings > 0)
        await emit(trx, 'slipway', workspaceId, 'alert.over', incidentTarget(incident), WHY)
    await deleteAlertRow(trx, workspaceId, id)
    await emit(trx, actor, workspaceId, 'alert.deleted', alertTarget(alert))
  })
