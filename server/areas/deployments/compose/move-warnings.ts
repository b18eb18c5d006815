import type { Db } from '../../../tables.ts'
import { type ApplicationRow, hasOthers } from '../../applications/application.ts'
import { listMoves } from '../../applications/changes/network-changes.ts'
import type { ServerRow } from '../../servers/server.ts'

/** Warns that a deployment moves an application out of the shared network. */
export async function moveWarnings(
  db: Db,
  { workspace_id, id, server_id, slug, compose_sealed }: ApplicationRow,
  { name }: Pick<ServerRow, 'name'>,
): Promise<string[]> {
  const [move] = await listMoves(db, workspace_id, [id])
  if (!move?.isShared) return []
  const isFile = compose_sealed !== null
  const moves = `This deployment moves the application from the shared network of ${name} to its own network${isFile ? '; unchanged services are not restarted' : ''}.`
  if (move.project !== null || !(await hasOthers(db, workspace_id, server_id, id))) return [moves]
  return [
    `${moves} Other applications can no longer reach it at ${isFile ? `${slug}-<service>` : slug}. To keep that, add them to one project, enable its network and redeploy each of them.`,
  ]
}
