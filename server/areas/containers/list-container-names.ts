import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { withServerHost } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import { listContainerSummaries } from './read-containers.ts'
import { findLiveServer, listContainerNameRows } from './store.ts'

/** Lists all containers with their images, to show what uses an image. */
export async function listContainerNames(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  server: ServerRow,
): Promise<{ id: string; name: string; image_id: string }[]> {
  if (await findLiveServer(ctx.db, workspaceId, server.id))
    return listContainerNameRows(ctx.db, workspaceId, server.id)
  const all = await withServerHost(ctx, server, ({ docker }) => listContainerSummaries(docker))
  return all.map(({ id, name, image_id }) => ({ id, name, image_id }))
}
