import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import { internalSuffix } from '../../compose/proxy-network.ts'
import { slipwayPrefix } from '../../servers/network.ts'
import type { Change } from './changes.ts'

interface Row {
  id: Id<'application'>
  /** Project of the current network; its ID if the project was deleted. */
  fromProject: string | null
  /** Project of the configured network. */
  project: string | null
}

/** Returns applications whose next deployment moves containers into or out of a project network. */
export async function listMoves(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select a.id, p.name as project, max(coalesce(was.name, i.project_network)) as "fromProject"
    from instances i
    join applications a on a.workspace_id = i.workspace_id and a.id = i.application_id
    left join projects p on p.workspace_id = a.workspace_id and p.id = a.project_id and p.network
    left join projects was on was.workspace_id = i.workspace_id and ${slipwayPrefix} || was.id = i.project_network
    cross join lateral (
      select i.network not like ${`%${internalSuffix}`} and (a.compose_sealed is null or i.exposes_port
        or exists (select from domains d
          where d.workspace_id = i.workspace_id and d.application_id = a.id and d.service = i.service)
        or exists (select from published_ports o
          where o.workspace_id = i.workspace_id and o.application_id = a.id and o.service = i.service)) as it
    ) joins
    where i.workspace_id = ${workspaceId} and a.id = any(${[...ids]})
      and i.state = 'serving' and i.network is not null
      and i.project_network is distinct from case when joins.it then ${slipwayPrefix} || p.id end
    group by a.id, p.name`.execute(db)
  return rows
}

export async function networkChanges(
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'application'>,
): Promise<Change[]> {
  const [move] = await listMoves(db, workspaceId, [id])
  if (!move) return []
  const { fromProject, project } = move
  const kind = project === null ? 'removed' : fromProject === null ? 'added' : 'changed'
  return [{ field: 'project_network', kind, from: fromProject, to: project }]
}
