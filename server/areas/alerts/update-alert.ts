import { isDeepStrictEqual } from 'node:util'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../../route.ts'
import { presentAlert, alertTarget, withLockedAlert } from './alert.ts'
import { assertValidDefinition } from './validate-definition.ts'
import { updateAlertChannels, assertChannelsExist } from './alert-channels.ts'
import { type AlertChanges, applyAlertChanges, toAlertColumns } from './definition.ts'
import { assertScopeExists } from './scope.ts'
import { updateAlertRow } from './store.ts'

/** What is not given stays. What fires of it is looked at anew by whoever watches. */
export async function updateAlert(ctx: Context, actor: Actor, id: Id<'alert'>, given: AlertChanges) {
  const { id: workspaceId } = actor.workspace
  const row = await withLockedAlert(ctx, actor, id, async (trx, before) => {
    const wanted = applyAlertChanges(before, given)
    assertValidDefinition(before.kind, wanted, wanted.windows)
    // One that is narrowed to what is gone can still be changed otherwise.
    if (!isDeepStrictEqual(wanted.scope, applyAlertChanges(before, {}).scope))
      await assertScopeExists(trx, workspaceId, wanted.scope)
    await assertChannelsExist(trx, workspaceId, given.channels)
    const rechosen = await updateAlertChannels(trx, before, given.channels)
    if (!rechosen && isDeepStrictEqual(wanted, applyAlertChanges(before, {}))) return before
    const changes = toAlertColumns(wanted)
    const all_channels = given.channels === undefined ? before.all_channels : given.channels === null
    const changed = await updateAlertRow(trx, workspaceId, id, { ...changes, all_channels })
    await emit(trx, actor, workspaceId, 'alert.updated', alertTarget(changed))
    return changed
  })
  return presentAlert(ctx, actor, row)
}
