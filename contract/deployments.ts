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
/** `crashed`: completed, but its containers crashed within minutes. */
export const deploymentStatuses = [
  'queued',
  'running',
  'completed',
  'crashed',
  'failed',
  'cancelled',
] as const

export const stepNames = [
  'setup',
  'check',
  'fetch',
  'build',
  'start',
  'wait',
  'switch',
  'drain',
  'prune',
] as const
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
    logs: z.array(z.string()).describe('Log lines. In lists: the newest 20 while in progress.'),
    dropped_lines: z.int().describe('Number of lines dropped from the middle of a long log.'),
    deleted: z.boolean().describe('Whether the log was deleted because of its age.'),
  }),
  errors: z.array(z.string()),
  actor: z.object({ name: z.string() }),
  target: reference('application'),
  server: reference('server'),
  release: z
    .object({
      id: id('release'),
      number: z.int(),
      first: z.boolean().describe('Whether no earlier release of the application went live.'),
    })
    .nullable(),
  commit: commit.nullable().describe('Commit that is built; null for applications without a repository.'),
  steps: z.array(step),
  plan: z
    .array(z.object({ service: z.string(), action: z.enum(serviceActions), reasons: z.array(z.string()) }))
    .nullable()
    .describe('Planned action for each service of a compose file; null until planned.'),
  waiting_for: z
    .string()
    .nullable()
    .describe('Reason why a queued deployment is waiting, as a sentence; null if it is not waiting.'),
  cancellable: z.boolean(),
  cancelling: z.boolean().describe('Whether the deployment was canceled and is being reverted.'),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
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
    until: timeInput.optional(),
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
  summary: 'Stream the log of a deployment',
  description: 'Starts at the beginning, or after Last-Event-ID.',
  params,
  query: z.strictObject({ token: text(200).optional() }),
  kind: 'events',
  reply: outputEvent,
})

export const cancelDeployment = endpoint('POST /v1/deployments/{id}/cancel', {
  access: 'applications.deploy',
  resource: 'deployment',
  open: true,
  summary: 'Cancel a deployment and revert its changes',
  description: 'Not possible once the new release is live.',
  params,
  reply,
})

export const deployApplication = endpoint('POST /v1/applications/{id}/deploy', {
  access: 'applications.deploy',
  resource: 'application',
  summary: 'Deploy the current configuration of an application',
  description: 'Replaces a queued deployment.',
  params: applicationParams,
  body: z.strictObject({
    revision: text(100)
      .optional()
      .describe(
        'Revision of a plan or of a new application. The deployment fails with `changed_since` if the configuration has changed since then. Required to approve host access (host mounts, privileged options, Railpack builds) that the live release does not have.',
      ),
    rebuild: z.boolean().optional().describe('Whether to build the repository without cache.'),
  }),
  reply,
  status: 202,
  idempotent: true,
})

export const rollBackApplication = endpoint('POST /v1/applications/{id}/rollback', {
  access: 'applications.deploy',
  resource: 'application',
  summary: 'Roll back to a release',
  description: 'Defaults to the previous release.',
  params: applicationParams,
  body: z.strictObject({ release_id: idInput('release').optional() }),
  reply,
  status: 202,
  idempotent: true,
})

export const restartApplication = endpoint('POST /v1/applications/{id}/restart', {
  access: 'applications.deploy',
  resource: 'application',
  summary: 'Restart an application without downtime',
  description: 'Replaces all containers with new ones of the live release. Reverts manual changes.',
  params: applicationParams,
  reply,
  status: 202,
  idempotent: true,
})

export const stopApplication = endpoint('POST /v1/applications/{id}/stop', {
  access: 'applications.deploy',
  resource: 'application',
  open: true,
  summary: 'Stop an application',
  description: 'Drains and stops its containers.',
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
