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
  summary: z.string().describe('The result, as a sentence.'),
  deployment_id: id('deployment').nullable(),
  deployment_status: z
    .enum(deploymentStatuses)
    .exclude(['crashed'])
    .nullable()
    .describe('Current status of the deployment.'),
})

export const delivery = z.object({
  id: id('delivery'),
  hook: z.enum(['github', 'deploy']),
  event: z.string().describe('Type of the event, such as `push`.'),
  repository: z.string().nullable(),
  ref: z.string().nullable().describe('Branch or tag.'),
  is_tag: z.boolean(),
  sha: z.string().nullable(),
  message: z.string().nullable().describe('First line of the latest commit message.'),
  sender: z.string().nullable(),
  status: z.enum(deliveryStatuses).describe('Status of the delivery. `waiting`: not processed yet.'),
  outcomes: z.array(outcome).describe('Outcome for each application: deployed ones first, then failed ones.'),
  redelivery_of: id('delivery').nullable(),
  received_at: time,
  handled_at: time.nullable(),
})

const params = z.object({ id: idInput('delivery') })
const ofApplication = z.object({ id: idInput('application') })

export const receiveEvent = endpoint('POST /v1/events/{hook}', {
  access: 'public',
  summary: 'Receive a webhook',
  description:
    '`hook` is `github` for the GitHub App, `stripe` for Stripe (both signed), or the ID of a deploy hook. Deploy hooks accept their secret in the header `secret`, `X-Hook-Secret`, `X-Gitlab-Token` or `Authorization: Bearer`, or a signature in `X-Gitea-Signature`, `X-Forgejo-Signature`, `X-Gogs-Signature`, `X-Hub-Signature-256` or `X-Hub-Signature`: the HMAC-SHA256 of the body with the secret as the key. A deploy hook accepts 60 calls per minute.',
  params: z.object({ hook: text(100) }),
  raw: true,
  reply: success,
  status: 202,
  // The limit is GitHub's own: a push of many commits lists every changed file, and a push that is refused would not be
  // deployed. The body is read only after its headers were validated. Stripe is limited to 1 MB; deploy hooks keep the
  // first 64 kB.
  mostBytes: 26_214_400,
})

export const receiveEventBySecret = endpoint('POST /v1/events/{hook}/{secret}', {
  access: 'public',
  summary: 'Call a deploy hook with a credential in the path',
  description:
    'For services that can send neither a header nor a signature, such as Docker Hub. `url_with_secret` of the hook contains the path. `secret` is derived from the secret of the hook, which is not accepted here.',
  params: z.object({ hook: text(100), secret: text(200) }),
  raw: true,
  reply: success,
  status: 202,
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
  summary: 'Get a delivery',
  description: 'Reading headers and payload requires permission to manage applications.',
  params,
  reply: z.object({
    delivery: delivery.extend({
      headers: z
        .record(z.string(), z.string())
        .nullable()
        .describe('Headers without secrets and signatures. Null if your role cannot manage applications.'),
      payload: z
        .string()
        .nullable()
        .describe('Payload, which may contain private data. Null if your role cannot manage applications.'),
      payload_truncated: z.boolean().describe('Whether only the first 64 kB of the payload were kept.'),
    }),
  }),
})

export const redeliver = endpoint('POST /v1/deliveries/{id}/redeliver', {
  access: 'applications.deploy',
  summary: 'Redeliver a webhook',
  description: 'Processes the stored delivery again.',
  params,
  reply: z.object({ delivery }),
  status: 202,
  idempotent: true,
})

export const hook = z.object({
  url: z.string(),
  secret: z.string(),
  url_with_secret: z
    .string()
    .describe('For services that can send neither a header nor a signature. Does not reveal the secret.'),
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
  summary: 'Rotate the secret of the deploy hook',
  description: 'The previous secret stops working immediately.',
  params: ofApplication,
  reply: z.object({ hook }),
})
