import { z } from 'zod'
import { deploymentStatuses } from './deployments.ts'
import { endpoint } from './endpoint.ts'
import { idInput, id, reference } from './shared/ids.ts'
import { text, time } from './shared/text-fields.ts'
import { pagedList, pageQuery, success } from './shared/replies.ts'

export const deliveryStatuses = ['waiting', 'deployed', 'ignored', 'failed'] as const

const outcome = z.object({
  application: reference('application').nullable(),
  status: z.enum(['deployed', 'ignored', 'failed']),
  summary: z.string().describe('Result as a sentence.'),
  deployment_id: id('deployment').nullable(),
  deployment_status: z.enum(deploymentStatuses).nullable().describe('Current status of the deployment.'),
})

export const delivery = z.object({
  id: id('delivery'),
  hook: z.enum(['github', 'deploy']),
  event: z.string().describe('Such as `push`.'),
  repository: z.string().nullable(),
  ref: z.string().nullable().describe('Branch or tag.'),
  is_tag: z.boolean(),
  sha: z.string().nullable(),
  message: z.string().nullable().describe('First line of the latest commit message.'),
  sender: z.string().nullable(),
  status: z.enum(deliveryStatuses).describe('`waiting`: not processed yet.'),
  outcomes: z.array(outcome).describe('Deployed first, then failed.'),
  redelivery_of: id('delivery').nullable(),
  received_at: time,
  handled_at: time.nullable(),
})

const params = z.object({ id: idInput('delivery') })
const ofApplication = z.object({ id: idInput('application') })

export const receiveEvent = endpoint('POST /v1/events/{hook}', {
  access: 'public',
  summary:
    'Receive a webhook: `github` for the GitHub App, `stripe` for Stripe (both signed), otherwise the deploy hook of an application with its secret in the header `secret` or `X-Hook-Secret`',
  params: z.object({ hook: text(100) }),
  raw: true,
  reply: success,
  status: 202,
  // GitHub's own limit. A push of many commits lists every changed file, and a rejected push would not be deployed.
  // The body is read only after the headers were validated. Stripe is limited to 1 MB, deploy hooks to 64 kB.
  mostBytes: 26_214_400,
})

export const listDeliveries = endpoint('GET /v1/deliveries', {
  access: 'integrations.read',
  summary: 'List webhook deliveries and their results, newest first',
  query: z.strictObject({
    ...pageQuery,
    application_id: idInput('application').optional(),
    status: z.enum(deliveryStatuses).optional(),
  }),
  reply: pagedList('deliveries', delivery),
})

export const getDelivery = endpoint('GET /v1/deliveries/{id}', {
  access: 'integrations.read',
  summary: 'Get a delivery, with its payload for users who can manage applications',
  params,
  reply: z.object({
    delivery: delivery.extend({
      headers: z
        .record(z.string(), z.string())
        .nullable()
        .describe('Without secrets and signatures. Null if the caller cannot manage applications.'),
      payload: z
        .string()
        .nullable()
        .describe('Null if the caller cannot manage applications, since it may contain private data.'),
    }),
  }),
})

export const redeliver = endpoint('POST /v1/deliveries/{id}/redeliver', {
  access: 'applications.deploy',
  summary: 'Process a delivery again',
  params,
  reply: z.object({ delivery }),
  status: 202,
  idempotent: true,
})

export const hook = z.object({
  url: z.string(),
  secret: z.string(),
  created_at: time.describe('When the secret was generated.'),
  used_at: time.nullable(),
})

export const getHook = endpoint('GET /v1/applications/{id}/hook', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Get the deploy hook of an application',
  params: ofApplication,
  reply: z.object({ hook }),
})

export const rotateHook = endpoint('POST /v1/applications/{id}/hook/rotate', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Rotate the secret of the deploy hook. The previous secret stops working immediately',
  params: ofApplication,
  reply: z.object({ hook }),
})
