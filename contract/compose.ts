import { z } from 'zod'
import { variables } from './shared/application-fields.ts'
import { disallowedCharacter, maxComposeLength } from './shared/compose-limits.ts'
import { container } from './containers.ts'
import { endpoint } from './endpoint.ts'
import { idInput } from './shared/ids.ts'

/** Schema of text that may contain line breaks and tabs. */
export const yamlText = (most: number) =>
  z
    .string()
    .max(most, { error: `Must have at most ${most.toLocaleString('en')} characters.` })
    .refine((value) => value.trim() !== '', { error: 'Must not be empty.' })
    .refine((value) => !disallowedCharacter.test(value), {
      error: 'Must not contain control characters or unusual line breaks.',
    })

export const composeText = yamlText(maxComposeLength)

export const profiles = z
  .array(
    z
      .string()
      .trim()
      .regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,99}$/, {
        error: 'Must contain only letters, digits, _, . and -.',
      }),
  )
  .max(50, { error: 'Must have at most 50 entries.' })

export const composeProblem = z.object({
  line: z.int(),
  column: z.int(),
  end_line: z.int(),
  end_column: z.int(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
})

export const serviceActions = ['added', 'rolled', 'recreated', 'unchanged', 'removed'] as const

export const deploymentPlan = z.object({
  services: z.array(
    z.object({
      name: z.string(),
      action: z
        .enum(serviceActions)
        .describe(
          '`rolled`: the new container starts before the old one stops. `recreated`: the old container stops first, with downtime.',
        ),
      reasons: z
        .array(z.string())
        .describe('Reasons for the action, as sentences. They contain no values of environment variables.'),
      image: z.string().nullable(),
    }),
  ),
  warnings: z.array(z.string()),
  host_access: z
    .array(z.string())
    .describe(
      'Host access that the live release does not have, as sentences. An admin approves it by deploying with `revision`.',
    ),
  allowed: z.boolean().describe('Whether the caller can deploy the configuration.'),
  refusal: z
    .string()
    .nullable()
    .describe('Why the caller cannot deploy the configuration, as a sentence; null if allowed.'),
  revision: z
    .string()
    .nullable()
    .describe(
      'ID of the planned configuration. A deployment with this revision deploys exactly this configuration. Null for a rollback.',
    ),
  problems: z
    .array(composeProblem)
    .describe('Errors that prevent the deployment. If there are any, `services` is empty.'),
})

export const firstRevision = z
  .string()
  .nullable()
  .describe(
    'Revision for the first deployment, which approves the host access of the new configuration. Null if the application inherits project variables; use the revision of a plan instead.',
  )

export const checkCompose = endpoint('POST /v1/compose/check', {
  access: 'applications.manage',
  open: true,
  summary: 'Check a compose file without creating anything',
  body: z.strictObject({
    compose: composeText,
    env: variables.default([]).describe('Values for variables in the file.'),
    profiles: profiles.default([]),
    server_id: idInput('server')
      .optional()
      .describe('Server whose Docker version the file is also checked against.'),
  }),
  reply: z.object({
    problems: z.array(composeProblem),
    services: z.array(
      z.object({
        name: z.string(),
        image: z.string().nullable(),
        builds: z.boolean(),
        ports: z.array(z.int()).describe('Container ports listed in the file.'),
        published: z
          .array(
            z.object({
              host: z.string(),
              source: z.int(),
              target: z.int(),
              protocol: z.string(),
            }),
          )
          .describe('Published ports of the server. `host` is empty for all addresses.'),
        profiles: z.array(z.string()),
      }),
    ),
    variables: z.array(z.string()).describe('Names of the variables used in the file.'),
  }),
  limit: 600,
})

const params = z.object({ id: idInput('application') })

export const getCompose = endpoint('GET /v1/applications/{id}/compose', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Get the compose file',
  description: 'The file may contain secrets.',
  params,
  reply: z.object({ compose: z.string(), profiles: z.array(z.string()) }),
})

export const planDeployment = endpoint('GET /v1/applications/{id}/plan', {
  access: 'applications.deploy',
  resource: 'application',
  summary: 'Plan a deployment without running it',
  params,
  query: z.strictObject({
    release_id: idInput('release')
      .optional()
      .describe(
        'Release to plan a rollback to. By default, plans a deployment of the current configuration.',
      ),
  }),
  reply: z.object({ plan: deploymentPlan }),
  limit: 120,
})

export const serviceStates = [
  'running',
  'starting',
  'degraded',
  'failed',
  'completed',
  'stopped',
  'unknown',
] as const

export const listServices = endpoint('GET /v1/applications/{id}/services', {
  access: 'applications.read',
  resource: 'application',
  summary: 'List the deployed services of a compose application',
  params,
  reply: z.object({
    services: z.array(
      z.object({
        name: z.string(),
        image: z.string(),
        digest: z.string().nullable(),
        state: z.enum(serviceStates).describe('`completed`: a one-off service that exited without an error.'),
        reason: z.string().nullable(),
        running: z.int(),
        wanted: z.int(),
        ports: z.array(z.object({ host: z.string(), source: z.int(), target: z.int() })),
        addresses: z.array(z.string()).describe('Domains as URLs.'),
        containers: z.array(container),
      }),
    ),
  }),
})
