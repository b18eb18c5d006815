import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import { emit } from '../../events.ts'
import { formatList } from '../../../contract/shared/format-list.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { summarizeNames } from '../applications/application.ts'
import { findProjectRow, listServerIds, type ProjectRow, setProject } from './store.ts'
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
    const rows = added.map((server) => ({
      workspace_id: actor.workspace.id,
      project_id: id,
      server_id: server.id,
    }))
    if (rows.length > 0) await trx.insertInto('project_servers').values(rows).execute()
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
    await trx
      .deleteFrom('project_servers')
      .where('workspace_id', '=', actor.workspace.id)
      .where('project_id', '=', id)
      .where('server_id', '=', sql<Id<'server'>>`any(${toIds(removed)})`)
      .execute()
    await note(trx, actor, project, 'project.detached', [...leaving, ...removed])
    return project
  })
  return presentProject(ctx, actor, project)
}

const toIds = <I>(rows: readonly { id: I }[]): I[] => rows.map(({ id }) => id)

async function getMembers(trx: Trx, actor: Actor, input: Members) {
  const applications: Member[] = await trx
    .selectFrom('applications')
    .select(['id', 'name', 'project_id'])
    .where('workspace_id', '=', actor.workspace.id)
    .where('id', '=', sql<Id<'application'>>`any(${input.applications})`)
    .where('deleting_at', 'is', null)
    // Lock in the order of IDs, so that concurrent transactions do not deadlock.
    .orderBy('id')
    .forUpdate()
    .execute()
  if (applications.length < new Set(input.applications).size)
    throw notFound(input.applications.length > 1 ? 'One of these applications' : 'This application')
  const servers = await trx
    .selectFrom('servers')
    .select(['id', 'name'])
    .where('workspace_id', '=', actor.workspace.id)
    .where('id', '=', sql<Id<'server'>>`any(${input.servers})`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  if (servers.length < new Set(input.servers).size)
    throw notFound(input.servers.length > 1 ? 'One of these servers' : 'This server')
  return { applications, servers }
}

interface Member {
  id: Id<'application'>
  name: string
  project_id: Id<'project'> | null
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
