import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { openRegistryLogin } from './credentials.ts'
import { checkCredentials } from './check-credentials.ts'
import { getRegistryRow, presentRegistry } from './registry.ts'
import { AccessDenied, WrongCredentials } from './registry-errors.ts'
import { updateRegistryRow } from './store.ts'

/**
 * Asks whether it still takes the credentials; the answer stays with them, be it a no. One that cannot be asked now has said
 * nothing of them.
 */
export async function checkRegistry(ctx: Context, actor: Actor, id: Id<'registry'>) {
  const row = await getRegistryRow(ctx, actor, id)
  const error = await checkCredentials(ctx, row.host, openRegistryLogin(ctx, row)).then(
    () => null,
    (problem: unknown) => {
      if (problem instanceof WrongCredentials || problem instanceof AccessDenied) return problem.message
      throw problem
    },
  )
  const changes = error === null ? { error, checked_at: new Date() } : { error }
  const changed = await updateRegistryRow(ctx.db, actor.workspace.id, row, changes)
  return presentRegistry(changed ?? (await getRegistryRow(ctx, actor, id)))
}
