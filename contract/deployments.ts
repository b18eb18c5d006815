import { z } from 'zod'
import { serviceActions } from './compose.ts'
import { endpoint } from './endpoint.ts'
import { idInput, id, reference } from './shared/ids.ts'
import { timeInput, text, time } from './shared/text-fields.ts'
import { outputEvent, pagedList, pageQuery } from './shared/replies.ts'
import { commit } from './shared/repository-fields.ts'

export const deploymentTypes = [
  'deploy_application',
  'build_application',
  'rollback_application',
  'restart_application',
  'start_application',
  'stop_application',
] as const
export const deploymentStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

export const stepNames = ['check', 'fetch', 'build', 'start', 'wait', 'switch', 'drain', 'prune'] as const
export const stepStatuses = ['waiting', 'running', 'completed', 'failed', 'undone', 'skipped'] as const

export const step = z.object({
  name: z.enum(stepNames),
  status: z.enum(stepStatuses),
  error: z.string().nullable(),
  started_at: time.nullable(),
  finished_at: time.nullable(),
})

export const deployment = z.object({
  id: id('deployment'),
  type: z.string(),
  status: z.string(),
  message: z.string().nullable(),
  data: z.object({
    tag: z.string().nullable(),
    logs: z.array(z.string()).describe('Log lines. Empty in lists.'),
    dropped_lines: z.int().describe('Number of lines dropped from the middle of a long log.'),
    deleted: z.boolean().describe('Whether the log was deleted because of its age.'),
  }),
  errors: z.array(z.string()),
  actor: z.object({ name: z.string() }),
  target: reference('application'),
  server: reference('server'),
  release: z.object({ id: id('release'), number: z.int() }).nullable(),
  commit: commit.nullable().describe('The commit that is built, for applications with a repository.'),
  steps: z.array(step),
  plan: z
    .array(z.object({ service: z.string(), action: z.enum(serviceActions), reasons: z.array(z.string()) }))
    .nullable()
    .describe('What the deployment does with each service of a compose file, once planned.'),
  waiting_for: z.string().nullable().describe('What a queued deployment is waiting for, as a sentence.'),
  cancellable: z.boolean(),
  cancelling: z.boolean().describe('Whether the deployment was canceled and is being reverted.'),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
})

export const release = z.object({
  id: id('release'),
  number: z.int(),
  image: z.string().describe('Image name as configured.'),
  digest: z.string().nullable().describe('Digest in the registry; null for local images.'),
  image_id: z.string(),
  services: z
    .array(z.object({ name: z.string(), image: z.string(), digest: z.string().nullable() }))
    .nullable()
    .describe('Services of a compose file; null otherwise.'),
  commit: commit
    .nullable()
    .describe('The commit that the image was built from, for applications with a repository.'),
  current: z.boolean().describe('Whether the release is live.'),
  deploying: z.boolean().describe('Whether the release is being deployed.'),
  image_available: z
    .boolean()
    .describe('Whether the image is still on the server, so that you can roll back to it.'),
  deployment_id: id('deployment').nullable(),
  actor: z
    .object({ name: z.string() })
    .nullable()
    .describe('Initiator of the first deployment of this release.'),
  created_at: time,
  live_at: time.nullable().describe('When the release last went live.'),
})

/** A difference between two configurations. Values of environment variables are never included. */
export const change = z.object({
  field: z.string().describe('Changed field, such as `image`, `env.DATABASE_URL` or `volumes./data`.'),
  kind: z.enum(['added', 'removed', 'changed']),
  from: z.string().nullable(),
  to: z.string().nullable(),
})

const params = z.object({ id: idInput('deployment') })
const applicationParams = z.object({ id: idInput('application') })
const reply = z.object({ deployment })

export const listDeployments = endpoint('GET /v1/deployments', {
  access: 'deployments.read',
  resource: 'filtered',
  summary: 'List deployments, newest first',
  query: z.strictObject({
    ...pageQuery,
    application_id: idInput('application').optional(),
    server_id: idInput('server').optional(),
    project_id: idInput('project').optional(),
    status: z.enum(deploymentStatuses).optional(),
    since: timeInput.optional(),
  }),
  reply: pagedList('deployments', deployment),
})

export const getDeployment = endpoint('GET /v1/deployments/{id}', {
  access: 'deployments.read',
  resource: 'deployment',
  summary: 'Get a deployment with its steps and log',
  params,
  query: z.strictObject({
    logs: z
      .stringbool()
      .default(true)
      .describe('Whether to include the log lines. Set to false if you stream the log.'),
  }),
  reply,
})

export const streamDeploymentLogs = endpoint('GET /v1/deployments/{id}/logs', {
  access: 'deployments.read',
  resource: 'deployment',
  summary: 'Stream the log of a deployment from the beginning, or after Last-Event-ID',
  params,
  query: z.strictObject({ token: text(200).optional() }),
  kind: 'events',
  reply: outputEvent,
})

export const cancelDeployment = endpoint('POST /v1/deployments/{id}/cancel', {
  access: 'applications.deploy',
  resource: 'deployment',
  open: true,
  summary: 'Cancel a deployment and revert its changes. Not possible once the new release is live',
  params,
  reply,
})

export const deployApplication = endpoint('POST /v1/applications/{id}/deploy', {
  access: 'applications.deploy',
  resource: 'application',
  summary: 'Deploy the current configuration of an application. Replaces a queued deployment',
  params: applicationParams,
  body: z.strictObject({
    revision: text(100)
      .optional()
      .describe(
        'The `revision` of a plan, or of a new application. The deployment is refused with `changed_since` if the configuration has changed since. Needed to approve host access (host mounts, privileged options, Railpack builds) that the live release does not have: without it, even admins may only deploy what is already approved.',
      ),
    rebuild: z.boolean().optional().describe('Build the repository without cache.'),
  }),
  reply,
  status: 202,
  idempotent: true,
})

export const rollBackApplication = endpoint('POST /v1/applications/{id}/rollback', {
  access: 'applications.deploy',
  resource: 'application',
  summary: 'Roll back to a release; defaults to the previous one',
  params: applicationParams,
  body: z.strictObject({ release_id: idInput('release').optional() }),
  reply,
  status: 202,
  idempotent: true,
})

export const restartApplication = endpoint('POST /v1/applications/{id}/restart', {
  access: 'applications.deploy',
  resource: 'application',
  summary:
    'Replace all containers with new ones of the live release, without downtime. Reverts manual changes',
  params: applicationParams,
  reply,
  status: 202,
  idempotent: true,
})

export const stopApplication = endpoint('POST /v1/applications/{id}/stop', {
  access: 'applications.deploy',
  resource: 'application',
  open: true,
  summary: 'Drain and stop the containers of an application',
  params: applicationParams,
  reply,
  status: 202,
  idempotent: true,
})

export const startApplication = endpoint('POST /v1/applications/{id}/start', {
  access: 'applications.deploy',
  resource: 'application',
  summary: 'Start the current release of a stopped application',
  params: applicationParams,
  reply,
  status: 202,
  idempotent: true,
})

export const listReleases = endpoint('GET /v1/applications/{id}/releases', {
  access: 'applications.read',
  resource: 'application',
  summary: 'List the releases of an application, newest first',
  params: applicationParams,
  query: z.strictObject(pageQuery),
  reply: pagedList('releases', release),
})

export const listChanges = endpoint('GET /v1/applications/{id}/changes', {
  access: 'applications.read',
  resource: 'application',
  summary: 'Compare the configuration or a release with the live release or another release',
  params: applicationParams,
  query: z.strictObject({
    release_id: idInput('release')
      .optional()
      .describe('Release to compare with; defaults to the live release.'),
    to_release_id: idInput('release')
      .optional()
      .describe('Release to compare; defaults to the current configuration.'),
  }),
  reply: z.object({ changes: z.array(change) }),
})
