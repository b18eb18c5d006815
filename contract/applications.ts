import { z } from 'zod'
import { labels, ports, runtime, variables, volumes } from './shared/application-fields.ts'
import { source } from './shared/application-source.ts'
import { firstRevision, plan } from './compose.ts'
import { container } from './containers.ts'
import { domainFields } from './domains.ts'
import { endpoint } from './endpoint.ts'
import { givenId, id, name, text, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'
import { commit, repositorySettings } from './shared/repository-fields.ts'

/** What is observed, not what was wanted. `unknown`: nobody can say, since the server is not reached. */
export const applicationStates = [
  'failed',
  'degraded',
  'unknown',
  'running',
  'stopped',
  'never_deployed',
] as const

const { health, ...plain } = runtime

export const application = z.object({
  id: id('application'),
  name: z.string(),
  state: z.enum(applicationStates),
  reason: z.string().nullable().meta({ description: 'Why it is in this state, where that needs a word.' }),
  source: z.object({
    type: z.string().meta({ description: '`github`, `docker_image`; any other means compose.' }),
    image: z.string().nullable().meta({ description: 'Of `docker_image`.' }),
    services: z.array(z.string()).nullable().meta({ description: 'Of compose: the names in its file.' }),
    profiles: z.array(z.string()),
    repository: z
      .object({ name: z.string(), branch: z.string(), url: z.string() })
      .nullable()
      .meta({ description: 'Of `github`.' }),
  }),
  server: z.object({ id: id('server'), name: z.string() }),
  project: z.object({ id: id('project'), name: z.string() }).nullable(),
  address: z
    .string()
    .nullable()
    .meta({ description: 'Where it is reached: the first of its addresses, as a URL.' }),
  containers: z.object({
    running: z.number().int().meta({ description: 'Those that are to run and are well.' }),
    routed: z
      .number()
      .int()
      .meta({ description: 'How many of those an address or a published port leads to.' }),
    wanted: z.number().int(),
  }),
  changed: z.boolean().meta({ description: 'Whether it is configured otherwise than what runs.' }),
  release: z
    .object({
      id: id('release'),
      number: z.number().int(),
      image: z.string().meta({ description: 'As it was asked for; what is configured may be another.' }),
      older: z
        .boolean()
        .meta({ description: 'Whether somebody went back to it: a later one took the traffic before.' }),
      commit: commit.nullable().meta({ description: 'What it was built from.' }),
    })
    .nullable()
    .meta({ description: 'The one that takes the traffic.' }),
  deployment: z
    .object({
      id: id('deployment'),
      type: z.string(),
      status: z.string(),
      cancelling: z.boolean(),
      died: z.boolean().meta({ description: 'It was completed, and what it brought died soon after.' }),
      created_at: time,
    })
    .nullable()
    .meta({ description: 'The one that runs, else the latest.' }),
  created_at: time,
})

export const applicationDetails = application.extend({
  masked: z.boolean().meta({
    description:
      'Whether its command, values of build arguments and an edited Dockerfile are withheld from your role, as they may hold secrets.',
  }),
  repository: repositorySettings.nullable().meta({ description: 'Of `github`.' }),
  ...plain,
  health,
  auto_rollback: z
    .boolean()
    .meta({ description: 'Whether it goes back by itself when it dies within 5 minutes.' }),
  maintenance: z.boolean().meta({ description: 'Whether visitors see a page that says so instead.' }),
  drift: z
    .array(z.string())
    .meta({ description: 'What somebody changed by hand on the server, as sentences.' }),
  proxy_error: z
    .string()
    .nullable()
    .meta({ description: 'Why its domains and ports do not lead to it as they should, where they do not.' }),
})

const params = z.object({ id: givenId('application') })
const reply = z.object({ application: applicationDetails })
const settings = {
  ...runtime,
  auto_rollback: z.boolean(),
  maintenance: z.boolean(),
}

const given = z.strictObject({
  name: name(),
  source,
  server_id: givenId('server'),
  project_id: givenId('project').optional(),
  env: variables.default([]),
  labels: labels.default([]),
  volumes: volumes.default([]),
  ports: ports.default([]),
  domains: z
    .array(z.strictObject(domainFields))
    .max(20, { error: 'Must be at most 20 domains.' })
    .default([]),
  generated_address: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether it gets an address that works without anything set at a DNS.' }),
  command: settings.command.default(null),
  port: settings.port.default(null),
  health: settings.health.default({ type: 'auto', path: '/', within_seconds: 60 }),
  memory_limit: settings.memory_limit.default(null),
  cpu_limit: settings.cpu_limit.default(null),
  replicas: settings.replicas.default(1),
  restart: settings.restart.default('always'),
  stop_seconds: settings.stop_seconds.default(10),
  drain_seconds: settings.drain_seconds.default(30),
  stop_first: settings.stop_first.default(false),
  auto_rollback: settings.auto_rollback.default(false),
})

export const listApplications = endpoint('GET /v1/applications', {
  access: 'applications.read',
  resource: 'filtered',
  summary: 'The applications of the workspace',
  query: z.strictObject({
    ...pageQuery,
    q: text(100).optional(),
    server_id: givenId('server').optional(),
    project_id: givenId('project').optional(),
  }),
  reply: listOf('applications', application),
})

export const createApplication = endpoint('POST /v1/applications', {
  access: 'applications.manage',
  summary: 'Make an application. Env, labels, volumes and ports are lists, or text with one entry a line',
  body: given,
  reply: reply.extend({ revision: firstRevision }),
  status: 201,
  idempotent: true,
})

export const reviewApplication = endpoint('POST /v1/applications/review', {
  access: 'applications.manage',
  open: true,
  summary: 'What making and deploying it would do; nothing is made',
  body: given,
  reply: z.object({
    review: z.object({
      steps: z.array(z.string()).meta({ description: 'What will happen, in order.' }),
      warnings: z.array(z.string()),
      problems: z
        .record(z.string(), z.array(z.string()))
        .meta({ description: 'What stands against it, by field.' }),
      generated_address: z
        .string()
        .nullable()
        .meta({ description: 'The host that it would get by itself; null where there can be none.' }),
      plan: plan.nullable().meta({ description: 'Of a compose file: what happens with each service.' }),
    }),
  }),
})

export const getApplication = endpoint('GET /v1/applications/{id}', {
  access: 'applications.read',
  resource: 'application',
  summary: 'An application with its settings and its state',
  params,
  reply,
})

export const updateApplication = endpoint('PUT /v1/applications/{id}', {
  access: 'applications.manage',
  resource: 'application',
  summary:
    'Change an application. Name and maintenance take effect at once, the rest with the next deployment',
  params,
  body: z
    .strictObject({ name: name(), source, ...settings })
    .partial()
    .refine((body) => Object.keys(body).length > 0, { error: 'Name something to change.' }),
  reply,
})

export const deleteApplication = endpoint('DELETE /v1/applications/{id}', {
  access: 'applications.manage',
  resource: 'application',
  summary:
    'Delete an application: its containers, routes, releases and deployments. Volumes stay, but for those that are named',
  params,
  query: z.strictObject({
    volumes: text(10_000)
      .optional()
      .meta({ description: 'Names of its volumes that are deleted with all that is in them, with commas.' }),
    folder: z
      .stringbool()
      .default(false)
      .meta({ description: 'Whether the folder of its compose file goes, with all that is in it.' }),
    leave: z
      .stringbool()
      .default(false)
      .meta({ description: 'Forget it although its server is not reached; what is there stays there.' }),
  }),
  reply: success,
})

export const listApplicationContainers = endpoint('GET /v1/applications/{id}/containers', {
  access: 'applications.read',
  resource: 'application',
  summary: 'Its containers as Docker sees them, the newest release first',
  params,
  reply: z.object({
    containers: z.array(
      container.extend({
        role: z
          .enum(['starting', 'serving', 'held', 'draining', 'stopped', 'left'])
          .meta({ description: 'Its part in the application; `left` is one that nobody needs any longer.' }),
        release: z.number().int().nullable(),
      }),
    ),
  }),
})

export const listBranches = endpoint('GET /v1/github/branches/{id}', {
  access: 'applications.read',
  resource: 'application',
  summary: 'The branches of the repository that an application is made from; none where it has no repository',
  params,
  reply: z.object({ branches: z.array(z.string()) }),
})

export const applicationParams = params
