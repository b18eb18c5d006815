import type { Permission } from '../../../contract/permissions.ts'
import type { Context } from '../../context.ts'
import { type Actor, holds } from '../../route.ts'
import { authenticateHash } from './authenticate.ts'

/** Whether whoever began something that lasts may still do it: they can be removed, or given another role, meanwhile. */
export async function stillMay(ctx: Context, actor: Actor, permission: Permission): Promise<boolean> {
  const now = await authenticateHash(ctx, actor.tokenHash).catch(() => undefined)
  return (
    now?.workspace?.id === actor.workspace.id && holds({ via: now.via, workspace: now.workspace }, permission)
  )
}
