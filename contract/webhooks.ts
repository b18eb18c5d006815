import { z } from 'zod'
import { deploymentStatuses } from './deployments.ts'
import { endpoint } from './endpoint.ts'
import { givenId, id, text, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'

export const deliveryStatuses = ['waiting', 'deployed', 'ignored', 'failed'] as const

const outcome = z.object({
  application: z.object({ id: id('application'), name: z.string() }).nullable(),
  status: z.enum(['deployed', 'ignored', 'failed']),
  says: z.string().meta({ description: 'What became of it, as a sentence.' }),
  deployment_id: id('deployment').nullable(),
  deployment_status: z
    .enum(deploymentStatuses)
    .nullable()
    .meta({ description: 'How far the deployment is, or how it ended.' }),
})

export const delivery = z.object({
  id: id('delivery'),
  hook: z.enum(['github', 'deploy']),
  event: z.string().meta({ description: 'Such as `push`.' }),
  repository: z.string().nullable(),
  ref: z.string().nullable().meta({ description: 'The branch or the tag.' }),
  is_tag: z.boolean(),
  sha: z.string().nullable(),
  message: z.string().nullable().meta({ description: 'The first line of the newest commit.' }),
  sender: z.string().nullable(),
  status: z.enum(deliveryStatuses).meta({ description: '`waiting`: nobody has looked at it yet.' }),
  outcomes: z.array(outcome).meta({ description: 'Those that deploy first, then those that failed.' }),
  redelivery_of: id('delivery').nullable(),
  received_at: time,
  handled_at: time.nullable(),
})

const params = z.object({ id: givenId('delivery') })
const ofApplication = z.object({ id: givenId('application') })

export const receiveEvent = endpoint('POST /v1/events/{hook}', {
  access: 'public',
  summary:
    'The way in from outside: `github` for the webhooks of the GitHub App and `stripe` for those of Stripe, with their signatures; else the deploy hook of an application, with its secret in the header `secret` or `X-Hook-Secret`',
  params: z.object({ hook: text(100) }),
  raw: true,
  reply: success,
  status: 202,
  // The maximum of GitHub itself: a push of many commits names every file that they touch, and one that is refused is not deployed.
  // A body is read only after the shape of its headers was checked. Stripe may send 1 MB, a deploy hook 64 kB.
  mostBytes: 26_214_400,
})

export const listDeliveries = endpoint('GET /v1/deliveries', {
  access: 'integrations.read',
  summary: 'What came in from outside, newest first, and what became of it',
  query: z.strictObject({
    ...pageQuery,
    application_id: givenId('application').optional(),
    status: z.enum(deliveryStatuses).optional(),
  }),
  reply: listOf('deliveries', delivery),
})

export const getDelivery = endpoint('GET /v1/deliveries/{id}', {
  access: 'integrations.read',
  summary: 'A delivery, with what it carried for those who may change applications',
  params,
  reply: z.object({
    delivery: delivery.extend({
      headers: z.record(z.string(), z.string()).nullable().meta({
        description: 'Without secrets and signatures. Null for whoever may not change applications.',
      }),
      payload: z.string().nullable().meta({
        description:
          'Null for whoever may not change applications: it tells of private repositories, and of what CI sends.',
      }),
    }),
  }),
})

export const redeliver = endpoint('POST /v1/deliveries/{id}/redeliver', {
  access: 'applications.deploy',
  summary: 'Treat it once more as if it had just come',
  params,
  reply: z.object({ delivery }),
  status: 202,
  idempotent: true,
})

export const hook = z.object({
  url: z.string(),
  secret: z.string(),
  created_at: time.meta({ description: 'When it got this secret.' }),
  used_at: time.nullable(),
})

export const getHook = endpoint('GET /v1/applications/{id}/hook', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'The deploy hook of an application: who calls it with its secret has it deployed',
  params: ofApplication,
  reply: z.object({ hook }),
})

export const rotateHook = endpoint('POST /v1/applications/{id}/hook/rotate', {
  access: 'applications.manage',
  resource: 'application',
  summary: 'Give the deploy hook another secret. The one before is worth nothing from then on',
  params: ofApplication,
  reply: z.object({ hook }),
})
