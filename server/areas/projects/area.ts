import type { Area } from '../../area.ts'
import * as contract from '../../../contract/projects.ts'
import { route, successReply } from '../../route.ts'
import { entryUseCases } from '../applications/entries/entry-list.ts'
import { getProjectMap } from './map.ts'
import { attachToProject, detachFromProject } from './members.ts'
import { createProject, deleteProject, getProject, listProjects, updateProject } from './project.ts'
import { listProjectVariables, projectVariables } from './variables.ts'

const variableEntries = entryUseCases(projectVariables)

const routes = [
  route(contract.listProjectVariables, async (ctx, { caller, params, query }) => ({
    env: await listProjectVariables(ctx, caller, params.id, query.values),
  })),
  route(contract.createProjectVariable, async (ctx, { caller, params, body }) => ({
    env: await variableEntries.create(ctx, caller, params.id, body),
  })),
  route(contract.replaceProjectVariables, async (ctx, { caller, params, body }) => ({
    env: await variableEntries.replace(ctx, caller, params.id, body.env),
  })),
  route(contract.updateProjectVariable, async (ctx, { caller, params, body }) => ({
    env: await variableEntries.update(ctx, caller, params.id, params.env_id, body),
  })),
  route(contract.deleteProjectVariable, async (ctx, { caller, params }) => {
    await variableEntries.delete(ctx, caller, params.id, params.env_id)
    return successReply
  }),
  route(contract.listProjects, (ctx, { caller, query }) => listProjects(ctx, caller, query)),
  route(contract.createProject, async (ctx, { caller, body }) => ({
    project: await createProject(ctx, caller, body),
  })),
  route(contract.getProject, async (ctx, { caller, params }) => ({
    project: await getProject(ctx, caller, params.id),
  })),
  route(contract.getProjectMap, async (ctx, { caller, params }) => ({
    map: await getProjectMap(ctx, caller, params.id),
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
]

export const projectsArea: Area = {
  name: 'projects',
  routes,
}
