import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, id, reference } from './shared/ids.ts'
import { serverUsage } from './shared/server-usage.ts'
import { trustedProxies } from './shared/trusted-proxies.ts'
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
  cloud_token_id: id('cloudToken')
    .nullable()
    .describe('Cloud token of the server; null if the token was deleted.'),
  id: z.string().nullable().describe('ID of the server at the provider; null until it is created.'),
  url: z.string().nullable().describe('URL of the server in the provider’s console.'),
  origin: z.enum(['created', 'imported']),
  step: z
    .enum(cloudSteps)
    .nullable()
    .describe('Current or failed step of the creation; null once the server has connected.'),
  image: z.string().nullable().describe('Display name of the image.'),
  image_id: z
    .string()
    .nullable()
    .describe('ID of the image at the provider; null for servers that Slipway did not create.'),
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
    .describe('Changes at the provider that Slipway did not make, and what to do.'),
})

const hostKey = z.object({
  type: z.string(),
  fingerprint: z.string().describe('Fingerprint in the format of OpenSSH, such as SHA256:….'),
})

export const server = z.object({
  id: id('server'),
  name: z.string(),
  status: z.enum(serverStatuses),
  reason: z
    .string()
    .nullable()
    .describe('Why the server is failed, unreachable or pending, and what to do; null otherwise.'),
  kind: z.enum(['ssh', 'local']).describe('`local`: the machine that Slipway runs on.'),
  address: z.string().nullable(),
  port: z.int(),
  user: z.string(),
  host_key: hostKey.nullable().describe('Confirmed host key. Connections with another host key are refused.'),
  offered_host_key: hostKey
    .nullable()
    .describe('Host key that the server presented and that is not confirmed; null if there is none.'),
  http_port: z.int().describe('HTTP port of the proxy. Changes apply on the next setup.'),
  https_port: z.int(),
  trusted_proxies: z.array(z.string()).describe('Reverse proxies whose `X-Forwarded-For` header is trusted.'),
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
  docker_api_version: z.string().nullable().describe('Docker API version that Slipway uses on this server.'),
  compose_version: z
    .string()
    .nullable()
    .describe('Version of Docker Compose; null if it is missing. Compose applications need 2.20 or newer.'),
  last_seen_at: time.nullable(),
  created_at: time,
  ...serverUsage,
})

const params = z.object({ id: idInput('server') })
const reply = z.object({ server })

const hostName =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*\.?$/i
const ipv6 = /^[0-9a-f:]*:[0-9a-f:.]*$/i
const address = text(253)
  .trim()
  .refine((value) => hostName.test(value) || ipv6.test(value), {
    error: 'Must be a host name or an IP address, such as web-1.example.com.',
  })
export const sshUser = text(32).regex(/^[a-z_][a-z0-9_.-]*\$?$/i, {
  error: 'Must be the name of a user on the server, such as root.',
})
const labels = z
  .array(name(50))
  .max(20, { error: 'Must have at most 20 entries.' })
  .transform((list) => [...new Set(list)])

const ordered = { region: text(50, 1), type: text(100, 1), image: text(100, 1) }

const tellsItself = 'Must be omitted for cloud servers, which report it themselves.'

export const listServers = endpoint('GET /v1/servers', {
  access: 'servers.read',
  summary: 'List the servers of the workspace',
  description: 'Servers that need attention come first.',
  query: z.strictObject({ ...pageQuery, q: text(100).optional(), project_id: idInput('project').optional() }),
  reply: pagedList('servers', server),
})

export const createServer = endpoint('POST /v1/servers', {
  access: 'servers.manage',
  summary: 'Add or create a server',
  description: 'Adds an existing server over SSH or, with `cloud`, creates a server at a cloud provider.',
  body: z
    .strictObject({
      name: name(),
      address: address.optional(),
      port: port.optional().describe('SSH port. Defaults to 22.'),
      user: sshUser.optional().describe('SSH user. Defaults to root.'),
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
  summary: 'Update a server',
  description: 'After a change of address or port, the host key must be confirmed again.',
  params,
  body: changes({
    name: name(),
    address,
    port,
    user: sshUser,
    labels,
    http_port: port,
    https_port: port,
    trusted_proxies: trustedProxies.describe('IP addresses, ranges, or `cloudflare`. Empty to trust none.'),
  }),
  reply,
})

export const deleteServer = endpoint('DELETE /v1/servers/{id}', {
  access: 'servers.manage',
  summary: 'Delete a server from Slipway',
  description: 'Nothing is stopped or removed on the machine, unless `cloud` is `destroy`.',
  params,
  query: z.strictObject({
    cloud: z
      .enum(['keep', 'destroy'], { error: 'Must be keep or destroy.' })
      .default('keep')
      .describe(
        'Whether to keep or destroy the server at its cloud provider, where it is billed until it is destroyed.',
      ),
  }),
  reply: success,
})

export const provisionServer = endpoint('POST /v1/servers/{id}/provision', {
  access: 'servers.manage',
  summary: 'Retry a failed server creation',
  description: 'The configuration can be changed if the server does not exist at the provider yet.',
  params,
  body: z.strictObject({ name: name(), ...ordered }).partial(),
  reply,
  status: 202,
  limit: 30,
})

export const getServerKey = endpoint('GET /v1/servers/{id}/key', {
  access: 'servers.manage',
  summary: 'Get the public key that Slipway logs in with',
  description: 'Includes a command that authorizes the key on the server.',
  params,
  reply: z.object({
    key: z.object({ public_key: z.string(), fingerprint: z.string(), command: z.string() }),
  }),
})

export const connectServer = endpoint('POST /v1/servers/{id}/connect', {
  access: 'servers.manage',
  summary: 'Connect to the server',
  description: 'Returns the host key if none is confirmed. Otherwise logs in and starts setup.',
  params,
  reply,
  // Servers block clients that log in too often.
  limit: 30,
})

export const trustHostKey = endpoint('POST /v1/servers/{id}/host-key', {
  access: 'servers.manage',
  summary: 'Confirm the host key of the server and start setup',
  description: 'The host key is identified by its fingerprint.',
  params,
  body: z.strictObject({ fingerprint: text(100, 1) }),
  reply,
  limit: 30,
})
