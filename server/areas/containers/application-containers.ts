import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { withServerHost } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import { type Container, presentContainer } from './container.ts'
import { slipwayLabels } from './slipway-labels.ts'
import { readLabeledContainers } from './read-containers.ts'
import { findLiveServer, listApplicationContainerRows } from './store.ts'

/** Finds containers by their Docker labels alone, and asks Docker when the rows are not live. */
export async function readApplicationContainers(
  ctx: Context,
  server: ServerRow,
  application: Id<'application'>,
): Promise<Container[]> {
  const { workspace_id: workspaceId, id } = server
  if (await findLiveServer(ctx.db, workspaceId, id))
    return (await listApplicationContainerRows(ctx.db, workspaceId, id, application)).map(presentContainer)
  return withServerHost(ctx, server, ({ docker }) =>
    readLabeledContainers(docker, slipwayLabels.application, application),
  )
}
