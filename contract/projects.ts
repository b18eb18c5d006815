import { z } from 'zod'
import { variable, variables } from './shared/application-fields.ts'
import { endpoint } from './endpoint.ts'
import { givenId, id, name, text, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'

/** The worst that is seen of its applications and servers; `empty` where it has none. */
export const projectStates = ['failed', 'degraded', 'unknown', 'running', 'stopped', 'empty'] as const

const counted = z.object({
  total: z.number().int(),
  well: z.number().int().meta({ description: 'Applications that run, servers that are ready.' }),
})

export const project = z.object({
  id: id('project'),
  name: z.string(),
  description: z.string(),
  state: z.enum(projectStates),
  reason: z.string().nullable().meta({ description: 'Why it is in this state, where that needs a word.' }),
  applications: counted,
  servers: counted,
  variables: z.number().int().meta({ description: 'How many its applications inherit.' }),
  network: z.boolean().meta({
    description:
      'Whether its applications on the same server reach each other over a network of the project, by their host names.',
  }),
  created_at: time,
})

export const projectVariable = z.object({
  id: id('projectVariable'),
  key: z.string(),
  value: z
    .string()
    .nullable()
    .meta({ description: 'Null for who may not read it, and when it was not asked for.' }),
  updated_at: time,
})

const params = z.object({ id: givenId('project') })
const ofVariable = params.extend({ env_id: givenId('projectVariable') })
const reply = z.object({ project })
const fields = {
  name: name(),
  description: text(500).trim(),
}
const manyVariables = z.object({ env: z.array(projectVariable) })

const members = {
  applications: z.array(givenId('application')).max(200, { error: 'Must be at most 200.' }).default([]),
  servers: z.array(givenId('server')).max(200, { error: 'Must be at most 200.' }).default([]),
}
const areSome = ({ applications, servers }: { applications: unknown[]; servers: unknown[] }) =>
  applications.length + servers.length > 0
const none = { error: 'Name at least one application or server.', path: ['applications'] }

export const listProjects = endpoint('GET /v1/projects', {
  access: 'projects.read',
  resource: 'filtered',
  summary: 'The projects of the workspace with their state',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: listOf('projects', project),
})

export const createProject = endpoint('POST /v1/projects', {
  access: 'projects.manage',
  summary: 'Make a project',
  body: z.strictObject({ name: fields.name, description: fields.description.default('') }),
  reply,
  status: 201,
  idempotent: true,
})

export const getProject = endpoint('GET /v1/projects/{id}', {
  access: 'projects.read',
  resource: 'project',
  summary: 'A project with its state',
  params,
  reply,
})

export const updateProject = endpoint('PUT /v1/projects/{id}', {
  access: 'projects.manage',
  resource: 'project',
  summary: 'Change the name or the description of a project, or turn its network on or off',
  params,
  body: z
    .strictObject({
      ...fields,
      network: z.boolean().meta({
        description: 'Each application joins or leaves the network with its next deployment.',
      }),
    })
    .partial()
    .refine((body) => Object.keys(body).length > 0, { error: 'Name something to change.' }),
  reply,
})

export const deleteProject = endpoint('DELETE /v1/projects/{id}', {
  access: 'projects.manage',
  resource: 'project',
  summary: 'Delete a project and its variables. Its applications and servers stay',
  params,
  reply: success,
})

export const attachToProject = endpoint('POST /v1/projects/{id}/attach', {
  access: 'projects.manage',
  summary: 'Put applications and servers into a project: all of them or none',
  params,
  body: z
    .strictObject({
      ...members,
      move: z.boolean().default(false).meta({
        description: 'Whether an application may be taken out of another project; else that is 409.',
      }),
    })
    .refine(areSome, none),
  reply,
})

export const detachFromProject = endpoint('POST /v1/projects/{id}/detach', {
  access: 'projects.manage',
  open: true,
  summary: 'Take applications and servers out of a project; those that are not in it are left as they are',
  params,
  body: z.strictObject(members).refine(areSome, none),
  reply,
})

export const listProjectVariables = endpoint('GET /v1/projects/{id}/env', {
  access: 'projects.read',
  resource: 'project',
  summary: 'The variables that its applications inherit; values only for who may change them',
  params,
  query: z.strictObject({ values: z.stringbool().default(true) }),
  reply: manyVariables,
})
export const createProjectVariable = endpoint('POST /v1/projects/{id}/env', {
  access: 'projects.manage',
  resource: 'project',
  summary: 'Add a variable, which its applications get with their next deployment',
  params,
  body: variable,
  reply: z.object({ env: projectVariable }),
  status: 201,
})
export const replaceProjectVariables = endpoint('PUT /v1/projects/{id}/env', {
  access: 'projects.manage',
  resource: 'project',
  summary: 'Replace all variables: a list, or text with KEY=value a line',
  params,
  body: z.strictObject({ env: variables }),
  reply: manyVariables,
})
export const updateProjectVariable = endpoint('PUT /v1/projects/{id}/env/{env_id}', {
  access: 'projects.manage',
  resource: 'project',
  summary: 'Change a variable',
  params: ofVariable,
  body: variable,
  reply: z.object({ env: projectVariable }),
})
export const deleteProjectVariable = endpoint('DELETE /v1/projects/{id}/env/{env_id}', {
  access: 'projects.manage',
  resource: 'project',
  summary: 'Remove a variable',
  params: ofVariable,
  reply: success,
})
