import type { Db } from '../../../tables.ts'
import { type ApplicationRow, hasOthers } from '../../applications/application.ts'
import { listMoves } from '../../applications/changes/network-changes.ts'
import type { ServerRow } from '../../servers/server.ts'

/** What a deployment that moves an application out of the network that all shared means for others, as sentences. */
export async function moveWarnings(
  db: Db,
  { workspace_id, id, server_id, slug, compose_sealed }: ApplicationRow,
  { name }: Pick<ServerRow, 'name'>,
): Promise<string[]> {
  const [move] = await listMoves(db, workspace_id, [id])
  if (!move?.isShared) return []
  const isFile = compose_sealed !== null
  const moves = `This deployment moves the application from the network that all applications of ${name} shared to its own${isFile ? '; services that are unchanged are not restarted' : ''}.`
  if (move.project !== null || !(await hasOthers(db, workspace_id, server_id, id))) return [moves]
  return [
    `${moves} Other applications no longer reach it by the host name ${isFile ? `${slug}-<service>` : slug}. To keep that, put them into one project, turn on the network of the project, and deploy each of them.`,
  ]
}
