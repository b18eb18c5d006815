import { isDeepStrictEqual } from 'node:util'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../../route.ts'
import { present, targetOf, withAlert } from './alert.ts'
import { mustFit } from './check-definition.ts'
import { chooseChannels, mustHaveChannels } from './choose-channels.ts'
import { type AlertChanges, changedBy, columnsOf } from './definition.ts'
import { mustBeThere } from './scope.ts'
import { updateAlertRow } from './store.ts'

/** What is not given stays. What fires of it is looked at anew by whoever watches. */
export async function updateAlert(ctx: Context, actor: Actor, id: Id<'alert'>, given: AlertChanges) {
  const { id: workspaceId } = actor.workspace
  const row = await withAlert(ctx, actor, id, async (trx, before) => {
    const wanted = changedBy(before, given)
    mustFit(before.kind, wanted, wanted.windows)
    // One that is narrowed to what is gone can still be changed otherwise.
    if (!isDeepStrictEqual(wanted.scope, changedBy(before, {}).scope))
      await mustBeThere(trx, workspaceId, wanted.scope)
    await mustHaveChannels(trx, workspaceId, given.channels)
    const rechosen = await chooseChannels(trx, before, given.channels)
    if (!rechosen && isDeepStrictEqual(wanted, changedBy(before, {}))) return before
    const changes = columnsOf(wanted)
    const all_channels = given.channels === undefined ? before.all_channels : given.channels === null
    const changed = await updateAlertRow(trx, workspaceId, id, { ...changes, all_channels })
    await emit(trx, actor, workspaceId, 'alert.updated', targetOf(changed))
    return changed
  })
  return present(ctx, actor, row)
}
