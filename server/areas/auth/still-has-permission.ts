import type { Permission } from '../../../contract/shared/permissions.ts'
import type { Context } from '../../context.ts'
import { type Actor, hasPermission } from '../../route.ts'
import { authenticateHash } from './authenticate.ts'

/**
 * Returns whether the actor of a long-running operation still has the permission: members can be removed or change roles
 * meanwhile.
 */
export async function stillHasPermission(
  ctx: Context,
  actor: Actor,
  permission: Permission,
  also: (now: Pick<Actor, 'workspace' | 'via' | 'isInstanceOwner'>) => boolean = () => true,
): Promise<boolean> {
  const now = await authenticateHash(ctx, actor.tokenHash).catch(() => undefined)
  if (now?.workspace?.id !== actor.workspace.id) return false
  const { workspace, via, isInstanceOwner } = now
  return hasPermission({ via, workspace }, permission) && also({ via, workspace, isInstanceOwner })
}
