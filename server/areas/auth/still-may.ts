import type { Permission } from '../../../contract/shared/permissions.ts'
import type { Context } from '../../context.ts'
import { type Actor, holds } from '../../route.ts'
import { authenticateHash } from './authenticate.ts'

/** Whether whoever began something that lasts may still do it: they can be removed, or given another role, meanwhile. */
export async function stillMay(
  ctx: Context,
  actor: Actor,
  permission: Permission,
  also: (now: Pick<Actor, 'workspace' | 'via' | 'isInstanceOwner'>) => boolean = () => true,
): Promise<boolean> {
  const now = await authenticateHash(ctx, actor.tokenHash).catch(() => undefined)
  if (now?.workspace?.id !== actor.workspace.id) return false
  const { workspace, via, isInstanceOwner } = now
  return holds({ via, workspace }, permission) && also({ via, workspace, isInstanceOwner })
}
