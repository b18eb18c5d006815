import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { reach } from '../servers/reach.ts'
import type { ServerRow } from '../servers/server.ts'
import { listAll } from './read.ts'
import { findLive, listNames } from './store.ts'

/** Every container of the server with its image, for those who ask what is used by whom. */
export async function containerNames(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  server: ServerRow,
): Promise<{ id: string; name: string; image_id: string }[]> {
  if (await findLive(ctx.db, workspaceId, server.id)) return listNames(ctx.db, workspaceId, server.id)
  const all = await reach(ctx, server, ({ docker }) => listAll(docker))
  return all.map(({ id, name, image_id }) => ({ id, name, image_id }))
}
