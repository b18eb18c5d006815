import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { givenId, id, name, text, time } from './shared/ids.ts'
import { port, user } from './servers.ts'

export const createImportToken = endpoint('POST /v1/import/token', {
  access: 'servers.manage',
  summary: 'A line to paste on a server as root, which adds it here. Lives one hour, serves once',
  body: z.strictObject({
    name: name().optional(),
    server_id: givenId('server').optional().meta({
      description: 'For a server that is here already and was never reached, instead of a new one.',
    }),
  }),
  reply: z.object({ token: z.string(), command: z.string(), expires_at: time }),
  status: 201,
})

export const getImportScript = endpoint('GET /v1/import/server/{token}', {
  access: 'public',
  summary: 'The script behind that line: authorises our key and reports what the server is',
  params: z.object({ token: text(100) }),
  kind: 'file',
  type: 'text/x-shellscript',
  reply: z.string(),
  limit: 60,
})

export const importServer = endpoint('POST /v1/import/server', {
  access: 'public',
  summary: 'What the script reports: host keys, addresses and facts of the server',
  body: z.strictObject({
    token: text(100, 1),
    hostname: text(253).default(''),
    user,
    port: port.default(22),
    host_keys: z.array(text(2_000, 1)).min(1, { error: 'Must hold at least one.' }).max(10),
    addresses: z.array(text(100, 1)).max(20).default([]),
    os: text(200).default(''),
    architecture: text(50).default(''),
  }),
  reply: z.object({ success: z.literal(true), server: z.object({ id: id('server'), name: z.string() }) }),
  status: 201,
  limit: 60,
})
