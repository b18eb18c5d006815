import { z } from 'zod'
import { serviceActions } from './compose.ts'
import { endpoint } from './endpoint.ts'
import { givenId, givenTime, id, text, time } from './shared/ids.ts'
import { outputEvent } from './shared/outputs.ts'
import { listOf, pageQuery } from './shared/page.ts'
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

/** In the order of the story. */
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
    logs: z.array(z.string()).meta({ description: 'Its lines; none in a list.' }),
    cut: z.number().int().meta({ description: 'How many lines in the middle were too many to keep.' }),
    deleted: z.boolean().meta({ description: 'Whether its lines were deleted, as it is long over.' }),
  }),
  errors: z.array(z.string()),
  actor: z.object({ name: z.string() }),
  target: z.object({ id: id('application'), name: z.string() }),
  server: z.object({ id: id('server'), name: z.string() }),
  release: z.object({ id: id('release'), number: z.number().int() }).nullable(),
  commit: commit.nullable().meta({ description: 'Of a repository: what is built.' }),
  steps: z.array(step),
  plan: z
    .array(z.object({ service: z.string(), action: z.enum(serviceActions), why: z.array(z.string()) }))
    .nullable()
    .meta({ description: 'Of a compose file: what it does with each service, once that is known.' }),
  waits: z.string().nullable().meta({ description: 'What it waits for while it is queued, as a sentence.' }),
  cancellable: z.boolean(),
  cancelling: z.boolean().meta({ description: 'Somebody cancelled it, and what it began is being undone.' }),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
})

export const release = z.object({
  id: id('release'),
  number: z.number().int(),
  image: z.string().meta({ description: 'As it was asked for.' }),
  digest: z
    .string()
    .nullable()
    .meta({ description: 'Of the registry; null for one that is only on the server.' }),
  image_id: z.string(),
  services: z
    .array(z.object({ name: z.string(), image: z.string(), digest: z.string().nullable() }))
    .nullable()
    .meta({ description: 'Of a compose file.' }),
  commit: commit.nullable().meta({ description: 'Of a repository: what it was built from.' }),
  current: z.boolean().meta({ description: 'Whether it takes the traffic.' }),
  deploying: z.boolean().meta({ description: 'Whether a deployment brings it at the moment.' }),
  kept: z
    .boolean()
    .meta({ description: 'Whether its image is still on the server, so that one can roll back to it.' }),
  deployment_id: id('deployment').nullable(),
  actor: z.object({ name: z.string() }).nullable().meta({ description: 'Who deployed it first.' }),
  created_at: time,
  live_at: time.nullable().meta({ description: 'When it took the traffic last.' }),
})

/** A difference between two configurations. Values of the environment are never told. */
export const change = z.object({
  field: z.string().meta({ description: 'Such as `image`, `env.DATABASE_URL` or `volumes./data`.' }),
  kind: z.enum(['added', 'removed', 'changed']),
  from: z.string().nullable(),
  to: z.string().nullable(),
})

const params = z.object({ id: givenId('deployment') })
const ofApplication = z.object({ id: givenId('application') })
const reply = z.object({ deployment })

export const listDeployments = endpoint('GET /v1/deployments', {
  access: 'deployments.read',
  resource: 'filtered',
  summary: 'The deployments of the workspace, newest first',
  query: z.strictObject({
    ...pageQuery,
    application_id: givenId('application').optional(),
    server_id: givenId('server').optional(),
    project_id: givenId('project').optional(),
    status: z.enum(deploymentStatuses).optional(),
    since: givenTime.optional(),
  }),
  reply: listOf('deployments', deployment),
})

export const getDeployment = endpoint('GET /v1/deployments/{id}', {
  access: 'deployments.read',
  resource: 'deployment',
  summary: 'A deployment with its steps and its log',
  params,
  query: z.strictObject({
    logs: z.stringbool().default(true).meta({
      description: 'Whether its lines are told; who follows them as a stream needs them not twice.',
    }),
  }),
  reply,
})

export const streamDeploymentLogs = endpoint('GET /v1/deployments/{id}/logs', {
  access: 'deployments.read',
  resource: 'deployment',
  summary: 'Its log as it is written, from the beginning or after Last-Event-ID',
  params,
  query: z.strictObject({ token: text(200).optional() }),
  kind: 'events',
  reply: outputEvent,
})

export const cancelDeployment = endpoint('POST /v1/deployments/{id}/cancel', {
  access: 'applications.deploy',
  resource: 'deployment',
  open: true,
  summary: 'End a deployment and undo what it began. Not once the new release takes the traffic',
  params,
  reply,
})

export const deployApplication = endpoint('POST /v1/applications/{id}/deploy', {
  access: 'applications.deploy',
  resource: 'application',
  summary: 'Deploy it as it is configured now. A deployment that still waits is replaced by this one',
  params: ofApplication,
  body: z.strictObject({
    revision: text(100).optional().meta({
      description:
        'The `revision` of a plan, or of a new application. The deployment is refused with `changed_since` if the configuration has changed since. Needed to approve host access (host mounts, privileged options, Railpack builds) that the live release does not have: without it, admins may only deploy what is approved already, as members do.',
    }),
    rebuild: z
      .boolean()
      .optional()
      .meta({ description: 'Of a repository: build it anew, without what was built before.' }),
  }),
  reply,
  status: 202,
  idempotent: true,
})

export const rollBackApplication = endpoint('POST /v1/applications/{id}/rollback', {
  access: 'applications.deploy',
  resource: 'application',
  summary: 'Go back to a kept release; without one to that before the current',
  params: ofApplication,
  body: z.strictObject({ release_id: givenId('release').optional() }),
  reply,
  status: 202,
  idempotent: true,
})

export const restartApplication = endpoint('POST /v1/applications/{id}/restart', {
  access: 'applications.deploy',
  resource: 'application',
  summary:
    'Replace its containers by new ones of the current release, without a gap. Puts back what was changed by hand',
  params: ofApplication,
  reply,
  status: 202,
  idempotent: true,
})

export const stopApplication = endpoint('POST /v1/applications/{id}/stop', {
  access: 'applications.deploy',
  resource: 'application',
  open: true,
  summary: 'Let its open requests end and stop its containers',
  params: ofApplication,
  reply,
  status: 202,
  idempotent: true,
})

export const startApplication = endpoint('POST /v1/applications/{id}/start', {
  access: 'applications.deploy',
  resource: 'application',
  summary: 'Start the current release again',
  params: ofApplication,
  reply,
  status: 202,
  idempotent: true,
})

export const listReleases = endpoint('GET /v1/applications/{id}/releases', {
  access: 'applications.read',
  resource: 'application',
  summary: 'Its releases, newest first',
  params: ofApplication,
  query: z.strictObject(pageQuery),
  reply: listOf('releases', release),
})

export const listChanges = endpoint('GET /v1/applications/{id}/changes', {
  access: 'applications.read',
  resource: 'application',
  summary: 'How what is configured, or a release, differs from what runs, or from a release',
  params: ofApplication,
  query: z.strictObject({
    release_id: givenId('release')
      .optional()
      .meta({ description: 'What it is compared with; without it, what runs.' }),
    to_release_id: givenId('release')
      .optional()
      .meta({ description: 'What is compared; without it, what is configured.' }),
  }),
  reply: z.object({ changes: z.array(change) }),
})
