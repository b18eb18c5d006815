import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { formatList } from '../../../contract/shared/format-list.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { summarizeNames } from '../applications/application.ts'
import {
  addServers,
  findProjectRow,
  listServerIds,
  lockApplications,
  lockServers,
  type Member,
  type ProjectRow,
  removeServers,
  setProject,
} from './store.ts'
import { presentProject, projectTarget, withProject } from './project.ts'

interface Members {
  applications: Id<'application'>[]
  servers: Id<'server'>[]
}

export async function attachToProject(
  ctx: Context,
  actor: Actor,
  id: Id<'project'>,
  { move, ...input }: Members & { move: boolean },
) {
  const project = await withProject(ctx, actor, id, async (trx, project) => {
    const { applications, servers } = await getMembers(trx, actor, input)
    const had = await listServerIds(trx, actor.workspace.id, id)
    const [joining, added] = [
      applications.filter((application) => application.project_id !== id),
      servers.filter((server) => !had.has(server.id)),
    ]
    await leaveOthers(trx, actor, joining, move)
    await setProject(trx, actor.workspace.id, toIds(joining), id)
    await addServers(trx, actor.workspace.id, id, toIds(added))
    await note(trx, actor, project, 'project.attached', [...joining, ...added])
    return project
  })
  return presentProject(ctx, actor, project)
}

export async function detachFromProject(ctx: Context, actor: Actor, id: Id<'project'>, input: Members) {
  const project = await withProject(ctx, actor, id, async (trx, project) => {
    const { applications, servers } = await getMembers(trx, actor, input)
    const had = await listServerIds(trx, actor.workspace.id, id)
    const [leaving, removed] = [
      applications.filter((application) => application.project_id === id),
      servers.filter((server) => had.has(server.id)),
    ]
    await setProject(trx, actor.workspace.id, toIds(leaving), null)
    await removeServers(trx, actor.workspace.id, id, toIds(removed))
    await note(trx, actor, project, 'project.detached', [...leaving, ...removed])
    return project
  })
  return presentProject(ctx, actor, project)
}

const toIds = <I>(rows: readonly { id: I }[]): I[] => rows.map(({ id }) => id)

async function getMembers(trx: Trx, actor: Actor, input: Members) {
  const applications = await lockApplications(trx, actor.workspace.id, input.applications)
  if (applications.length < new Set(input.applications).size)
    throw notFound(input.applications.length > 1 ? 'One of these applications' : 'This application')
  const servers = await lockServers(trx, actor.workspace.id, input.servers)
  if (servers.length < new Set(input.servers).size)
    throw notFound(input.servers.length > 1 ? 'One of these servers' : 'This server')
  return { applications, servers }
}

async function leaveOthers(trx: Trx, actor: Actor, joining: readonly Member[], move: boolean): Promise<void> {
  const leaving: Leaving[] = []
  for (const from of new Set(joining.flatMap(({ project_id }) => project_id ?? []))) {
    const project = await findProjectRow(trx, actor.workspace.id, from)
    if (project)
      leaving.push({ project, members: joining.filter((application) => application.project_id === from) })
  }
  if (leaving.length > 0 && !move) throw inAnotherProject(leaving)
  for (const { project, members } of leaving) await note(trx, actor, project, 'project.detached', members)
}

interface Leaving {
  project: ProjectRow
  members: Member[]
}

function inAnotherProject(leaving: readonly Leaving[]) {
  const where = leaving.map(({ project, members }) => {
    const names = members.map(({ name }) => name)
    const several = names.length > 1
    return `application${several ? 's' : ''} ${formatList(names)} ${several ? 'are' : 'is'} in project ${project.name}`
  })
  const sentence = formatList(where).replace(/^a/, 'A')
  return conflict(
    'in_another_project',
    `${sentence}. An application can be in one project only: remove it there first, or choose to move it.`,
  )
}

async function note(
  trx: Trx,
  actor: Actor,
  project: ProjectRow,
  type: 'project.attached' | 'project.detached',
  members: readonly { name: string }[],
): Promise<void> {
  if (members.length === 0) return
  const names = members.map(({ name }) => name)
  await emit(trx, actor, actor.workspace.id, type, projectTarget(project), summarizeNames(names))
}
