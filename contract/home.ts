import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { time } from './shared/text-fields.ts'

export const attentionKinds = [
  'server_unreachable',
  'server_failed',
  'application_failed',
  'application_degraded',
  'deployment_failed',
  'certificate_failed',
  'alert_critical',
  'alert_warning',
  'alert_info',
  'channel_paused',
] as const

export const attention = z.object({
  kind: z.enum(attentionKinds),
  summary: z.string().describe('The problem in one sentence.'),
  reason: z.string().nullable(),
  target: z.object({
    kind: z.enum(['server', 'application', 'incident', 'notification']),
    id: z.string(),
    name: z.string(),
  }),
  deployment_id: z.string().nullable(),
  since: time,
})

export const getHome = endpoint('GET /v1/home', {
  access: 'workspace.read',
  summary: 'Get the counts of the workspace and what needs attention, newest first',
  reply: z.object({
    home: z.object({
      servers: z.int(),
      applications: z.int(),
      deploys: z.int().describe('Deployments in the last 30 days.'),
      attention: z.array(attention).describe('At most 20 entries.'),
      more: z.int().describe('Number of further entries.'),
    }),
  }),
})
