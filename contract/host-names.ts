import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { id, text, time } from './shared/ids.ts'
import { pagedList, pageQuery, success } from './shared/page.ts'

export const hostName = z.object({
  host: z.string(),
  workspace: z.object({ id: id('workspace'), name: z.string() }),
  verified_at: time.nullable().describe('When the workspace proved ownership; null until then.'),
  created_at: time,
})

export const listHostNames = endpoint('GET /v1/instance/host-names', {
  access: 'instance',
  summary: 'List the host names of all workspaces',
  query: z.strictObject({ ...pageQuery, q: text(253).optional() }),
  reply: pagedList('host_names', hostName),
})

export const releaseHostName = endpoint('DELETE /v1/instance/host-names/{host}', {
  access: 'instance',
  summary:
    'Release a host name from its workspace: its domains are no longer routed, its certificate is deleted, and the next workspace must prove ownership',
  params: z.object({ host: text(255, 1).trim().toLowerCase() }),
  reply: success,
})
