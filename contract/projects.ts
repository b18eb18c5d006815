import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, text, time } from './ids.ts'
import { listOf, pageQuery } from './page.ts'

export const project = z.object({ id: id('project'), name: z.string(), created_at: time })

export const listProjects = endpoint('GET /v1/projects', {
  access: 'projects.read',
  summary: 'The projects of the workspace',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: listOf('projects', project),
})
