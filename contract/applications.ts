import { z } from 'zod'
import { labels, ports, runtime, variables, volumes } from './shared/application-fields.ts'
import { deploymentPlan, firstRevision } from './compose.ts'
import { container } from './containers.ts'
import { domainFields } from './domains.ts'
import { endpoint } from './endpoint.ts'
import { id, idInput, reference } from './shared/ids.ts'
import { name, text, time } from './shared/text-fields.ts'
import { wholeNumber } from './shared/numbers.ts'
import { changes, pagedList, pageQuery, success } from './shared/replies.ts'
import { commit, repositorySettings } from './shared/repository-fields.ts'
import { source } from './shared/application-source.ts'

/** The observed state, not the desired one. `unknown`: the server is unreachable. */
export const applicationStates = [
  'failed',
  'crashing',
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
  reason: z.string().nullable().describe('Explanation of the state; null if it needs none.'),
  source: z.object({
    type: z.string().describe('`github` or `docker_image`; any other value means compose.'),
    image: z.string().nullable().describe('Image name; null unless the type is `docker_image`.'),
    services: z
      .array(z.string())
      .nullable()
      .describe('Service names of the compose file; null for other sources.'),
    profiles: z.array(z.string()),
    repository: z
      .object({ name: z.string(), branch: z.string(), url: z.string() })
      .nullable()
      .describe('Repository; null unless the type is `github`.'),
  }),
  logo: z.string().nullable().describe('Logo of the template that the application was created from.'),
  favicon: z
    .string()
    .nullable()
    .describe('Path of the favicon, which can be fetched without a token; null if there is none.'),
  server: reference('server'),
  project: reference('project').nullable(),
  address: z.string().nullable().describe('URL of the first domain.'),
  containers: z.object({
    restarts: z.int().describe('How often Docker restarted the crashing containers; 0 if none is crashing.'),
    running: z.int().describe('Number of healthy containers.'),
    routed: z.int().describe('Containers that receive traffic from a domain or published port.'),
    wanted: z.int(),
  }),
  usage: z
    .object({ cpu: z.number(), memory_used: z.int() })
    .nullable()
    .describe('CPU cores and bytes of memory that the containers use now; null while unknown.'),
  changed: z.boolean().describe('Whether the configuration differs from the live release.'),
  release: z
    .object({
      id: id('release'),
      number: z.int(),
      image: z.string().describe('Image of the live release. May differ from the configured image.'),
      older: z.boolean().describe('Whether the live release is older than a release that was live before.'),
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
      crashed: z.boolean().describe('Whether the release crashed shortly after going live.'),
      actor: z.object({ name: z.string() }),
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
  repository: repositorySettings.nullable().describe('Repository; null unless the type is `github`.'),
  ...plain,
  health,
  auto_rollback: z.boolean().describe('Whether to roll back when a new release crashes within 5 minutes.'),
  log_days: z.int().describe('Days to keep the logs of removed containers; 0 to save none.'),
  log_megabytes: z.int().describe('Maximum size of all saved logs, in MB. The oldest are deleted first.'),
  maintenance: z.boolean().describe('Whether the proxy shows a maintenance page instead of the application.'),
  crashed_release: z
    .object({ number: z.int(), image: z.string() })
    .nullable()
    .describe(
      'Release that crashed and was rolled back, if the current configuration is the same, so the next deployment would probably crash too; otherwise null.',
    ),
  drift: z.array(z.string()).describe('Manual changes found on the server, one sentence each.'),
  proxy_error: z.string().nullable().describe('Why domains or ports are not routed; null if they are.'),
})

export const applicationParams = z.object({ id: idInput('application') })
const reply = z.object({ application: applicationDetails })
const settings = {
  ...runtime,
  auto_rollback: z.boolean(),
  log_days: wholeNumber(0, 90),
  log_megabytes: wholeNumber(1, 200),
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
    .max(20, { error: 'Must have at most 20 domains.' })
    .default([]),
  generated_address: z.boolean().default(true).describe('Whether to generate a URL.'),
  command: settings.command.default(null),
  port: settings.port.default(null),
  health: settings.health.default({ type: 'auto', path: '/', within_seconds: 60 }),
  memory_limit: settings.memory_limit.default(null),
  cpu_limit: settings.cpu_limit.default(null),
  replicas: settings.replicas.default(1),
  restart: settings.restart.default('always'),
  stop_grace_seconds: settings.stop_grace_seconds.default(10),
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
  summary: 'Create an application',
  description: 'Send `env`, `labels`, `volumes` and `ports` as lists, or as text with one entry per line.',
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
      generated_address: z.string().nullable().describe('Generated host name; null if none is available.'),
      plan: deploymentPlan.nullable().describe('Plan of the first deployment; only for compose.'),
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
  summary: 'Update an application',
  description: '`name` and `maintenance` apply immediately, other changes on the next deployment.',
  params: applicationParams,
  body: changes({ name: name(), source, ...settings }),
  reply,
})

export const deleteApplication = endpoint('DELETE /v1/applications/{id}', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Delete an application',
  description: 'Also deletes its containers, domains, releases and deployments. Volumes are kept by default.',
  params: applicationParams,
  query: z.strictObject({
    volumes: text(10_000)
      .optional()
      .describe('Names of volumes to delete with their data, separated by commas.'),
    folder: z.stringbool().default(false).describe('Whether to delete the application folder on the server.'),
    leave: z
      .stringbool()
      .default(false)
      .describe('Whether to delete even if the server is unreachable. The containers then keep running.'),
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
          .describe('Role of the container. `left`: orphaned.'),
        release: z.int().nullable(),
      }),
    ),
  }),
})

export const listBranches = endpoint('GET /v1/github/branches/{id}', {
  access: 'applications.read',
  resource: 'application',
  summary: 'List the branches of the repository of an application',
  description: 'The list is empty for applications without a repository.',
  params: applicationParams,
  reply: z.object({ branches: z.array(z.string()) }),
})
