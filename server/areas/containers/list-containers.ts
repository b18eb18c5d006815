import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { SearchQuery } from '../../platform/pagination.ts'
import type { Actor } from '../../route.ts'
import { withServerHost } from '../servers/server-host.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { controllablePredicate } from './container-access.ts'
import { presentContainer } from './container.ts'
import { nameImages } from './image-names.ts'
import { listContainerSummaries, readContainers } from './read-containers.ts'
import { findLiveServer, listContainerNameRows, listContainerRows, pageContainers } from './store.ts'

export async function listContainers(ctx: Context, actor: Actor, id: Id<'server'>, query: SearchQuery) {
  const { db } = ctx
  const workspaceId = actor.workspace.id
  const server = await getServerRow(ctx, actor, id)
  const { rows, page } = (await findLiveServer(db, workspaceId, id))
    ? await listContainerRows(db, workspaceId, id, query)
    : await pageContainers(
        db,
        workspaceId,
        id,
        await withServerHost(ctx, server, ({ docker }) => readContainers(docker)),
        query,
      )
  const controls = await controllablePredicate(ctx, actor, server)
  const named = await nameImages(db, workspaceId, id, rows)
  return {
    containers: named.map((row) => ({
      ...presentContainer(row),
      controllable: controls(row.application_id),
    })),
    page,
  }
}

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
