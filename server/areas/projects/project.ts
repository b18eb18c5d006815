import type { z } from 'zod'
import type { project, projectStates } from '../../../contract/projects.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import type { SearchQuery } from '../../platform/pagination.ts'
import { transaction } from '../../platform/transaction.ts'
import { type Actor, getTokenLimit } from '../../route.ts'
import type { Db, Trx } from '../../tables.ts'
import {
  countVariables,
  deleteProjectRow,
  findProjectRow,
  insertProject,
  listProjectApplications,
  listProjectRows,
  listProjectServers,
  lockProjectRow,
  type ProjectRow,
} from './store.ts'
import { listApplicationStates } from '../applications/application-state.ts'
import type { applicationStates } from '../../../contract/applications.ts'
import type { serverStatuses } from '../../../contract/servers.ts'
import { formatList } from '../../../contract/shared/format-list.ts'

export async function listProjects(ctx: Context, actor: Actor, query: SearchQuery) {
  const { rows, page } = await listProjectRows(ctx.db, actor.workspace.id, query, getTokenLimit(actor))
  return { projects: await presentAll(ctx, actor, rows), page }
}

export const getProject = async (ctx: Context, actor: Actor, id: Id<'project'>) =>
  presentProject(ctx, actor, await getProjectRow(ctx, actor, id))

export async function getProjectRow(ctx: Context, actor: Actor, id: Id<'project'>): Promise<ProjectRow> {
  const row = await findProjectRow(ctx.db, actor.workspace.id, id)
  if (!row) throw notFound('This project')
  return row
}

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

export async function createProject(ctx: Context, actor: Actor, input: Fields) {
  const row = await transaction(ctx.db, async (trx) => {
    const created = await insertProject(trx, {
      id: newId('project'),
      workspace_id: actor.workspace.id,
      ...input,
    })
    await emit(trx, actor, actor.workspace.id, 'project.created', projectTarget(created))
    return created
  })
  return presentProject(ctx, actor, row)
}

export async function updateProject(
  ctx: Context,
  actor: Actor,
  id: Id<'project'>,
  input: { [F in keyof Changes]?: Changes[F] | undefined },
) {
  const row = await withProject(ctx, actor, id, async (trx, before) => {
    const { name = before.name, description = before.description, network = before.network } = input
    if (name === before.name && description === before.description && network === before.network)
      return before
    const row = await trx
      .updateTable('projects')
      .set({ name, description, network })
      .where('workspace_id', '=', actor.workspace.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await emit(trx, actor, actor.workspace.id, 'project.updated', projectTarget(row))
    return row
  })
  return presentProject(ctx, actor, row)
}

export const deleteProject = (ctx: Context, actor: Actor, id: Id<'project'>): Promise<void> =>
  withProject(ctx, actor, id, async (trx, row) => {
    await deleteProjectRow(trx, actor.workspace.id, id)
    await emit(trx, actor, actor.workspace.id, 'project.deleted', projectTarget(row))
  })

export async function presentProject(ctx: Context, actor: Actor, row: ProjectRow): Promise<Presented> {
  const [presented] = await presentAll(ctx, actor, [row])
  if (!presented) throw new Error('A written project is missing.')
  return presented
}

type Presented = z.input<typeof project>

async function presentAll(ctx: Context, actor: Actor, rows: ProjectRow[]): Promise<Presented[]> {
  const ids = rows.map(({ id }) => id)
  const getParts = await readParts(ctx.db, actor.workspace.id, ids)
  return rows.map((row) => {
    const parts = getParts(row.id)
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

interface ProjectFacts extends ProjectParts {
  variables: number
}

async function readParts(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: Id<'project'>[],
): Promise<(id: Id<'project'>) => ProjectFacts> {
  const applications = await listProjectApplications(db, workspaceId, ids)
  const projectIds = new Map(applications.map(({ id, project_id }) => [id, project_id]))
  const states = await listApplicationStates(db, workspaceId, [...projectIds.keys()])
  const servers = await listProjectServers(db, workspaceId, ids)
  const variables = await countVariables(db, workspaceId, ids)
  return (id) => ({
    applications: states.filter((application) => projectIds.get(application.id) === id).toSorted(byName),
    servers: servers.flatMap(({ project_id, name, status }) =>
      project_id === id ? [{ name, state: status }] : [],
    ),
    variables: variables.find(({ project_id }) => project_id === id)?.count ?? 0,
  })
}

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)

type State = (typeof projectStates)[number]

interface Part<S> {
  name: string
  state: S
}

export interface ProjectParts {
  applications: Part<(typeof applicationStates)[number]>[]
  servers: Part<(typeof serverStatuses)[number]>[]
}

const order = ['failed', 'degraded', 'unknown', 'running', 'stopped'] as const satisfies State[]

export function computeProjectState({ applications, servers }: ProjectParts): {
  state: State
  reason: string | null
} {
  const seen = [
    ...applications.map(({ name, state }) => ({ state: toPartState(state), says: state, name })),
    ...servers.flatMap(({ name, state }) => {
      const counts = toServerPartState(state)
      return counts ? [{ state: counts, says: state === 'failed' ? 'setup_failed' : state, name }] : []
    }),
  ]
  const worst = order.find((state) => seen.some((part) => part.state === state))
  // Healthy servers are not counted, so that stopped applications do not appear as running.
  if (!worst) return { state: servers.length > 0 ? 'running' : 'empty', reason: null }
  const those = seen.filter(({ state }) => state === worst)
  const sentences = Object.entries(words).flatMap(([says, sentence]) => {
    const names = those.flatMap((part) => (part.says === says ? [part.name] : []))
    return names.length > 0 ? [sentence(formatSome(names), names.length > 1)] : []
  })
  return { state: worst, reason: sentences.join(' ') || null }
}

const toPartState = (state: ProjectParts['applications'][number]['state']) =>
  state === 'never_deployed' ? 'stopped' : state === 'crashing' ? 'failed' : state

const toServerPartState = (
  status: ProjectParts['servers'][number]['state'],
): 'failed' | 'unknown' | undefined => {
  if (status === 'failed' || status === 'unreachable') return 'failed'
  return status === 'ready' || status === 'deleting' ? undefined : 'unknown'
}

type Sentence = (names: string, several: boolean) => string

const words: Record<string, Sentence> = {
  failed: (names, several) => `${names} ${several ? 'are' : 'is'} not running.`,
  setup_failed: (names) => `The setup of ${names} failed.`,
  crashing: (names, several) => `${names} ${several ? 'are' : 'is'} crashing.`,
  unreachable: (names, several) => `${names} ${several ? 'are' : 'is'} unreachable.`,
  degraded: (names, several) => `${names} ${several ? 'are' : 'is'} degraded.`,
  unknown: (names) => `The status of ${names} is unknown.`,
  setting_up: (names, several) => `${names} ${several ? 'are' : 'is'} being set up.`,
  provisioning: (names, several) => `${names} ${several ? 'are' : 'is'} being created at the cloud provider.`,
  pending: (names, several) => `${names} ${several ? 'have' : 'has'} not connected yet.`,
}

const most = 3

const formatSome = (names: string[]) =>
  formatList(names.length > most + 1 ? [...names.slice(0, most), `${names.length - most} more`] : names)
