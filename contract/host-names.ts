import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, text, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'

export const hostName = z.object({
  host: z.string(),
  workspace: z.object({ id: id('workspace'), name: z.string() }),
  verified_at: time
    .nullable()
    .meta({ description: 'When the workspace proved that it controls the name; null while it has not.' }),
  created_at: time,
})

export const listHostNames = endpoint('GET /v1/instance/host-names', {
  access: 'instance',
  summary: 'The host names of all workspaces, and which workspace holds each',
  query: z.strictObject({ ...pageQuery, q: text(253).optional() }),
  reply: listOf('host_names', hostName),
})

export const releaseHostName = endpoint('DELETE /v1/instance/host-names/{host}', {
  access: 'instance',
  summary:
    'Take a host name from the workspace that holds it, for its new owner: its domains are routed no more, its certificate is deleted, and whoever adds the name next has to prove it',
  params: z.object({ host: text(255, 1).trim().toLowerCase() }),
  reply: success,
})
