import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, reference } from './shared/ids.ts'
import { name, text, time } from './shared/text-fields.ts'
import { sshUser } from './servers.ts'
import { port } from './shared/numbers.ts'

export const createImportToken = endpoint('POST /v1/import/token', {
  access: 'servers.manage',
  summary: 'Create an import command',
  description:
    'Run the command as root on a server to add the server to the workspace. The command can be used once and expires after one hour. With `set-up` at its end, it also starts the setup.',
  body: z.strictObject({
    name: name().optional(),
    server_id: idInput('server')
      .optional()
      .describe('Pending server to connect. By default, a new server is added.'),
  }),
  reply: z.object({ token: z.string(), command: z.string(), expires_at: time }),
  status: 201,
})

export const getImportScript = endpoint('GET /v1/import/server/{token}', {
  access: 'public',
  summary: 'Get the import script',
  description: 'The script authorizes the SSH key and reports the server to Slipway.',
  params: z.object({ token: text(100) }),
  kind: 'file',
  type: 'text/x-shellscript',
  reply: z.string(),
  limit: 60,
})

export const importServer = endpoint('POST /v1/import/server', {
  access: 'public',
  summary: 'Report a server from the import script',
  description: 'The report contains host keys, addresses and system information.',
  body: z.strictObject({
    token: text(100, 1),
    hostname: text(253).default(''),
    user: sshUser,
    port: port.default(22),
    host_keys: z.array(text(2_000, 1)).min(1, { error: 'Must contain at least one host key.' }).max(10),
    addresses: z.array(text(100, 1)).max(20).default([]),
    os: text(200).default(''),
    architecture: text(50).default(''),
    set_up: z.boolean().default(false).describe('Whether to start the setup.'),
  }),
  reply: z.object({ success: z.literal(true), server: reference('server') }),
  status: 201,
  limit: 60,
})
