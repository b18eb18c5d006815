import type { Area } from '../../area.ts'
import * as contract from '../../../contract/projects.ts'
import { route, successReply } from '../../route.ts'
import {
  createEntry,
  deleteEntry,
  findWrittenEntry,
  replaceEntries,
  updateEntry,
} from '../applications/entries/entry-list.ts'
import { attachToProject, detachFromProject } from './members.ts'
import { createProject, deleteProject, getProject, listProjects, updateProject } from './project.ts'
import { listProjectVariables, presentProjectVariable, projectVariables } from './variables.ts'

const ofVariables = [
  route(contract.listProjectVariables, async (ctx, { caller, params, query }) => ({
    env: await listProjectVariables(ctx, caller, params.id, query.values),
  })),
  route(contract.createProjectVariable, async (ctx, { caller, params, body }) => {
    const { rows } = await createEntry(ctx, caller, params.id, projectVariables, body)
    return { env: presentProjectVariable(ctx, findWrittenEntry(projectVariables, rows, body)) }
  }),
  route(contract.replaceProjectVariables, async (ctx, { caller, params, body }) => {
    const { rows } = await replaceEntries(ctx, caller, params.id, projectVariables, body.env)
    return { env: rows.map((row) => presentProjectVariable(ctx, row)) }
  }),
  route(contract.updateProjectVariable, async (ctx, { caller, params, body }) => {
    const { rows } = await updateEntry(ctx, caller, params.id, projectVariables, params.env_id, body)
    return { env: presentProjectVariable(ctx, findWrittenEntry(projectVariables, rows, body)) }
  }),
  route(contract.deleteProjectVariable, async (ctx, { caller, params }) => {
    await deleteEntry(ctx, caller, params.id, projectVariables, params.env_id)
    return successReply
  }),
]

const routes = [
  route(contract.listProjects, (ctx, { caller, query }) => listProjects(ctx, caller, query)),
  route(contract.createProject, async (ctx, { caller, body }) => ({
    project: await createProject(ctx, caller, body),
  })),
  route(contract.getProject, async (ctx, { caller, params }) => ({
    project: await getProject(ctx, caller, params.id),
  })),
  route(contract.updateProject, async (ctx, { caller, params, body }) => ({
    project: await updateProject(ctx, caller, params.id, body),
  })),
  route(contract.deleteProject, async (ctx, { caller, params }) => {
    await deleteProject(ctx, caller, params.id)
    return successReply
  }),
  route(contract.attachToProject, async (ctx, { caller, params, body }) => ({
    project: await attachToProject(ctx, caller, params.id, body),
  })),
  route(contract.detachFromProject, async (ctx, { caller, params, body }) => ({
    project: await detachFromProject(ctx, caller, params.id, body),
  })),
  ...ofVariables,
]

export const projectsArea: Area = {
  name: 'projects',
  routes,
}
