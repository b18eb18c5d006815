import { z } from 'zod'
import { application } from './applications.ts'
import { endpoint } from './endpoint.ts'
import { alertKindNames } from './shared/alert-kinds.ts'
import { text, time } from './shared/text-fields.ts'

export const attentionKinds = [
  'server_unreachable',
  'server_failed',
  'application_failed',
  'application_degraded',
  'deployment_failed',
  'certificate_failed',
  'certificate_expiring',
  'disk_full',
  'alert_critical',
  'alert_warning',
  'alert_info',
  'channel_paused',
] as const

export const attention = z.object({
  kind: z.enum(attentionKinds),
  summary: z.string().describe('The problem, as a sentence.'),
  reason: z.string().nullable(),
  target: z.object({
    kind: z.enum(['server', 'application', 'incident', 'notification']),
    id: z.string(),
    name: z.string(),
  }),
  deployment_id: z.string().nullable(),
  alert: z
    .object({
      kind: z.enum(alertKindNames),
      server_id: z.string().nullable(),
      application_id: z.string().nullable(),
    })
    .nullable()
    .describe('Subject of the incident; null for other problems.'),
  since: time,
})

export const getHome = endpoint('GET /v1/home', {
  access: 'workspace.read',
  summary: 'Get the counts of the workspace and what needs attention',
  description: 'Problems are sorted newest first.',
  reply: z.object({
    home: z.object({
      servers: z.int(),
      applications: z.int(),
      deploys: z.int().describe('Number of deployments in the last 30 days.'),
      attention: z.array(attention).describe('Problems that need attention, at most 20.'),
      more: z.int().describe('Number of further problems that are not included.'),
      checklist: z
        .object({
          server: z.boolean(),
          application: z.boolean().describe('Whether an application was deployed successfully.'),
          domain: z.boolean().describe('Whether an application has a domain that was not generated.'),
          team: z.boolean().describe('Whether another user is a member or invited.'),
          alerts: z.boolean().describe('Whether a notification channel exists.'),
        })
        .describe('First steps that are done.'),
    }),
  }),
})

const homeApplication = application.extend({
  requests: z
    .array(z.number().nullable())
    .describe('Requests per second in the last 24 hours, every 30 minutes; null where none were measured.'),
})

export const listHomeApplications = endpoint('GET /v1/home/applications', {
  access: 'applications.read',
  summary: 'List the applications that Home shows',
  description: 'Applications that need attention come first, then the most recently deployed. At most 8.',
  reply: z.object({ applications: z.array(homeApplication) }),
})

export const getFavicon = endpoint('GET /v1/favicons/{key}', {
  access: 'public',
  summary: 'Get the favicon of an application',
  description: 'The key cannot be guessed and is returned with the application. It changes with the favicon.',
  params: z.object({ key: text(64) }),
  kind: 'file',
  type: 'image/png',
  reply: z.string(),
})

const named = z.object({ id: z.string(), name: z.string() })

export const listResources = endpoint('GET /v1/resources', {
  access: 'workspace.read',
  summary: 'List the names of all resources',
  description: 'For search. At most 2,000 of each kind.',
  reply: z.object({
    servers: z.array(named),
    applications: z.array(
      named.extend({
        server: z.string().describe('Name of its server.'),
        logo: z.string().nullable().describe('Logo of the template that the application was created from.'),
        image: z.string().nullable(),
      }),
    ),
    projects: z.array(named),
    domains: z.array(named.extend({ application_id: z.string() })),
    containers: z.array(named.extend({ server_id: z.string() })),
    channels: z.array(named),
  }),
})
