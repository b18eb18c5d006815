import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, text, time } from './ids.ts'
import { listOf, pageQuery } from './page.ts'

/** In the order of the list: what needs attention comes first. */
export const serverStatuses = [
  'failed',
  'unreachable',
  'setting_up',
  'provisioning',
  'pending',
  'ready',
  'deleting',
] as const

export const server = z.object({
  id: id('server'),
  name: z.string(),
  status: z.enum(serverStatuses),
  address: z.string().nullable(),
  created_at: time,
})

export const listServers = endpoint('GET /v1/servers', {
  access: 'servers.read',
  summary: 'The servers of the workspace, what needs attention first',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: listOf('servers', server),
})
