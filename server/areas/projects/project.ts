import type { z } from 'zod'
import type { project } from '../../../contract/projects.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import type { SearchQuery } from '../../platform/page.ts'
import { transaction } from '../../platform/transaction.ts'
import { type Actor, getTokenLimit } from '../../route.ts'
import type { Trx, Db } from '../../tables.ts'
import { computeProjectState, type ProjectParts } from './state.ts'
import {
  deleteProjectRow,
  findProjectRow,
  insertProject,
  listProjectRows,
  lockProjectRow,
  type ProjectRow,
  updateProjectRow,
  countVariables,
  listProjectApplications,
  listProjectServers,
} from './store.ts'
import { listApplicationStates } from '../applications/list-states.ts'

export async function listProjects(ctx: Context, actor: Actor, query: SearchQuery) {
  const { rows, page } = await listProjectRows(ctx.db, actor.workspace.id, query, getTokenLimit(actor))
  return { projects: await presentAll(ctx, actor, rows), page }
}

export const getProject = async (ctx: Context, actor: Actor, id: Id<'project'>) =>
  presentProject(ctx, actor, await getProjectRow(ctx, actor, id))

/** Throws 404. */
export async function getProjectRow(ctx: Context, actor: Actor, id: Id<'project'>): Promise<ProjectRow> {
  const row = await findProjectRow(ctx.db, actor.workspace.id, id)
  if (!row) throw notFound('This project')
  return row
}

/** Runs `work` with the locked project; 404 if it is missing. */
export const withProject = <T>(
  ctx: Context,
  actor: Actor,
  id: Id<'project'>,
  work: (trx: Trx, project: ProjectRow) => Promise<T>,
): Promise<T> =>
  transaction(ctx.db, async (trx) => {
    const row = await lockProjectRow(trx, actor.workspace.id, id)
    if (!row) throw notFound('This project')
    return work(trx, row)
  })

export const projectTarget = ({ id, name }: Pick<ProjectRow, 'id' | 'name'>) => ({
  kind: 'project',
  id,
  name,
})

type Fields = Pick<ProjectRow, 'name' | 'description'>
type Changes = Fields & Pick<ProjectRow, 'network'>

export async function createProject(ctx: Context, actor: Actor, given: Fields) {
  const row = await transaction(ctx.db, async (trx) => {
    const made = await insertProject(trx, {
      id: newId('project'),
      workspace_id: actor.workspace.id,
      ...given,
    })
    await emit(trx, actor, actor.workspace.id, 'project.created', projectTarget(made))
    return made
  })
  return presentProject(ctx, actor, row)
}

export async function updateProject(
  ctx: Context,
  actor: Actor,
  id: Id<'project'>,
  given: { [F in keyof Changes]?: Changes[F] | undefined },
) {
  const row = await withProject(ctx, actor, id, async (trx, before) => {
    const { name = before.name, description = before.description, network = before.network } = given
    if (name === before.name && description === before.description && network === before.network)
      return before
    const row = await updateProjectRow(trx, actor.workspace.id, id, { name, description, network })
    await emit(trx, actor, actor.workspace.id, 'project.updated', projectTarget(row))
    return row
  })
  return presentProject(ctx, actor, row)
}

/** Deletes its variables; applications and servers are kept. */
export const deleteProject = (ctx: Context, actor: Actor, id: Id<'project'>): Promise<void> =>
  withProject(ctx, actor, id, async (trx, row) => {
    await deleteProjectRow(trx, actor.workspace.id, id)
    await emit(trx, actor, actor.workspace.id, 'project.deleted', projectTarget(row))
  })

export async function presentProject(ctx: Context, actor: Actor, row: ProjectRow): Promise<Presented> {
  const [one] = await presentAll(ctx, actor, [row])
  if (!one) throw new Error('A written project is missing.')
  return one
}

type Presented = z.input<typeof project>

async function presentAll(ctx: Context, actor: Actor, rows: ProjectRow[]): Promise<Presented[]> {
  const ids = rows.map(({ id }) => id)
  const partsOf = await readParts(ctx.db, actor.workspace.id, ids)
  return rows.map((row) => {
    const parts = partsOf(row.id)
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      ...computeProjectState(parts),
      applications: counted(parts.applications, 'running'),
      servers: counted(parts.servers, 'ready'),
      variables: parts.variables,
      network: row.network,
      created_at: row.created_at.toISOString(),
    }
  })
}

const counted = (parts: { state: string }[], healthy: string) => ({
  total: parts.length,
  healthy: parts.filter(({ state }) => state === healthy).length,
})

interface Known extends ProjectParts {
  variables: number
}

/** A few statements for a whole page. */
async function readParts(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: Id<'project'>[],
): Promise<(id: Id<'project'>) => Known> {
  const applications = await listProjectApplications(db, workspaceId, ids)
  const projectOf = new Map(applications.map(({ id, project_id }) => [id, project_id]))
  const states = await listApplicationStates(db, workspaceId, [...projectOf.keys()])
  const servers = await listProjectServers(db, workspaceId, ids)
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
