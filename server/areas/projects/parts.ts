import type { Id } from '../../../contract/ids.ts'
import type { Db } from '../../tables.ts'
import { statesOf } from '../applications/list-states.ts'
import type { Parts } from './state.ts'
import { countVariables, listApplicationsOf, listServersOf } from './store.ts'

interface Known extends Parts {
  variables: number
}

/** What each of these projects has: some statements for as many as a page holds. */
export async function readParts(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: Id<'project'>[],
): Promise<(id: Id<'project'>) => Known> {
  const applications = await listApplicationsOf(db, workspaceId, ids)
  const projectOf = new Map(applications.map(({ id, project_id }) => [id, project_id]))
  const states = await statesOf(db, workspaceId, [...projectOf.keys()])
  const servers = await listServersOf(db, workspaceId, ids)
  const variables = await countVariables(db, workspaceId, ids)
  return (id) => ({
    applications: states.filter((one) => projectOf.get(one.id) === id).toSorted(byName),
    servers: servers.flatMap(({ project_id, name, status }) =>
      project_id === id ? [{ name, state: status }] : [],
    ),
    variables: variables.find(({ project_id }) => project_id === id)?.count ?? 0,
  })
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
