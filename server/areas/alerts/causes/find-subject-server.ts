import type { Context } from '../../../context.ts'
import { findServer, type ServerRow } from '../../servers/server.ts'
import type { Subject } from '../observation.ts'

/** Returns undefined when the server was deleted. */
export const findSubjectServer = async (
  ctx: Context,
  { workspace_id: workspaceId, server_id: id }: Subject,
): Promise<ServerRow | undefined> => (id === null ? undefined : findServer(ctx, workspaceId, id))
