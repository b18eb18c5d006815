import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import { present, targetOf } from './alert.ts'
import { mustFit } from './check-definition.ts'
import { chooseChannels, mustHaveChannels } from './choose-channels.ts'
import { columnsOf, definitionOf, type NewAlert } from './definition.ts'
import { mustBeThere } from './scope.ts'
import { insertAlert } from './store.ts'

/** What is not given is as usual for its kind. */
export async function createAlert(ctx: Context, actor: Actor, given: NewAlert) {
  const definition = definitionOf(given)
  mustFit(given.kind, definition, definition.windows)
  const { id: workspace_id } = actor.workspace
  const row = await transaction(ctx.db, async (trx) => {
    await mustBeThere(trx, workspace_id, definition.scope)
    await mustHaveChannels(trx, workspace_id, given.channels)
    const made = await insertAlert(trx, {
      ...columnsOf(definition),
      id: newId('alert'),
      workspace_id,
      kind: given.kind,
      all_channels: (given.channels ?? null) === null,
    })
    await chooseChannels(trx, made, given.channels)
    await emit(trx, actor, workspace_id, 'alert.created', targetOf(made))
    return made
  })
  return present(ctx, actor, row)
}
