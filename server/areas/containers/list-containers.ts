import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { SearchQuery } from '../../platform/page.ts'
import type { Actor } from '../../route.ts'
import { reach } from '../servers/reach.ts'
import { getServerRow } from '../servers/server.ts'
import { controlsOf } from './control.ts'
import { present } from './container.ts'
import { readContainers } from './read.ts'
import { findLive, listContainerRows, listReadContainers } from './store.ts'

/** From what is known while that is true; else Docker is asked, and says what there is or why it cannot be told. */
export async function listContainers(ctx: Context, actor: Actor, id: Id<'server'>, query: SearchQuery) {
  const { db } = ctx
  const workspaceId = actor.workspace.id
  const server = await getServerRow(ctx, actor, id)
  const { rows, page } = (await findLive(db, workspaceId, id))
    ? await listContainerRows(db, workspaceId, id, query)
    : await listReadContainers(
        db,
        workspaceId,
        id,
        await reach(ctx, server, ({ docker }) => readContainers(docker)),
        query,
      )
  const controls = await controlsOf(ctx, actor, server)
  return {
    containers: rows.map((row) => ({ ...present(row), controllable: controls(row.application_id) })),
    page,
  }
}
