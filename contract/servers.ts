import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, id, reference } from './shared/ids.ts'
import { name, text, time } from './shared/text-fields.ts'
import { changes, pagedList, pageQuery, success } from './shared/replies.ts'
import { port } from './shared/numbers.ts'

export const serverStatuses = [
  'failed',
  'unreachable',
  'setting_up',
  'provisioning',
  'pending',
  'ready',
  'deleting',
] as const

export const cloudSteps = ['key', 'create', 'boot', 'call'] as const

const cloud = z.object({
  provider: z.string(),
  provider_name: z.string(),
  cloud_token_id: id('cloudToken').nullable().describe('Null after the token was deleted.'),
  id: z.string().nullable().describe('ID at the provider; null before the server is created.'),
  url: z.string().nullable().describe('Page of the server in the console of the provider.'),
  origin: z.enum(['created', 'imported']),
  step: z
    .enum(cloudSteps)
    .nullable()
    .describe('Current or failed step of the creation; null after the server connected.'),
  image: z.string().nullable().describe('Display name of the image.'),
  image_id: z
    .string()
    .nullable()
    .describe('ID of the image at the provider, for servers created by Slipway.'),
  price: z
    .object({ monthly: z.number(), currency: z.string() })
    .nullable()
    .describe('Monthly price, as reported by the provider.'),
  status: z.enum(['starting', 'running', 'stopped', 'deleted', 'unknown']),
  seen_at: time.nullable().describe('When the status was last read from the provider.'),
  address: z.string().nullable().describe('Public address, as reported by the provider.'),
  drift: z
    .array(
      z.object({
        kind: z.enum(['deleted', 'stopped', 'resized', 'moved', 'duplicated', 'unseen']),
        text: z.string(),
      }),
    )
    .describe('Changes at the provider that Slipway did not make, with what to do.'),
})

const hostKey = z.object({
  type: z.string(),
  fingerprint: z.string().describe('In the format of ssh: SHA256:…'),
})

export const server = z.object({
  id: id('server'),
  name: z.string(),
  status: z.enum(serverStatuses),
  reason: z.string().nullable().describe('Why the server is failed, unreachable or pending, and what to do.'),
  kind: z.enum(['ssh', 'local']).describe('`local` is the machine that Slipway runs on.'),
  address: z.string().nullable(),
  port: z.int(),
  user: z.string(),
  host_key: hostKey.nullable().describe('The confirmed host key. Any other is refused.'),
  offered_host_key: hostKey
    .nullable()
    .describe('A host key that the server presented and that is not confirmed.'),
  http_port: z.int().describe('HTTP port of the proxy. A change applies on the next setup.'),
  https_port: z.int(),
  labels: z.array(z.string()),
  projects: z.array(reference('project')),
  provider: z.string().nullable(),
  region: z.string().nullable(),
  type: z.string().nullable(),
  cloud: cloud.nullable().describe('The server at its cloud provider; null for other servers.'),
  os: z.string().nullable(),
  architecture: z.string().nullable(),
  cpus: z.int().nullable(),
  memory_bytes: z.int().nullable(),
  disk_bytes: z.int().nullable(),
  docker_version: z.string().nullable(),
  compose_version: z
    .string()
    .nullable()
    .describe('Null if Docker Compose is not installed. Compose applications need 2.20 or newer.'),
  last_seen_at: time.nullable(),
  created_at: time,
})

const params = z.object({ id: idInput('server') })
const reply = z.object({ server })

const hostName =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*\.?$/i
const ipv6 = /^[0-9a-f:]*:[0-9a-f:.]*$/i
const address = text(253)
  .trim()
  .refine((value) => hostName.test(value) || ipv6.test(value), {
    error: 'Must be a host name or an IP address, such as 203.0.113.7.',
  })
export const sshUser = text(32).regex(/^[a-z_][a-z0-9_.-]*\$?$/i, {
  error: 'Must be the name of a user on the server, such as root.',
})
const labels = z
  .array(name(50))
  .max(20, { error: 'Must be at most 20.' })
  .transform((list) => [...new Set(list)])

const ordered = {
  region: text(50, 1),
  type: text(100, 1),
  image: text(100, 1),
}

const tellsItself = 'Must be omitted for cloud servers: they report it themselves.'

export const listServers = endpoint('GET /v1/servers', {
  access: 'servers.read',
  summary: 'List the servers of the workspace, those that need attention first',
  query: z.strictObject({ ...pageQuery, q: text(100).optional(), project_id: idInput('project').optional() }),
  reply: pagedList('servers', server),
})

export const createServer = endpoint('POST /v1/servers', {
  access: 'servers.manage',
  summary: 'Add an existing server that is reached over SSH or, with `cloud`, create one at a cloud provider',
  body: z
    .strictObject({
      name: name(),
      address: address.optional(),
      port: port.optional().describe('Defaults to 22.'),
      user: sshUser.optional().describe('Defaults to root.'),
      labels: labels.default([]),
      cloud: z
        .strictObject({
          cloud_token_id: idInput('cloudToken'),
          ...ordered,
        })
        .optional(),
    })
    .refine(({ address, cloud }) => (address === undefined) !== (cloud === undefined), {
      error: 'Send either address or cloud.',
      path: ['address'],
    })
    .refine((body) => body.port === undefined || body.cloud === undefined, {
      error: tellsItself,
      path: ['port'],
    })
    .refine(({ user, cloud }) => user === undefined || cloud === undefined, {
      error: tellsItself,
      path: ['user'],
    }),
  reply,
  status: 201,
  idempotent: true,
})

export const getServer = endpoint('GET /v1/servers/{id}', {
  access: 'servers.read',
  summary: 'Get a server',
  params,
  reply,
})

export const updateServer = endpoint('PUT /v1/servers/{id}', {
  access: 'servers.manage',
  summary: 'Update a server. After a change of address or port, the host key must be confirmed again',
  params,
  body: changes({
    name: name(),
    address,
    port,
    user: sshUser,
    labels,
    http_port: port,
    https_port: port,
  }),
  reply,
})

export const deleteServer = endpoint('DELETE /v1/servers/{id}', {
  access: 'servers.manage',
  summary:
    'Delete a server from Slipway. Nothing is stopped or removed on the machine, unless it is destroyed at its cloud provider',
  params,
  query: z.strictObject({
    cloud: z
      .enum(['keep', 'destroy'], { error: 'Must be keep or destroy.' })
      .default('keep')
      .describe(
        'Whether to keep or destroy the server at its cloud provider, where it is billed while it exists.',
      ),
  }),
  reply: success,
})

export const provisionServer = endpoint('POST /v1/servers/{id}/provision', {
  access: 'servers.manage',
  summary: 'Retry a failed creation at a cloud provider, with another configuration if no server exists yet',
  params,
  body: z.strictObject({ name: name(), ...ordered }).partial(),
  reply,
  status: 202,
  limit: 30,
})

export const getServerKey = endpoint('GET /v1/servers/{id}/key', {
  access: 'servers.manage',
  summary: 'Get the public key that Slipway logs in with, and a command that authorizes it',
  params,
  reply: z.object({
    key: z.object({ public_key: z.string(), fingerprint: z.string(), command: z.string() }),
  }),
})

export const connectServer = endpoint('POST /v1/servers/{id}/connect', {
  access: 'servers.manage',
  summary:
    'Connect to the server: returns its host key if none is confirmed, otherwise logs in and starts setup',
  params,
  reply,
  // Servers block clients that log in too often.
  limit: 30,
})

export const trustHostKey = endpoint('POST /v1/servers/{id}/host-key', {
  access: 'servers.manage',
  summary: 'Confirm the host key of the server by its fingerprint, and start setup',
  params,
  body: z.strictObject({ fingerprint: text(100, 1) }),
  reply,
  limit: 30,
})
