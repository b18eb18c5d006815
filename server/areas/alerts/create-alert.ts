import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { presentAlert, alertTarget } from './alert.ts'
import { assertValidDefinition } from './validate-definition.ts'
import { updateAlertChannels, assertChannelsExist } from './alert-channels.ts'
import { toAlertColumns, toAlertDefinition, type NewAlert } from './definition.ts'
import { assertScopeExists } from './scope.ts'
import { insertAlert } from './store.ts'

/** What is not given is as usual for its kind. */
export async function createAlert(ctx: Context, actor: Actor, given: NewAlert) {
  const definition = toAlertDefinition(given)
  assertValidDefinition(given.kind, definition, definition.windows)
  const { id: workspace_id } = actor.workspace
  const row = await transaction(ctx.db, async (trx) => {
    await assertScopeExists(trx, workspace_id, definition.scope)
    await assertChannelsExist(trx, workspace_id, given.channels)
    const made = await insertAlert(trx, {
      ...toAlertColumns(definition),
      id: newId('alert'),
      workspace_id,
      kind: given.kind,
      all_channels: (given.channels ?? null) === null,
    })
    await updateAlertChannels(trx, made, given.channels)
    await emit(trx, actor, workspace_id, 'alert.created', alertTarget(made))
    return made
  })
  return presentAlert(ctx, actor, row)
}
