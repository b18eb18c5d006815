import { z } from 'zod'
import { variables } from './shared/application-fields.ts'
import { unfitCharacter } from './shared/compose-characters.ts'
import { mostCompose } from './shared/compose-size.ts'
import { container } from './containers.ts'
import { endpoint } from './endpoint.ts'
import { idInput } from './shared/ids.ts'

/** Line breaks and tabs are part of it. */
export const yamlText = (most: number) =>
  z
    .string()
    .max(most, { error: `Must have at most ${most.toLocaleString('en')} characters.` })
    .refine((value) => value.trim() !== '', { error: 'Must not be empty.' })
    .refine((value) => !unfitCharacter.test(value), {
      error: 'Must not contain control characters, nor line breaks other than the usual ones.',
    })

export const composeText = yamlText(mostCompose)

export const profiles = z
  .array(
    z
      .string()
      .trim()
      .regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,99}$/, {
        error: 'Must have only letters, digits, _, . and -.',
      }),
  )
  .max(50, { error: 'Must be at most 50.' })

/** Something wrong in a compose file, and where. Lines and columns begin at 1. */
export const composeProblem = z.object({
  line: z.number().int(),
  column: z.number().int(),
  end_line: z.number().int(),
  end_column: z.number().int(),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
})

export const serviceActions = ['added', 'rolled', 'recreated', 'unchanged', 'removed'] as const

/** What a deployment would do with each service. */
export const plan = z.object({
  services: z.array(
    z.object({
      name: z.string(),
      action: z.enum(serviceActions).meta({
        description:
          '`rolled`: the new one beside the old, which then ends. `recreated`: the old one ends first, so there is a gap.',
      }),
      why: z.array(z.string()).meta({ description: 'Sentences; values of the environment are never told.' }),
      image: z.string().nullable(),
    }),
  ),
  warnings: z.array(z.string()),
  powers: z.array(z.string()).meta({
    description:
      'Host access that the live release does not have, as sentences. Needs an admin, who approves it by deploying with `revision`.',
  }),
  allowed: z.boolean().meta({ description: 'Whether who asks may deploy it.' }),
  refusal: z
    .string()
    .nullable()
    .meta({ description: 'Why who asks may not, as a sentence; null where they may.' }),
  revision: z.string().nullable().meta({
    description:
      'Identifies the configuration that the plan is about. A deployment with it deploys exactly that. Null for a rollback.',
  }),
  problems: z
    .array(composeProblem)
    .meta({ description: 'Why it cannot be deployed; then there are no services.' }),
})

/** Comes with a new application. */
export const firstRevision = z.string().nullable().meta({
  description:
    'For the first deployment: approves the host access of exactly what was created. Null where the application inherits variables of its project; use the revision of a plan then.',
})

export const checkCompose = endpoint('POST /v1/compose/check', {
  access: 'applications.manage',
  open: true,
  summary: 'What is wrong in a compose file, by line; nothing is made',
  body: z.strictObject({
    compose: composeText,
    env: variables.default([]).meta({ description: 'For what the file takes from the environment.' }),
    profiles: profiles.default([]),
  }),
  reply: z.object({
    problems: z.array(composeProblem),
    services: z.array(
      z.object({
        name: z.string(),
        image: z.string().nullable(),
        builds: z.boolean(),
        ports: z
          .array(z.number().int())
          .meta({ description: 'In the container, as far as the file names them.' }),
        published: z
          .array(
            z.object({
              host: z.string(),
              source: z.number().int(),
              target: z.number().int(),
              protocol: z.string(),
            }),
          )
          .meta({
            description: 'Those of the server that lead there; `host` is empty for all its addresses.',
          }),
        profiles: z.array(z.string()),
      }),
    ),
    variables: z.array(z.string()).meta({ description: 'Those that the file takes from the environment.' }),
  }),
  limit: 600,
})

const params = z.object({ id: idInput('application') })

export const getCompose = endpoint('GET /v1/applications/{id}/compose', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Its compose file, which may hold secrets',
  params,
  reply: z.object({ compose: z.string(), profiles: z.array(z.string()) }),
})

export const planDeployment = endpoint('GET /v1/applications/{id}/plan', {
  access: 'applications.deploy',
  resource: 'application',
  summary: 'What a deployment of it would do with each of its services; nothing is done',
  params,
  query: z.strictObject({
    release_id: idInput('release').optional().meta({
      description: 'What going back to this release would do; without it, deploying what is configured.',
    }),
  }),
  reply: z.object({ plan }),
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
  summary: 'The services of its compose file that are deployed, as Docker sees them',
  params,
  reply: z.object({
    services: z.array(
      z.object({
        name: z.string(),
        image: z.string(),
        digest: z.string().nullable(),
        state: z
          .enum(serviceStates)
          .meta({ description: '`completed`: it was to end by itself, and has without an error.' }),
        reason: z.string().nullable(),
        running: z.number().int(),
        wanted: z.number().int(),
        ports: z.array(z.object({ host: z.string(), source: z.number().int(), target: z.number().int() })),
        addresses: z.array(z.string()).meta({ description: 'Its domains, as URLs.' }),
        containers: z.array(container),
      }),
    ),
  }),
})
