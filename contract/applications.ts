import { z } from 'zod'
import { labels, ports, runtime, variables, volumes } from './shared/application-fields.ts'
import { composeText, deploymentPlan, firstRevision, profiles } from './compose.ts'
import { container } from './containers.ts'
import { domainFields } from './domains.ts'
import { endpoint } from './endpoint.ts'
import { id, idInput, reference } from './shared/ids.ts'
import { name, text, time } from './shared/text-fields.ts'
import { changes, pagedList, pageQuery, success } from './shared/replies.ts'
import { commit, repositoryFields, repositorySettings } from './shared/repository-fields.ts'
import { imageName } from './images.ts'

/** Observed states, not desired ones. `unknown`: the server is unreachable. */
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
  reason: z.string().nullable().describe('Explains the state, if it needs an explanation.'),
  source: z.object({
    type: z.string().describe('`github` or `docker_image`; any other value means compose.'),
    image: z.string().nullable().describe('Only for `docker_image`.'),
    services: z
      .array(z.string())
      .nullable()
      .describe('Service names of the compose file; null for other sources.'),
    profiles: z.array(z.string()),
    repository: z
      .object({ name: z.string(), branch: z.string(), url: z.string() })
      .nullable()
      .describe('Only for `github`.'),
  }),
  server: reference('server'),
  project: reference('project').nullable(),
  address: z.string().nullable().describe('URL of the first domain.'),
  containers: z.object({
    running: z.int().describe('Healthy containers.'),
    routed: z.int().describe('Those that a domain or port routes to.'),
    wanted: z.int(),
  }),
  changed: z.boolean().describe('Whether the configuration differs from the live release.'),
  release: z
    .object({
      id: id('release'),
      number: z.int(),
      image: z.string().describe('The configured image may differ.'),
      older: z.boolean().describe('Whether a newer release was live before.'),
      commit: commit.nullable().describe('Commit that the image was built from.'),
    })
    .nullable()
    .describe('The live release.'),
  deployment: z
    .object({
      id: id('deployment'),
      type: z.string(),
      status: z.string(),
      cancelling: z.boolean(),
      died: z.boolean().describe('Its release crashed soon afterwards.'),
      created_at: time,
    })
    .nullable()
    .describe('The deployment in progress, or the latest one.'),
  created_at: time,
})

export const applicationDetails = application.extend({
  masked: z
    .boolean()
    .describe(
      'Whether the command, build argument values and an edited Dockerfile are hidden from your role because they may contain secrets.',
    ),
  repository: repositorySettings.nullable().describe('Only for `github`.'),
  ...plain,
  health,
  auto_rollback: z.boolean().describe('Roll back if a release crashes within 5 minutes.'),
  maintenance: z.boolean().describe('Whether visitors see a maintenance page.'),
  drift: z.array(z.string()).describe('Manual changes found on the server, one sentence each.'),
  proxy_error: z.string().nullable().describe('Why its domains and ports are not routed as configured.'),
})

const imageSource = z.strictObject({ type: z.literal('docker_image'), image: imageName })
const githubSource = z.strictObject({ type: z.literal('github'), ...repositoryFields })
const composeSource = z.strictObject({
  type: text(50, 1).regex(/^(?!github$|docker_image$)[a-z][a-z0-9_-]*$/, {
    error: 'Must be github, docker_image or compose.',
  }),
  compose: composeText,
  profiles: profiles.default([]),
})

/** Any type other than `docker_image` and `github` is a compose file. */
const source = z.union([imageSource, githubSource, composeSource], {
  error: ({ input }) =>
    input === undefined
      ? 'Is required.'
      : 'Must be an image of type docker_image, a repository of type github, or a compose file of type compose.',
})

export const applicationParams = z.object({ id: idInput('application') })
const reply = z.object({ application: applicationDetails })
const settings = {
  ...runtime,
  auto_rollback: z.boolean(),
  maintenance: z.boolean(),
}

const applicationInput = z.strictObject({
  name: name(),
  source,
  server_id: idInput('server'),
  project_id: idInput('project').optional(),
  env: variables.default([]),
  labels: labels.default([]),
  volumes: volumes.default([]),
  ports: ports.default([]),
  domains: z
    .array(z.strictObject(domainFields))
    .max(20, { error: 'Must be at most 20 domains.' })
    .default([]),
  generated_address: z.boolean().default(true).describe('Whether to generate a URL.'),
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
  summary: 'List applications',
  query: z.strictObject({
    ...pageQuery,
    q: text(100).optional(),
    server_id: idInput('server').optional(),
    project_id: idInput('project').optional(),
  }),
  reply: pagedList('applications', application),
})

export const createApplication = endpoint('POST /v1/applications', {
  access: 'applications.manage',
  summary: 'Create an application. Env, labels, volumes and ports are lists, or text with one entry per line',
  body: applicationInput,
  reply: reply.extend({ revision: firstRevision }),
  status: 201,
  idempotent: true,
})

export const reviewApplication = endpoint('POST /v1/applications/review', {
  access: 'applications.manage',
  open: true,
  summary: 'Preview creating and deploying an application without creating it',
  body: applicationInput,
  reply: z.object({
    review: z.object({
      steps: z.array(z.string()).describe('Steps of the creation and first deployment, in order.'),
      warnings: z.array(z.string()),
      problems: z.record(z.string(), z.array(z.string())).describe('Validation errors by field.'),
      generated_address: z.string().nullable().describe('Generated host; null if none is available.'),
      plan: deploymentPlan.nullable().describe('Only for compose.'),
    }),
  }),
})

export const getApplication = endpoint('GET /v1/applications/{id}', {
  access: 'applications.read',
  resource: 'application',
  summary: 'Get an application with its settings and state',
  params: applicationParams,
  reply,
})

export const updateApplication = endpoint('PUT /v1/applications/{id}', {
  access: 'applications.manage',
  resource: 'application',
  summary:
    'Update an application. Name and maintenance apply immediately, other settings with the next deployment',
  params: applicationParams,
  body: changes({ name: name(), source, ...settings }),
  reply,
})

export const deleteApplication = endpoint('DELETE /v1/applications/{id}', {
  access: 'applications.manage',
  resource: 'application',
  summary:
    'Delete an application with its containers, domains, releases and deployments. Volumes are kept unless listed',
  params: applicationParams,
  query: z.strictObject({
    volumes: text(10_000)
      .optional()
      .describe('Names of volumes to delete with their data, separated by commas.'),
    folder: z.stringbool().default(false).describe('Whether to delete the folder of its compose file.'),
    leave: z
      .stringbool()
      .default(false)
      .describe('Forget it while its server is unreachable; containers stay.'),
  }),
  reply: success,
})

export const listApplicationContainers = endpoint('GET /v1/applications/{id}/containers', {
  access: 'applications.read',
  resource: 'application',
  summary: 'List the containers of an application, newest release first',
  params: applicationParams,
  reply: z.object({
    containers: z.array(
      container.extend({
        role: z
          .enum(['starting', 'serving', 'held', 'draining', 'stopped', 'left'])
          .describe('Role of the container; `left` marks an orphaned container.'),
        release: z.int().nullable(),
      }),
    ),
  }),
})

export const listBranches = endpoint('GET /v1/github/branches/{id}', {
  access: 'applications.read',
  resource: 'application',
  summary: 'List the branches of the repository of an application; empty for other sources',
  params: applicationParams,
  reply: z.object({ branches: z.array(z.string()) }),
})
