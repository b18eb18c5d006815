import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, text, time } from './ids.ts'
import { listOf, pageQuery } from './page.ts'

export const application = z.object({
  id: id('application'),
  name: z.string(),
  source: z.object({
    type: z.string().meta({ description: '`github`, `docker_image`; any other means compose.' }),
  }),
  created_at: time,
})

export const listApplications = endpoint('GET /v1/applications', {
  access: 'applications.read',
  summary: 'The applications of the workspace',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: listOf('applications', application),
})
