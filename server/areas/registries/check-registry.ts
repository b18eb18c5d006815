import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { logInOf } from './credentials.ts'
import { prove } from './prove.ts'
import { getRegistryRow, present } from './registry.ts'
import { NoAccess, WrongLogIn } from './registry-errors.ts'
import { updateRegistryRow } from './store.ts'

/**
 * Asks whether it still takes the credentials; the answer stays with them, be it a no. One that cannot be asked now has said
 * nothing of them.
 */
export async function checkRegistry(ctx: Context, actor: Actor, id: Id<'registry'>) {
  const row = await getRegistryRow(ctx, actor, id)
  const error = await prove(ctx, row.host, logInOf(ctx, row)).then(
    () => null,
    (problem: unknown) => {
      if (problem instanceof WrongLogIn || problem instanceof NoAccess) return problem.message
      throw problem
    },
  )
  const changes = error === null ? { error, checked_at: new Date() } : { error }
  const changed = await updateRegistryRow(ctx.db, actor.workspace.id, row, changes)
  return present(changed ?? (await getRegistryRow(ctx, actor, id)))
}
