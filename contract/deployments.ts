import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { givenId, givenTime, id, time } from './ids.ts'
import { listOf, pageQuery } from './page.ts'

export const deployment = z.object({
  id: id('deployment'),
  type: z.string(),
  status: z.string(),
  message: z.string().nullable(),
  data: z.object({ tag: z.string().nullable(), logs: z.array(z.string()) }),
  errors: z.array(z.string()),
  actor: z.object({ name: z.string() }),
  target: z.object({ id: id('application'), name: z.string() }),
  created_at: time,
})

export const listDeployments = endpoint('GET /v1/deployments', {
  access: 'deployments.read',
  summary: 'The deployments of the workspace, newest first',
  query: z.strictObject({
    ...pageQuery,
    application_id: givenId('application').optional(),
    since: givenTime.optional(),
  }),
  reply: listOf('deployments', deployment),
})
