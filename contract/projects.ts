import { z } from 'zod'
import { application } from './applications.ts'
import { serviceStates } from './compose.ts'
import { serverStatuses } from './servers.ts'
import { variable, variables } from './shared/application-fields.ts'
import { endpoint } from './endpoint.ts'
import { idInput, id } from './shared/ids.ts'
import { name, text, time } from './shared/text-fields.ts'
import { changes, pagedList, pageQuery, success } from './shared/replies.ts'

/** The most severe state of the applications and servers in the project; `empty` without any. */
export const projectStates = ['failed', 'degraded', 'unknown', 'running', 'stopped', 'empty'] as const

const counted = z.object({
  total: z.int(),
  healthy: z.int().describe('Number of running applications or ready servers.'),
})

export const project = z.object({
  id: id('project'),
  name: z.string(),
  description: z.string(),
  state: z.enum(projectStates),
  reason: z
    .string()
    .nullable()
    .describe('Explanation of the state, such as which server is unreachable; null if none is needed.'),
  applications: counted,
  servers: counted,
  variables: z.int().describe('Number of variables that its applications inherit.'),
  network: z
    .boolean()
    .describe(
      'Whether applications on the same server reach each other over the project network by host name.',
    ),
  created_at: time,
})

export const projectVariable = z.object({
  id: id('projectVariable'),
  key: z.string(),
  value: z.string().nullable().describe('Null unless values are requested and your role can read them.'),
  updated_at: time,
})

const params = z.object({ id: idInput('project') })
const ofVariable = params.extend({ env_id: idInput('projectVariable') })
const reply = z.object({ project })
const fields = {
  name: name(),
  description: text(500).trim(),
}
const manyVariables = z.object({ env: z.array(projectVariable) })

const members = {
  applications: z
    .array(idInput('application'))
    .max(200, { error: 'Must have at most 200 entries.' })
    .default([]),
  servers: z.array(idInput('server')).max(200, { error: 'Must have at most 200 entries.' }).default([]),
}
const areSome = ({ applications, servers }: { applications: unknown[]; servers: unknown[] }) =>
  applications.length + servers.length > 0
const none = { error: 'Specify at least one application or server.', path: ['applications'] }

export const listProjects = endpoint('GET /v1/projects', {
  access: 'projects.read',
  resource: 'filtered',
  summary: 'List projects with their state',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: pagedList('projects', project),
})

export const createProject = endpoint('POST /v1/projects', {
  access: 'projects.manage',
  summary: 'Create a project',
  body: z.strictObject({ name: fields.name, description: fields.description.default('') }),
  reply,
  status: 201,
  idempotent: true,
})

export const getProject = endpoint('GET /v1/projects/{id}', {
  access: 'projects.read',
  resource: 'project',
  summary: 'Get a project with its state',
  params,
  reply,
})

const mapApplication = application.extend({
  domains: z.array(
    z.object({
      url: z.string(),
      service: z.string().describe('Service of the compose file; empty for other sources.'),
    }),
  ),
  services: z
    .array(
      z.object({
        name: z.string(),
        image: z.string(),
        state: z.enum(serviceStates),
        running: z.int(),
        wanted: z.int(),
      }),
    )
    .describe('Services of the live release of a compose application; empty for other sources.'),
})

export const getProjectMap = endpoint('GET /v1/projects/{id}/map', {
  access: 'projects.read',
  resource: 'project',
  summary: 'Get the applications and servers of a project with their connections',
  description:
    'References are found in environment variables and compose files. Values are not included. At most 200 applications.',
  params,
  reply: z.object({
    map: z.object({
      applications: z.array(mapApplication),
      more: z.int().describe('Number of applications that are not included.'),
      servers: z
        .array(z.object({ id: id('server'), name: z.string(), status: z.enum(serverStatuses) }))
        .describe('Servers of the project and of its applications.'),
      references: z.array(
        z.object({
          from: id('application').describe('Application whose configuration contains the host name.'),
          to: id('application'),
          service: z
            .string()
            .nullable()
            .describe('Service that the host name belongs to; null if it belongs to the whole application.'),
        }),
      ),
      networks: z
        .array(
          z.object({
            name: z.string(),
            kind: z.enum(['project', 'compose']),
            server_id: id('server'),
            applications: z.array(id('application')),
          }),
        )
        .describe('Docker networks that several applications on a server share.'),
    }),
  }),
})

export const updateProject = endpoint('PUT /v1/projects/{id}', {
  access: 'projects.manage',
  resource: 'project',
  summary: 'Update the name or description of a project, or turn its network on or off',
  params,
  body: changes({
    ...fields,
    network: z
      .boolean()
      .describe(
        'Whether the project network is enabled. Applications join or leave it on their next deployment.',
      ),
  }),
  reply,
})

export const deleteProject = endpoint('DELETE /v1/projects/{id}', {
  access: 'projects.manage',
  resource: 'project',
  summary: 'Delete a project and its variables',
  description: 'Applications and servers are kept.',
  params,
  reply: success,
})

export const attachToProject = endpoint('POST /v1/projects/{id}/attach', {
  access: 'projects.manage',
  summary: 'Add applications and servers to a project',
  description: 'Either all are added or none.',
  params,
  body: z
    .strictObject({
      ...members,
      move: z
        .boolean()
        .default(false)
        .describe(
          'Whether to move applications that are in other projects. By default, the request fails with 409.',
        ),
    })
    .refine(areSome, none),
  reply,
})

export const detachFromProject = endpoint('POST /v1/projects/{id}/detach', {
  access: 'projects.manage',
  open: true,
  summary: 'Remove applications and servers from a project',
  description: 'Applications and servers that are not in the project are ignored.',
  params,
  body: z.strictObject(members).refine(areSome, none),
  reply,
})

export const listProjectVariables = endpoint('GET /v1/projects/{id}/env', {
  access: 'projects.read',
  resource: 'project',
  summary: 'List the variables of a project',
  description: 'Reading values requires permission to manage projects.',
  params,
  query: z.strictObject({ values: z.stringbool().default(true) }),
  reply: manyVariables,
})
export const createProjectVariable = endpoint('POST /v1/projects/{id}/env', {
  access: 'projects.manage',
  resource: 'project',
  summary: 'Add a variable',
  description: 'Applications receive the variable on their next deployment.',
  params,
  body: variable,
  reply: z.object({ env: projectVariable }),
  status: 201,
})
export const replaceProjectVariables = endpoint('PUT /v1/projects/{id}/env', {
  access: 'projects.manage',
  resource: 'project',
  summary: 'Replace all variables',
  description:
    'Send a list, or the text of an `.env` file. Comments, `export`, quotes, escapes and multi-line values are read as in Docker Compose.',
  params,
  body: z.strictObject({ env: variables }),
  reply: manyVariables,
})
export const updateProjectVariable = endpoint('PUT /v1/projects/{id}/env/{env_id}', {
  access: 'projects.manage',
  resource: 'project',
  summary: 'Update a variable',
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
