import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { reach } from '../servers/reach.ts'
import type { ServerRow } from '../servers/server.ts'
import { type Container, present } from './container.ts'
import { ownLabels } from './own-labels.ts'
import { readLabelled } from './read.ts'
import { findLive, listRowsOfApplication } from './store.ts'

/** The containers that say of themselves that they are of this application; asked of Docker where that is not known. */
export async function containersOf(
  ctx: Context,
  server: ServerRow,
  application: Id<'application'>,
): Promise<Container[]> {
  const { workspace_id: workspaceId, id } = server
  if (await findLive(ctx.db, workspaceId, id))
    return (await listRowsOfApplication(ctx.db, workspaceId, id, application)).map(present)
  return reach(ctx, server, ({ docker }) => readLabelled(docker, ownLabels.application, application))
}
